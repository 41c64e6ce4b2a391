// Systems that papers describe, by name: the settings under which a run or an evaluation works as such a system does.
//
// Example:
//
//   DedupOptions options;
//   Status applied = apply_preset("seed-004", options.profile, options.candidates, options.match);
//   options.profile.extractor = "learned-dom";  // what is set later overrides the preset
//
// Thread-safe; returned views refer to static data. docs/cli.md lists all presets.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/result.h"

namespace paraprint {

struct Preset {
  std::string_view name;     // "seed-004"
  std::string_view summary;  // one line
  std::string_view source;   // the text that describes the system
  // Options and their values, separated by spaces: "extractor=weighted-dom word_hash=blake2b". Options that are not
  // named keep the value they have.
  std::string_view settings;
};

// The settings one by one: ("extractor", "weighted-dom").
std::vector<std::pair<std::string_view, std::string_view>> preset_settings(const Preset& preset);

// Ordered by source. Those with classic algorithms need the laboratory (paraprint/extensions.h).
std::span<const Preset> presets();

// Sets the options that the preset names; `profile.algorithm` is one of them. kInvalidArgument for an unknown name (the
// message suggests the nearest one); nothing is changed then.
Status apply_preset(std::string_view name, ProfileOptions& profile, CandidateSearchOptions& candidates,
                    MatchOptions& match);

// All presets as a JSON array without a trailing newline, as printed by `paraprint algorithms --presets --json`.
std::string presets_json();

}  // namespace paraprint
