// Field by field as in docs/formats/distributed.md. Small numbers are variable-length, hashes and scores fixed. Readers
// never fail midway: a malformed field makes the ByteReader not ok(), all further reads give zeros, and the caller
// tests ok() once per record. Ranges that callers rely on, such as page_a < page_b, are enforced here.
#include "distribute/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace paraprint::distribute {
namespace {

// Page numbers, character counts and weights are below this.
constexpr std::uint64_t kNumbers = std::uint64_t{1} << 32;

// Scores travel as bits, so no precision is lost and verdicts can be decided again.
void write_real(float value, ByteWriter& out) {
  out.fixed(std::bit_cast<std::uint32_t>(value));
}
float read_real(ByteReader& in) {
  return std::bit_cast<float>(in.fixed<std::uint32_t>());
}

std::uint32_t read_number(ByteReader& in) {
  return static_cast<std::uint32_t>(in.variable_below(kNumbers));
}

// An unknown verdict fails the reader instead of becoming an enumerator that does not exist.
Verdict read_verdict(ByteReader& in) {
  const auto verdict = in.fixed<std::uint8_t>();
  if (verdict > static_cast<std::uint8_t>(Verdict::kOverlap)) in.fail();
  return in.ok() ? static_cast<Verdict>(verdict) : Verdict::kDistinct;
}

LanguageCode read_language(ByteReader& in) {
  const std::optional<LanguageCode> language = LanguageCode::of_number(in.fixed<std::uint16_t>());
  if (!language) in.fail();
  return language.value_or(LanguageCode());
}

template <class Number>
void write_array(const std::vector<Number>& numbers, ByteWriter& out) {
  out.variable(numbers.size());
  for (const Number number : numbers) out.fixed(number);
}

// The length is bounded by the bytes that are left, so a damaged one cannot exhaust memory.
template <class Number>
std::vector<Number> read_array(ByteReader& in) {
  std::vector<Number> numbers(in.variable_below(in.left_bytes() / sizeof(Number) + 1));
  for (Number& number : numbers) number = in.fixed<Number>();
  return numbers;
}

}  // namespace

ParcelBox::ParcelBox(std::string_view kind, std::uint32_t partitions) : kind_(kind), open_(partitions) {
  constexpr std::size_t kOpenBytes = std::size_t{64} << 20;
  constexpr std::size_t kReadyBytesMinimum = std::size_t{4} << 10;
  constexpr std::size_t kReadyBytesMaximum = std::size_t{1} << 20;
  ready_bytes_ = std::clamp(kOpenBytes / std::max(partitions, 1U), kReadyBytesMinimum, kReadyBytesMaximum);
}

// Closed when the next record begins, not when one ends: the box does not see the end of a record.
std::string& ParcelBox::record_for(std::uint32_t partition) {
  std::string& open = open_[partition];
  if (open.size() >= ready_bytes_) ready_.push_back({kind_, partition, std::exchange(open, {})});
  return open;
}

void ParcelBox::take(std::vector<Parcel>& parcels, bool all) {
  for (Parcel& parcel : ready_) parcels.push_back(std::move(parcel));
  ready_.clear();
  if (!all) return;
  for (std::uint32_t partition = 0; partition < open_.size(); ++partition) {
    if (!open_[partition].empty()) parcels.push_back({kind_, partition, std::exchange(open_[partition], {})});
  }
}

// The Python side passes these bytes through unread, so the order of the fields is known in this file only.
void write_page(const DriverPage& page, ByteWriter& out) {
  out.variable(page.location.file_index);
  out.variable(page.location.ordinal);
  out.variable(page.location.offset_bytes);
  out.variable(page.location.length_bytes);
  out.fixed(static_cast<std::uint8_t>(page.format));
  out.fixed(page.language.number());
  for (const std::string_view text : {page.id, page.url, page.date}) out.text(text);
  for (const std::uint64_t half : page.text_hash) out.fixed(half);
  out.variable(page.content_characters);
}

DriverPage read_page(ByteReader& in) {
  DriverPage page;
  page.location.file_index = read_number(in);
  page.location.ordinal = in.variable();
  page.location.offset_bytes = in.variable();
  page.location.length_bytes = in.variable();
  page.format = in.fixed<std::uint8_t>() == 0 ? PageFormat::kHtml : PageFormat::kPlainText;
  page.language = read_language(in);
  for (std::string_view* text : {&page.id, &page.url, &page.date}) *text = in.text();
  for (std::uint64_t& half : page.text_hash) half = in.fixed<std::uint64_t>();
  page.content_characters = read_number(in);
  return page;
}

// Source flags fit four bits, so they share a number with the weight.
void write_page_key(const PageKey& key, ByteWriter& out) {
  out.fixed(key.key);
  out.variable(key.page);
  out.variable(std::uint32_t{key.weight} << 4 | key.source);
}

// The limits guarantee that the narrowing below loses nothing.
PageKey read_page_key(ByteReader& in) {
  PageKey key;
  key.key = in.fixed<std::uint64_t>();
  key.page = read_number(in);
  const std::uint64_t weight = in.variable_below(std::uint64_t{1} << 20);
  key.weight = static_cast<std::uint16_t>(weight >> 4);
  key.source = static_cast<std::uint16_t>(weight & 15);
  return key;
}

void write_near_key(const NearPageKey& key, ByteWriter& out) {
  out.fixed(key.fingerprint.high);
  out.fixed(key.fingerprint.low);
  out.variable(key.page);
  out.variable(key.weight);
}

NearPageKey read_near_key(ByteReader& in) {
  NearPageKey key;
  key.fingerprint.high = in.fixed<std::uint64_t>();
  key.fingerprint.low = in.fixed<std::uint64_t>();
  key.page = read_number(in);
  key.weight = read_number(in);
  return key;
}

// Page numbers ascend and are stored as differences, most of which take one or two bytes. The lowest bit of their
// number says that pages are left out.
void write_near_group(const NearGroupRecord& group, ByteWriter& out) {
  out.fixed(group.fingerprint.high);
  out.fixed(group.fingerprint.low);
  out.variable(group.weight);
  const bool is_cut = group.page_count != group.pages.size();
  out.variable(std::uint64_t{group.pages.size()} << 1 | (is_cut ? 1 : 0));
  if (is_cut) out.variable(group.page_count);
  std::uint32_t last = 0;
  for (const std::uint32_t page : group.pages) {
    out.variable(page - last);
    last = page;
  }
}

NearGroupRecord read_near_group(ByteReader& in) {
  NearGroupRecord group;
  group.fingerprint.high = in.fixed<std::uint64_t>();
  group.fingerprint.low = in.fixed<std::uint64_t>();
  group.weight = static_cast<std::uint32_t>(in.variable_below(std::uint64_t{1} << 16));
  const std::uint64_t pages = in.variable();
  const bool is_cut = (pages & 1) != 0;
  if (is_cut) group.page_count = read_number(in);
  if (pages >> 1 > in.left_bytes()) in.fail();
  group.pages.resize(in.ok() ? pages >> 1 : 0);
  if (!is_cut) group.page_count = static_cast<std::uint32_t>(group.pages.size());
  std::uint64_t last = 0;
  for (std::uint32_t& page : group.pages) {
    const bool is_first = &page == group.pages.data();
    const std::uint64_t step = read_number(in);
    last += step;
    if ((step == 0 && !is_first) || last >= kNumbers) in.fail();
    page = static_cast<std::uint32_t>(last);
  }
  if (group.pages.empty() || group.page_count < group.pages.size()) in.fail();
  return group;
}

void write_sketch(const SketchRecord& sketch, ByteWriter& out) {
  out.variable(sketch.page);
  out.variable(sketch.content_characters);
  for (const std::uint8_t byte : sketch.pair_hashes) out.fixed(byte);
}

SketchRecord read_sketch(ByteReader& in) {
  SketchRecord sketch;
  sketch.page = read_number(in);
  sketch.content_characters = read_number(in);
  for (std::uint8_t& byte : sketch.pair_hashes) byte = in.fixed<std::uint8_t>();
  return sketch;
}

// The second page as a distance: candidates are often neighbours, and page_a < page_b comes for free.
void write_pair(const CandidatePair& pair, ByteWriter& out) {
  out.variable(pair.page_a);
  out.variable(pair.page_b - pair.page_a);
  out.variable(pair.weight);
  out.variable(std::uint32_t{pair.hits} << 4 | pair.sources);
}

CandidatePair read_pair(ByteReader& in) {
  CandidatePair pair;
  pair.page_a = read_number(in);
  pair.page_b = pair.page_a + read_number(in);
  pair.weight = read_number(in);
  const std::uint64_t hits = in.variable_below(std::uint64_t{1} << 20);
  pair.hits = static_cast<std::uint16_t>(hits >> 4);
  pair.sources = static_cast<std::uint16_t>(hits & 15);
  if (pair.page_b <= pair.page_a) in.fail();
  return pair;
}

void write_wanted_page(const WantedPage& wanted, ByteWriter& out) {
  out.variable(wanted.position);
  out.variable(wanted.page);
  out.variable(wanted.task);
}

WantedPage read_wanted_page(ByteReader& in) {
  WantedPage wanted;
  wanted.position = in.variable();
  wanted.page = read_number(in);
  wanted.task = read_number(in);
  return wanted;
}

void write_fetched_page(const FetchedPage& page, ByteWriter& out) {
  out.variable(page.page);
  out.fixed(page.language.number());
  out.text(page.url);
  out.text(page.profile);
}

FetchedPage read_fetched_page(ByteReader& in) {
  FetchedPage page;
  page.page = read_number(in);
  page.language = read_language(in);
  page.url = in.text();
  page.profile = in.text();
  return page;
}

// Fixed width: components hold many matches, and their count can be bounded by the bytes left.
void write_match(const Match& match, ByteWriter& out) {
  out.fixed(match.page_a);
  out.fixed(match.page_b);
  out.fixed(static_cast<std::uint8_t>(match.verdict));
  for (const float score : {match.resemblance, match.containment_a, match.containment_b, match.matched_characters}) {
    write_real(score, out);
  }
}

Match read_match_of_any_order(ByteReader& in) {
  Match match;
  match.page_a = in.fixed<std::uint32_t>();
  match.page_b = in.fixed<std::uint32_t>();
  match.verdict = read_verdict(in);
  for (float* score : {&match.resemblance, &match.containment_a, &match.containment_b, &match.matched_characters}) {
    *score = read_real(in);
  }
  return match;
}

Match read_match(ByteReader& in) {
  const Match match = read_match_of_any_order(in);
  if (match.page_a >= match.page_b) in.fail();
  return match;
}

void write_page_link(const PageLink& link, ByteWriter& out) {
  out.fixed(link.page);
  out.fixed(link.other);
}

PageLink read_page_link(ByteReader& in) {
  PageLink link;
  link.page = in.fixed<std::uint32_t>();
  link.other = in.fixed<std::uint32_t>();
  return link;
}

// The page numbers are checked by the driver, which knows how many there are.
void write_clustered_page(const ClusteredPage& page, ByteWriter& out) {
  out.fixed(page.page);
  out.fixed(page.cluster.kept_page);
  out.fixed(static_cast<std::uint8_t>(page.cluster.verdict));
  out.fixed(static_cast<std::uint8_t>(page.cluster.via_same_text));
  for (const float score : {page.cluster.resemblance, page.cluster.containment, page.cluster.containment_kept}) {
    write_real(score, out);
  }
}

ClusteredPage read_clustered_page(ByteReader& in) {
  ClusteredPage page;
  page.page = in.fixed<std::uint32_t>();
  page.cluster.kept_page = in.fixed<std::uint32_t>();
  page.cluster.verdict = read_verdict(in);
  page.cluster.via_same_text = in.fixed<std::uint8_t>() != 0;
  for (float* score : {&page.cluster.resemblance, &page.cluster.containment, &page.cluster.containment_kept}) {
    *score = read_real(in);
  }
  return page;
}

std::string TaskTables::bytes() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.fixed(kDistributedFormatVersion);
  write_array(number_of_position, out);
  write_array(content_characters, out);
  write_array(representatives, out);
  write_array(large_sites, out);
  return bytes;
}

// Positions are used as indexes by all tasks, so their numbers are checked once, here.
Result<TaskTables> TaskTables::read(std::string_view bytes) {
  ByteReader in(bytes);
  TaskTables tables;
  if (in.fixed<std::uint8_t>() != kDistributedFormatVersion) return corrupt("tables");
  tables.number_of_position = read_array<std::uint32_t>(in);
  tables.content_characters = read_array<std::uint32_t>(in);
  tables.representatives = read_array<std::uint32_t>(in);
  tables.large_sites = read_array<std::uint64_t>(in);
  const std::size_t pages = tables.number_of_position.size();
  const auto is_page = [&](std::uint32_t page) { return page < pages; };
  const bool fits = tables.content_characters.size() == pages && tables.representatives.size() == pages &&
                    std::all_of(tables.number_of_position.begin(), tables.number_of_position.end(), is_page);
  if (!in.ok() || !in.at_end() || !fits) return corrupt("tables");
  return tables;
}

// No count in front: the entries fill the rest of the bytes.
std::string write_entries(std::span<const std::uint64_t> entries) {
  std::string bytes;
  ByteWriter out(bytes);
  out.fixed(kDistributedFormatVersion);
  for (const std::uint64_t entry : entries) out.fixed(entry);
  return bytes;
}

Result<std::vector<std::uint64_t>> read_entries(std::string_view bytes) {
  std::vector<std::uint64_t> entries;
  ByteReader in(bytes);
  if (in.fixed<std::uint8_t>() != kDistributedFormatVersion) return corrupt("site templates");
  while (in.ok() && !in.at_end()) entries.push_back(in.fixed<std::uint64_t>());
  if (!in.ok()) return corrupt("site templates");
  return entries;
}

tl::unexpected<Error> corrupt(std::string_view what) {
  return failure(
      ErrorCode::kCorruptData,
      fmt::format("{}: data between stages is damaged, or was written by another version of paraprint", what));
}

}  // namespace paraprint::distribute
