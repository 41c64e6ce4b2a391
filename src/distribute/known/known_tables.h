// Makes the tables of known texts (known_lines.h) of one run: collects the lines of each text, sorts them, and gives
// them away in blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/propagate.h"
#include "distribute/known/known_lines.h"
#include "distribute/known/known_records.h"
#include "index/site_boilerplate.h"
#include "memory/line_sorter.h"
#include "online/candidate_search.h"
#include "paraprint/model.h"

namespace paraprint::distribute::known {

// The lines by which a text is found. Holds scratch memory.
class TextLines {
 public:
  // Calls give(table, key, line) for each line of the text. `template_flags`: one per paragraph.
  template <class Give>
  void collect(std::uint32_t text, std::uint64_t site, const Profile& profile,
               std::span<const std::uint8_t> template_flags, Give&& give) {
    collect_text_keys(profile, template_flags, keys_, sketch_);
    const LineText end{text, length_class_of(profile.content_characters)};
    const auto give_line = [&](const LineTable& table) {
      give(table, key_of_line(line_), std::string_view(line_));
      line_.clear();
    };
    line_.clear();
    for (const std::uint64_t key : keys_.exact) {
      append_exact_line(key, end, line_);
      give_line(kExactLines);
    }
    for (const Fingerprint128& fingerprint : keys_.fingerprints) {
      for (std::size_t table = 0; table < kBlockTables; ++table) {
        append_near_line(table, fingerprint, end, line_);
        give_line(kNearLines);
      }
    }
    if (!sketch_.empty()) {
      for (std::size_t band = 0; band < kSketchBands; ++band) {
        append_sketch_line(band, SketchBytes(sketch_), end, line_);
        give_line(kSketchLines);
      }
    }
    if (site == 0) return;
    for (std::size_t i = 0; i < template_flags.size(); ++i) {
      if (template_flags[i] == 0) continue;
      append_template_line(site, SiteBoilerplate::entry_of(site, profile.paragraphs[i].hash), line_);
      give_line(kTemplateLines);
    }
  }

 private:
  TextKeys keys_;
  std::vector<std::uint8_t> sketch_;
  std::string line_;
};

// Sorts the lines of the tables, or of a range of their keys.
class SortedTables {
 public:
  // `options`: for each of the tables.
  explicit SortedTables(const ExternalSortOptions& options)
      : sorters_{LineSorter(options), LineSorter(options), LineSorter(options), LineSorter(options)} {}

  Status add(const LineTable& table, std::string_view line) { return sorters_[place_of(table)].push(line); }
  // Gives the lines of a table to its box. Call once per table. `after_line()` is called after each line.
  template <class AfterLine>
  Status give(const LineTable& table, ParcelBox& box, std::uint32_t partition, AfterLine&& after_line) {
    LineSorter& sorter = sorters_[place_of(table)];
    BlockBox blocks(box, partition, kLineBlockBytes);
    PARAPRINT_TRY(sorter.finish());
    for (std::string_view line;;) {
      PARAPRINT_ASSIGN(const bool has_line, sorter.next(line));
      if (!has_line) break;
      blocks.add(key_of_line(line), line);
      PARAPRINT_TRY(after_line());
    }
    blocks.end();
    return {};
  }

 private:
  std::array<LineSorter, kLineTables.size()> sorters_;
};

// Gives away the full parcels of a box, or with `all` every one.
template <class Give>
Status give_parcels(ParcelBox& box, bool all, Give&& give) {
  std::vector<Parcel> parcels;
  box.take(parcels, all);
  for (Parcel& parcel : parcels) PARAPRINT_TRY(give(std::move(parcel)));
  return {};
}

}  // namespace paraprint::distribute::known
