// Byte forms of the records exchanged between the stages of a distributed run (docs/formats/distributed.md). Writing
// never fails. Reading is safe on any input; malformed bytes are reported by the reader's ok() or an error.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/record_writer.h"
#include "base/byte_codec.h"
#include "base/propagate.h"
#include "cluster/clustering.h"
#include "distribute/parcel_file.h"
#include "engine/known_pages.h"
#include "index/key_join.h"
#include "index/near_join.h"
#include "paraprint/distributed.h"
#include "paraprint/model.h"
#include "paraprint/result.h"
#include "text/language.h"

namespace paraprint::distribute {

// Collects the output of a stage by partition, in parcels (shuffle blocks) of up to about 1 MiB: with many partitions
// less, so that the open parcels stay within some 64 MiB.
class ParcelBox {
 public:
  // Beyond some 32 MiB, parcels that are not taken go to `overflow`; null: they stay in memory.
  ParcelBox(std::string_view kind, std::uint32_t partitions, ParcelFile* overflow = nullptr);

  // The string to which the next record for the partition must be appended. Records are self-contained; a parcel is
  // only closed between two of them.
  std::string& record_for(std::uint32_t partition);
  // Moves the full parcels, or with `all` every non-empty one, to `parcels`.
  void take(std::vector<Parcel>& parcels, bool all);

 private:
  std::string_view kind_;
  std::size_t ready_bytes_;
  std::vector<std::string> open_;  // by partition
  std::vector<Parcel> ready_;
  std::size_t ready_total_bytes_ = 0;  // of `ready_`
  ParcelFile* overflow_;
};

// Fields of records. An unknown verdict fails the reader instead of becoming an enumerator that does not exist.
void write_real(float value, ByteWriter& out);
float read_real(ByteReader& in);
std::uint32_t read_number(ByteReader& in);
bool read_flag(ByteReader& in);
Verdict read_verdict(ByteReader& in);

// The facts about a page that the driver needs. Views point into the bytes that were read.
struct DriverPage {
  RecordLocation location;
  PageFormat format = PageFormat::kHtml;
  LanguageCode language;  // of the main content
  std::string_view id;
  std::string_view url;
  std::string_view date;
  std::array<std::uint64_t, 2> text_hash{};
  std::uint32_t content_characters = 0;
  bool has_id_of_place = false;  // Page::has_id_of_place
};
void write_page(const DriverPage& page, ByteWriter& out);
DriverPage read_page(ByteReader& in);

void write_page_key(const PageKey& key, ByteWriter& out);
PageKey read_page_key(ByteReader& in);

void write_near_key(const NearPageKey& key, ByteWriter& out);
NearPageKey read_near_key(ByteReader& in);

// A distinct fingerprint of a run, with the pages that the Hamming join may pair (NearGroups).
struct NearGroupRecord {
  Fingerprint128 fingerprint;
  std::uint32_t weight = 0;          // at most 65,535
  std::uint32_t page_count = 0;      // all pages with the fingerprint
  std::vector<std::uint32_t> pages;  // the first ones at least; ascending, not empty
};
void write_near_group(const NearGroupRecord& group, ByteWriter& out);
NearGroupRecord read_near_group(ByteReader& in);

struct SketchRecord {
  std::uint32_t page = 0;
  std::uint32_t content_characters = 0;
  std::array<std::uint8_t, PageSketch::kPairHashes> pair_hashes{};
  friend auto operator<=>(const SketchRecord&, const SketchRecord&) = default;
};
void write_sketch(const SketchRecord& sketch, ByteWriter& out);
SketchRecord read_sketch(ByteReader& in);

// A pair with 0 hits met in a bucket of sketches whose pages were all paired. It counts as one hit, however many such
// buckets it met in.
void write_pair(const CandidatePair& pair, ByteWriter& out);
CandidatePair read_pair(ByteReader& in);

// A pair that select could not decide about: it is worth a comparison if the second page has at most so many characters
// of content. kAnySize: whatever its size.
inline constexpr std::uint32_t kAnySize = std::numeric_limits<std::uint32_t>::max();
struct SelectedPair {
  CandidatePair pair;
  std::uint32_t characters_maximum = kAnySize;
};
void write_selected_pair(const SelectedPair& selected, ByteWriter& out);
SelectedPair read_selected_pair(ByteReader& in);

// A page that a task wants for a comparison, if it is not larger than stated.
struct WantedPage {
  std::uint32_t page = 0;
  std::uint32_t task = 0;  // the one that wants it
  std::uint32_t characters_maximum = kAnySize;
  friend auto operator<=>(const WantedPage&, const WantedPage&) = default;
};
void write_wanted_page(const WantedPage& wanted, ByteWriter& out);
WantedPage read_wanted_page(ByteReader& in);

// What a comparison needs to know of a page. Views point into the bytes that were read.
struct FetchedPage {
  std::uint32_t page = 0;
  std::uint32_t content_characters = 0;
  LanguageCode language;
  std::string_view url;
  std::string_view profile;  // encoded
  bool is_known = false;     // an earlier run had the page, so its matches do not count
};
void write_fetched_page(const FetchedPage& page, ByteWriter& out);
FetchedPage read_fetched_page(ByteReader& in);

void write_match(const Match& match, ByteWriter& out);
Match read_match(ByteReader& in);  // page_a < page_b
Match read_match_of_any_order(ByteReader& in);

// Two pages of one component, for the task of `page`.
struct PageLink {
  std::uint32_t page = 0;
  std::uint32_t other = 0;
  friend auto operator<=>(const PageLink&, const PageLink&) = default;
};
void write_page_link(const PageLink& link, ByteWriter& out);
PageLink read_page_link(ByteReader& in);

// A known page in place of one of the run. Views point into the bytes that were read.
void write_known_page(const KnownPage& known, ByteWriter& out);
KnownPage read_known_page(ByteReader& in);

// A page of the run and the known page that takes its place, for the owner of the former.
struct KnownAnswer {
  std::uint32_t page = 0;
  KnownPage known;
};
void write_known_answer(const KnownAnswer& found, ByteWriter& out);
KnownAnswer read_known_answer(ByteReader& in);

// A page of a component, and what clustering and the tables need to know of it, for the task of the component. Views
// point into the bytes that were read.
struct ComponentPage {
  std::uint32_t component = 0;  // its smallest page
  std::uint32_t page = 0;
  std::uint32_t representative = 0;  // the first page with its text
  std::uint32_t content_characters = 0;
  std::uint32_t file = 0;
  std::uint64_t ordinal = 0;
  std::uint64_t offset_bytes = 0;
  std::string_view id;  // as in the tables
  std::string_view url;
  std::string_view date;
  std::optional<KnownPage> known = std::nullopt;  // the known page that takes its place
};
void write_component_page(const ComponentPage& page, ByteWriter& out);
ComponentPage read_component_page(ByteReader& in);

// A match of a page of a component; the other page may be in another one.
struct ComponentMatch {
  std::uint32_t component = 0;
  Match match;
};
void write_component_match(const ComponentMatch& edge, ByteWriter& out);
ComponentMatch read_component_match(ByteReader& in);

// A removed page; those of an input are in ascending order of ordinals. Views point into the bytes that were read.
void write_removed_page(const RemovedPage& page, ByteWriter& out);
RemovedPage read_removed_page(ByteReader& in);

// A page, for the task of its text.
struct TextOfPage {
  std::array<std::uint64_t, 2> text_hash{};
  std::uint32_t page = 0;
  friend auto operator<=>(const TextOfPage&, const TextOfPage&) = default;
};
void write_text_of_page(const TextOfPage& text, ByteWriter& out);
TextOfPage read_text_of_page(ByteReader& in);

// The number of pages of a site in one task, for the task of the site.
struct SitePages {
  std::uint64_t site = 0;
  std::uint64_t pages = 0;
  friend auto operator<=>(const SitePages&, const SitePages&) = default;
};
void write_site_pages(const SitePages& site, ByteWriter& out);
SitePages read_site_pages(ByteReader& in);

// A page that repeats the text of an earlier one, for its owner.
struct CopiedPage {
  std::uint32_t page = 0;
  std::uint32_t first = 0;  // page with the text
  friend auto operator<=>(const CopiedPage&, const CopiedPage&) = default;
};
void write_copied_page(const CopiedPage& copy, ByteWriter& out);
CopiedPage read_copied_page(ByteReader& in);

// Ascending numbers, preceded by the format version.
std::string write_entries(std::span<const std::uint64_t> entries);
Result<std::vector<std::uint64_t>> read_entries(std::string_view bytes);

// kCorruptData with the kind of the bytes.
tl::unexpected<Error> corrupt(std::string_view what);

// Calls visit(record) for each record of a parcel; `read` is a function of records.h. kCorruptData names `what`.
template <class Read, class Visit>
Status for_each_record(std::string_view bytes, std::string_view what, Read&& read, Visit&& visit) {
  ByteReader in(bytes);
  while (!in.at_end()) {
    const auto record = read(in);
    if (!in.ok()) return corrupt(what);
    PARAPRINT_TRY(visit(record));
  }
  return in.ok() ? Status{} : corrupt(what);
}

// Calls visit(page number, page record) for each page of a batch of facts.
template <class Visit>
Status for_each_page_of_facts(std::uint64_t first_position, std::string_view facts, Visit&& visit) {
  std::uint64_t position = first_position;
  return for_each_record(facts, "facts", read_page, [&](const DriverPage& page) -> Status {
    if (position >= kAnySize) return failure(ErrorCode::kLimitExceeded, "more than 4,294,967,295 pages in one run");
    return visit(static_cast<std::uint32_t>(position++), page);
  });
}

// Calls visit(page number, page record, encoded profile) for each page of a batch. kCorruptData for malformed batches.
template <class Visit>
Status for_each_page_of_batch(std::uint64_t first_position, std::string_view facts, std::string_view profiles,
                              Visit&& visit) {
  ByteReader profile_reader(profiles);
  PARAPRINT_TRY(
      for_each_page_of_facts(first_position, facts, [&](std::uint32_t number, const DriverPage& page) -> Status {
        const std::string_view profile = profile_reader.text();
        if (!profile_reader.ok()) return corrupt("profiles");
        return visit(number, page, profile);
      }));
  return profile_reader.at_end() ? Status{} : corrupt("profiles");
}

}  // namespace paraprint::distribute
