// The presets (paraprint/presets.h), one row each: the only place that knows what a paper's system consists of. The
// command line, the listings, Python, the tests and the table of docs/cli.md are made from these rows.
//
// A row names what the source fixes, and leaves alone what it does not mention. Names count the five texts whose
// methods paraprint began with; the part after the number tells the systems of one text apart.
#include "paraprint/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/assert.h"
#include "base/nearest_name.h"
#include "base/propagate.h"
#include "options/option_table.h"

namespace paraprint {
namespace {

constexpr std::string_view kSurvey = "survey of duplicate web pages";
constexpr std::string_view kZhang = "Zhang Xiaowei, 2014";
constexpr std::string_view kZheng = "Zheng Peng, master's thesis, 2008";
constexpr std::string_view kTianwang = "Wang, Xie, Lei, Li: Tianwang, 2000";
constexpr std::string_view kArticle = "paragraph-fingerprint article";

constexpr std::array kPresets = {
    Preset{"seed-000-information", "page information: the most frequent words", kSurvey, "algorithm=page-information"},
    Preset{"seed-000-segments", "signatures of a page's segments", kSurvey, "algorithm=segment-signatures"},
    Preset{"seed-000-projection", "random projection of word counts", kSurvey,
           "algorithm=random-projection:bits=384,distance_bits=12"},
    Preset{"seed-000-profile", "rounded word counts of Nutch", kSurvey,
           "algorithm=text-profile:tokens=nutch,quantum_rate=0.01 extractor=whole-page"},
    Preset{"seed-000-idf-string", "the rarer words of an XML corpus, AP hash", kSurvey,
           "algorithm=idf-string:hash=ap,kept_percent=70 extractor=whole-page idf=corpus"},
    Preset{"seed-001", "keywords with positions and frequencies", kZhang, "algorithm=keyword-position"},
    Preset{"seed-001-cosine", "keyword frequencies, which it improves on", kZhang, "algorithm=keyword-cosine"},
    Preset{"seed-002", "the integrated algorithm: SimHash over weighted shingles", kZheng,
           "algorithm=simhash-integrated:bits=64,distance_bits=3"},
    Preset{"seed-002-position", "SimHash with positions in the weights", kZheng,
           "algorithm=simhash-position:bits=64,distance_bits=3"},
    Preset{"seed-002-shingles", "superposition of all shingles", kZheng,
           "algorithm=simhash-shingles:bits=64,distance_bits=3"},
    Preset{"seed-003-abstract", "rule 1: equal beginnings", kTianwang,
           "algorithm=tianwang-abstract:abstract_bytes=512 extractor=whole-page"},
    Preset{"seed-003-keywords", "rule 2: equal keywords in order", kTianwang,
           "algorithm=tianwang-keywords extractor=whole-page"},
    Preset{"seed-003-keywords-sim", "rule 3: rule 2 with similar weights", kTianwang,
           "algorithm=tianwang-keywords-sim extractor=whole-page"},
    Preset{"seed-003-sorted-sim", "rule 4: rule 5 with similar weights", kTianwang,
           "algorithm=tianwang-sorted-sim extractor=whole-page"},
    Preset{"seed-003-sorted", "rule 5: equal sets of keywords", kTianwang,
           "algorithm=tianwang-sorted extractor=whole-page"},
    Preset{"seed-004", "paragraph fingerprints of long sentences, each near its counterpart", kArticle,
           "algorithm=paragraph-literal:distance_bits=12 extractor=weighted-dom paragraph_words=long "
           "word_hash=blake2b relevance=keywords"},
    Preset{"seed-004-cosine", "the same fingerprints, decided by the improved cosine", kArticle,
           "algorithm=paragraph-cosine extractor=weighted-dom paragraph_words=long word_hash=blake2b "
           "relevance=keywords"},
    Preset{"seed-004-shingle", "its baseline Shingle", kArticle,
           "algorithm=shingle:width=5,unit=words extractor=weighted-dom"},
    Preset{"seed-004-i-match", "its baseline I-Match, with the idf of the pages", kArticle,
           "algorithm=i-match:idf_minimum=0.5,order=idf extractor=weighted-dom idf=corpus"},
    Preset{"seed-004-simhash", "its baseline SimHash", kArticle,
           "algorithm=simhash-128:hash=blake2b,weights=tfidf extractor=weighted-dom"},
};

// A row that names an unknown option or an impossible value is our mistake.
template <class Pipeline>
void set_by_name(std::string_view name, std::string_view value, Pipeline& pipeline) {
  bool is_set = false;
  const std::string text(value);
  for_each_pipeline_table(pipeline, [&](const auto rows, auto& options) {
    for (const auto& row : rows) {
      if (row.name == name) is_set = set_option(row, options, std::span(&text, 1)).has_value();
    }
  });
  PARAPRINT_ASSERT(is_set);
}

std::string preset_help() {
  std::string help = "Settings of a paper's system, which other options override: ";
  for (const Preset& preset : kPresets) help += fmt::format("{}, ", preset.name);
  help.resize(help.size() - 2);
  return help;
}

}  // namespace

std::span<const Preset> presets() {
  return kPresets;
}

std::vector<std::pair<std::string_view, std::string_view>> preset_settings(const Preset& preset) {
  std::vector<std::pair<std::string_view, std::string_view>> found;
  for (std::string_view left = preset.settings; !left.empty();) {
    const std::size_t end = std::min(left.find(' '), left.size());
    const std::size_t equals = left.find('=');
    PARAPRINT_ASSERT(equals < end);
    found.emplace_back(left.substr(0, equals), left.substr(equals + 1, end - equals - 1));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return found;
}

Status apply_preset(std::string_view name, ProfileOptions& profile, CandidateSearchOptions& candidates,
                    MatchOptions& match) {
  const auto preset =
      std::find_if(kPresets.begin(), kPresets.end(), [&](const Preset& known) { return known.name == name; });
  if (preset == kPresets.end()) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("unknown preset '{}';{} `paraprint algorithms --presets` lists all", name,
                               suggestion_for(name, kPresets, [](const Preset& known) { return known.name; })));
  }
  struct {
    ProfileOptions& profile;
    CandidateSearchOptions& candidates;
    MatchOptions& match;
  } pipeline{profile, candidates, match};
  for (const auto& [option, value] : preset_settings(*preset)) set_by_name(option, value, pipeline);
  return {};
}

inline namespace options {

std::span<const OptionRow<PresetChoice>> preset_option_rows() {
  static const std::string help = preset_help();  // a row only refers to its help
  static const OptionRow<PresetChoice> rows[] = {
      {.name = "preset", .field = &PresetChoice::preset, .group = kGeneralGroup, .help = help},
  };
  return rows;
}

}  // namespace options
}  // namespace paraprint
