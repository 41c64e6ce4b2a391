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

// Full parcels that a box keeps in memory.
constexpr std::size_t kReadyTotalBytes = std::size_t{32} << 20;

// Page numbers, character counts and weights are below this.
constexpr std::uint64_t kNumbers = std::uint64_t{1} << 32;

// Of the facts of a page.
constexpr unsigned kIsText = 1;
constexpr unsigned kHasIdOfPlace = 2;

// Most have no limit, which is then one byte.
void write_size_limit(std::uint32_t characters_maximum, ByteWriter& out) {
  out.variable(characters_maximum == kAnySize ? 0 : std::uint64_t{characters_maximum} + 1);
}
std::uint32_t read_size_limit(ByteReader& in) {
  const std::uint64_t stored = in.variable_below(kNumbers);
  return stored == 0 ? kAnySize : static_cast<std::uint32_t>(stored - 1);
}

LanguageCode read_language(ByteReader& in) {
  const std::optional<LanguageCode> language = LanguageCode::of_number(in.fixed<std::uint16_t>());
  if (!language) in.fail();
  return language.value_or(LanguageCode());
}

}  // namespace

// Scores travel as bits, so no precision is lost and verdicts can be decided again.
bool read_flag(ByteReader& in) {
  const auto flag = in.fixed<std::uint8_t>();
  if (flag > 1) in.fail();
  return flag == 1;
}

void write_real(float value, ByteWriter& out) {
  out.fixed(std::bit_cast<std::uint32_t>(value));
}
float read_real(ByteReader& in) {
  return std::bit_cast<float>(in.fixed<std::uint32_t>());
}

std::uint32_t read_number(ByteReader& in) {
  return static_cast<std::uint32_t>(in.variable_below(kNumbers));
}

Verdict read_verdict(ByteReader& in) {
  const auto verdict = in.fixed<std::uint8_t>();
  if (verdict > static_cast<std::uint8_t>(Verdict::kOverlap)) in.fail();
  return in.ok() ? static_cast<Verdict>(verdict) : Verdict::kDistinct;
}

ParcelBox::ParcelBox(std::string_view kind, std::uint32_t partitions, ParcelFile* overflow)
    : kind_(kind), open_(partitions), overflow_(overflow) {
  constexpr std::size_t kOpenBytes = std::size_t{64} << 20;
  constexpr std::size_t kReadyBytesMinimum = std::size_t{4} << 10;
  constexpr std::size_t kReadyBytesMaximum = std::size_t{1} << 20;
  ready_bytes_ = std::clamp(kOpenBytes / std::max(partitions, 1U), kReadyBytesMinimum, kReadyBytesMaximum);
}

// Closed when the next record begins, not when one ends: the box does not see the end of a record.
std::string& ParcelBox::record_for(std::uint32_t partition) {
  std::string& open = open_[partition];
  if (open.size() < ready_bytes_) return open;
  ready_total_bytes_ += open.size();
  ready_.push_back({kind_, partition, std::exchange(open, {})});
  if (overflow_ != nullptr && ready_total_bytes_ > kReadyTotalBytes) {
    for (Parcel& parcel : ready_) overflow_->add(std::move(parcel));
    ready_.clear();
    ready_total_bytes_ = 0;
  }
  return open;
}

void ParcelBox::take(std::vector<Parcel>& parcels, bool all) {
  for (Parcel& parcel : ready_) parcels.push_back(std::move(parcel));
  ready_.clear();
  ready_total_bytes_ = 0;
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
  out.fixed(static_cast<std::uint8_t>((page.format == PageFormat::kHtml ? 0U : kIsText) |
                                      (page.has_id_of_place ? kHasIdOfPlace : 0U)));
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
  const std::uint8_t traits = in.fixed<std::uint8_t>();
  page.format = (traits & kIsText) == 0 ? PageFormat::kHtml : PageFormat::kPlainText;
  page.has_id_of_place = (traits & kHasIdOfPlace) != 0;
  if (traits > (kIsText | kHasIdOfPlace)) in.fail();
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

void write_selected_pair(const SelectedPair& selected, ByteWriter& out) {
  write_pair(selected.pair, out);
  write_size_limit(selected.characters_maximum, out);
}

SelectedPair read_selected_pair(ByteReader& in) {
  SelectedPair selected;
  selected.pair = read_pair(in);
  selected.characters_maximum = read_size_limit(in);
  return selected;
}

void write_wanted_page(const WantedPage& wanted, ByteWriter& out) {
  out.variable(wanted.page);
  out.variable(wanted.task);
  write_size_limit(wanted.characters_maximum, out);
}

WantedPage read_wanted_page(ByteReader& in) {
  WantedPage wanted;
  wanted.page = read_number(in);
  wanted.task = read_number(in);
  wanted.characters_maximum = read_size_limit(in);
  return wanted;
}

void write_fetched_page(const FetchedPage& page, ByteWriter& out) {
  out.variable(page.page);
  out.variable(page.content_characters);
  out.fixed(page.language.number());
  out.text(page.url);
  out.text(page.profile);
  out.fixed(static_cast<std::uint8_t>(page.is_known));
}

FetchedPage read_fetched_page(ByteReader& in) {
  FetchedPage page;
  page.page = read_number(in);
  page.content_characters = read_number(in);
  page.language = read_language(in);
  page.url = in.text();
  page.profile = in.text();
  page.is_known = read_flag(in);
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

void write_known_page(const KnownPage& known, ByteWriter& out) {
  out.text(known.id);
  out.text(known.url);
  out.fixed(static_cast<std::uint8_t>(known.verdict));
  for (const float score : {known.resemblance, known.containment, known.containment_known}) write_real(score, out);
}

KnownPage read_known_page(ByteReader& in) {
  KnownPage known;
  known.id = in.text();
  known.url = in.text();
  known.verdict = read_verdict(in);
  for (float* score : {&known.resemblance, &known.containment, &known.containment_known}) *score = read_real(in);
  return known;
}

void write_known_answer(const KnownAnswer& found, ByteWriter& out) {
  out.variable(found.page);
  write_known_page(found.known, out);
}

KnownAnswer read_known_answer(ByteReader& in) {
  KnownAnswer found;
  found.page = read_number(in);
  found.known = read_known_page(in);
  return found;
}

void write_component_page(const ComponentPage& page, ByteWriter& out) {
  out.fixed(page.component);
  out.fixed(page.page);
  out.variable(page.page - page.representative);
  out.variable(page.content_characters);
  out.variable(page.file);
  out.variable(page.ordinal);
  out.variable(page.offset_bytes);
  for (const std::string_view text : {page.id, page.url, page.date}) out.text(text);
  out.fixed(static_cast<std::uint8_t>(page.known.has_value()));
  if (page.known) write_known_page(*page.known, out);
}

ComponentPage read_component_page(ByteReader& in) {
  ComponentPage page;
  page.component = in.fixed<std::uint32_t>();
  page.page = in.fixed<std::uint32_t>();
  page.representative = page.page - static_cast<std::uint32_t>(in.variable_below(std::uint64_t{page.page} + 1));
  page.content_characters = read_number(in);
  page.file = read_number(in);
  page.ordinal = in.variable();
  page.offset_bytes = in.variable();
  for (std::string_view* text : {&page.id, &page.url, &page.date}) *text = in.text();
  if (read_flag(in)) page.known = read_known_page(in);
  if (page.component > page.page) in.fail();
  return page;
}

void write_component_match(const ComponentMatch& edge, ByteWriter& out) {
  out.fixed(edge.component);
  write_match(edge.match, out);
}

ComponentMatch read_component_match(ByteReader& in) {
  ComponentMatch edge;
  edge.component = in.fixed<std::uint32_t>();
  edge.match = read_match(in);
  return edge;
}

void write_text_of_page(const TextOfPage& text, ByteWriter& out) {
  for (const std::uint64_t half : text.text_hash) out.fixed(half);
  out.variable(text.page);
}

TextOfPage read_text_of_page(ByteReader& in) {
  TextOfPage text;
  for (std::uint64_t& half : text.text_hash) half = in.fixed<std::uint64_t>();
  text.page = read_number(in);
  return text;
}

void write_site_pages(const SitePages& site, ByteWriter& out) {
  out.fixed(site.site);
  out.variable(site.pages);
}

SitePages read_site_pages(ByteReader& in) {
  SitePages site;
  site.site = in.fixed<std::uint64_t>();
  site.pages = in.variable();
  return site;
}

void write_copied_page(const CopiedPage& copy, ByteWriter& out) {
  out.variable(copy.page);
  out.variable(copy.first);
}

CopiedPage read_copied_page(ByteReader& in) {
  CopiedPage copy;
  copy.page = read_number(in);
  copy.first = read_number(in);
  if (copy.first >= copy.page) in.fail();
  return copy;
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
