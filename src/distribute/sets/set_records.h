// Byte forms of what tasks exchange to join sets (docs/formats/distributed.md). Reading is safe on any input, as in
// distribute/records.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/byte_codec.h"
#include "memory/external_sort.h"
#include "paraprint/model.h"

namespace paraprint::distribute::sets {

// An element of a set, by its place among the set's values.
struct PlacedValue {
  std::uint32_t index = 0;
  std::uint64_t value = 0;
};

// Elements of the set of a page, for the task of these values.
struct SetValues {
  std::uint32_t page = 0;
  Fingerprint128 set_hash;
  std::vector<PlacedValue> values;  // ascending
};
void write_set_values(const SetValues& set, ByteWriter& out);
SetValues read_set_values(ByteReader& in);

// In how many different sets an element of a page's set occurs: two or more. For the owner of the page.
struct ValueFrequency {
  std::uint32_t page = 0;
  std::uint32_t index = 0;  // of the element among the set's values
  std::uint32_t frequency = 0;
  std::uint32_t first_page = 0;  // the first page with an equal set
  friend auto operator<=>(const ValueFrequency&, const ValueFrequency&) = default;
};
void write_value_frequency(const ValueFrequency& element, ByteWriter& out);
ValueFrequency read_value_frequency(ByteReader& in);

struct ValueFrequencyTraits {
  static std::uint64_t key(const ValueFrequency& element) { return std::uint64_t{element.page} << 32 | element.index; }
  static bool combine(ValueFrequency&, const ValueFrequency&) { return false; }
};
using ValueFrequencySorter = ExternalSorter<ValueFrequency, ValueFrequencyTraits>;

// A set in the list of an element.
struct ElementPosting {
  std::uint64_t value = 0;
  std::uint32_t position = 0;  // of the element among the shared ones of the set, which are in their order
  double rest = 0;             // of the set, at this position (index/overlap_rule.h); not negative
  bool is_indexed = false;     // larger sets find the set by it
  bool is_probed = false;      // the set finds smaller ones by it
};

// Elements by which the set of a page is found or finds others, for the task of these values.
struct SetPostings {
  std::uint32_t page = 0;
  std::uint32_t first_page = 0;  // the first page with an equal set
  double size = 0;               // as the rule has it; not negative
  std::vector<ElementPosting> elements;
};
void write_set_postings(const SetPostings& set, ByteWriter& out);
SetPostings read_set_postings(ByteReader& in);

// Two pages whose sets have met at an element, page_a < page_b, for the owner of the first one. Whether they match is
// to be decided by the elements from there on.
struct SetMeeting {
  std::uint32_t page_a = 0;
  std::uint32_t page_b = 0;
  std::uint32_t position = 0;  // of the element in the set of page_a
  // Pairs of pages with these sets that are not generated, stated for one of the pairs that are.
  std::uint64_t pairs_left_out = 0;
  friend auto operator<=>(const SetMeeting&, const SetMeeting&) = default;
};
void write_set_meeting(const SetMeeting& meeting, ByteWriter& out);
SetMeeting read_set_meeting(ByteReader& in);

// Of a pair, the first meeting counts.
struct SetMeetingTraits {
  static std::uint64_t key(const SetMeeting& meeting) { return std::uint64_t{meeting.page_a} << 32 | meeting.page_b; }
  static bool combine(SetMeeting& into, const SetMeeting& from) {
    if (key(into) != key(from)) return false;
    into.position = std::min(into.position, from.position);
    into.pairs_left_out = std::max(into.pairs_left_out, from.pairs_left_out);
    return true;
  }
};
using SetMeetingSorter = ExternalSorter<SetMeeting, SetMeetingTraits>;

}  // namespace paraprint::distribute::sets
