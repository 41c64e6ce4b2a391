// Field by field as in docs/formats/distributed.md. A malformed field makes the reader not ok(), which callers test
// once per record; ranges that they rely on are enforced here.
#include "distribute/sets/set_records.h"

#include <bit>
#include <cmath>

#include "distribute/records.h"

namespace paraprint::distribute::sets {
namespace {

// Counts and sums of integer weights are whole numbers, which take a byte or two.
constexpr double kWholeNumbers = 9007199254740992.0;  // 2^53

void write_amount(double amount, ByteWriter& out) {
  if (amount >= 0 && amount < kWholeNumbers && amount == std::floor(amount)) {
    out.variable(static_cast<std::uint64_t>(amount) << 1);
  } else {
    out.variable(1);
    out.fixed(std::bit_cast<std::uint64_t>(amount));
  }
}

double read_amount(ByteReader& in) {
  const std::uint64_t stored = in.variable();
  if ((stored & 1) == 0) return static_cast<double>(stored >> 1);
  const auto amount = std::bit_cast<double>(in.fixed<std::uint64_t>());
  if (stored != 1 || !std::isfinite(amount) || amount < 0) in.fail();
  return in.ok() ? amount : 0;
}

// A number of elements, each of at least `bytes_minimum` bytes: no more than there can be.
std::size_t read_element_count(std::size_t bytes_minimum, ByteReader& in) {
  const std::uint64_t count = in.variable();
  if (count == 0 || count > in.left_bytes() / bytes_minimum) in.fail();
  return in.ok() ? static_cast<std::size_t>(count) : 0;
}

void write_earlier_page(std::uint32_t page, std::uint32_t earlier, ByteWriter& out) {
  out.variable(page - earlier);
}

std::uint32_t read_earlier_page(std::uint32_t page, ByteReader& in) {
  const std::uint32_t distance = read_number(in);
  if (distance > page) in.fail();
  return in.ok() ? page - distance : 0;
}

}  // namespace

// Values ascend with their indices, of which the differences are stored.
void write_set_values(const SetValues& set, ByteWriter& out) {
  out.variable(set.page);
  out.fixed(set.set_hash.high);
  out.fixed(set.set_hash.low);
  out.variable(set.values.size());
  std::uint32_t next = 0;
  for (const PlacedValue& element : set.values) {
    out.variable(element.index - next);
    out.fixed(element.value);
    next = element.index + 1;
  }
}

SetValues read_set_values(ByteReader& in) {
  SetValues set;
  set.page = read_number(in);
  set.set_hash.high = in.fixed<std::uint64_t>();
  set.set_hash.low = in.fixed<std::uint64_t>();
  set.values.resize(read_element_count(9, in));
  std::uint64_t next = 0;
  for (PlacedValue& element : set.values) {
    next += read_number(in);
    if (next >= kAnySize) in.fail();
    element.index = static_cast<std::uint32_t>(next++);
    element.value = in.fixed<std::uint64_t>();
  }
  return set;
}

void write_value_frequency(const ValueFrequency& element, ByteWriter& out) {
  out.variable(element.page);
  write_earlier_page(element.page, element.first_page, out);
  out.variable(element.index);
  out.variable(element.frequency);
}

ValueFrequency read_value_frequency(ByteReader& in) {
  ValueFrequency element;
  element.page = read_number(in);
  element.first_page = read_earlier_page(element.page, in);
  element.index = read_number(in);
  element.frequency = read_number(in);
  if (element.frequency < 2) in.fail();
  return element;
}

void write_set_postings(const SetPostings& set, ByteWriter& out) {
  out.variable(set.page);
  write_earlier_page(set.page, set.first_page, out);
  write_amount(set.size, out);
  out.variable(set.elements.size());
  for (const ElementPosting& element : set.elements) {
    out.fixed(element.value);
    out.variable(std::uint64_t{element.position} << 2 | (element.is_indexed ? 2 : 0) | (element.is_probed ? 1 : 0));
    write_amount(element.rest, out);
  }
}

SetPostings read_set_postings(ByteReader& in) {
  SetPostings set;
  set.page = read_number(in);
  set.first_page = read_earlier_page(set.page, in);
  set.size = read_amount(in);
  set.elements.resize(read_element_count(10, in));
  for (ElementPosting& element : set.elements) {
    element.value = in.fixed<std::uint64_t>();
    const std::uint64_t position = in.variable_below(std::uint64_t{1} << 34);
    element.position = static_cast<std::uint32_t>(position >> 2);
    element.is_indexed = (position & 2) != 0;
    element.is_probed = (position & 1) != 0;
    element.rest = read_amount(in);
  }
  return set;
}

void write_set_meeting(const SetMeeting& meeting, ByteWriter& out) {
  out.variable(meeting.page_a);
  out.variable(meeting.page_b - meeting.page_a);
  const bool are_left_out = meeting.pairs_left_out != 0;
  out.variable(std::uint64_t{meeting.position} << 1 | (are_left_out ? 1 : 0));
  if (are_left_out) out.variable(meeting.pairs_left_out);
}

SetMeeting read_set_meeting(ByteReader& in) {
  SetMeeting meeting;
  meeting.page_a = read_number(in);
  const std::uint64_t page_b = std::uint64_t{meeting.page_a} + read_number(in);
  if (page_b == meeting.page_a || page_b >= kAnySize) in.fail();
  meeting.page_b = static_cast<std::uint32_t>(page_b);
  const std::uint64_t position = in.variable_below(std::uint64_t{1} << 33);
  meeting.position = static_cast<std::uint32_t>(position >> 1);
  if ((position & 1) != 0) meeting.pairs_left_out = in.variable();
  return meeting;
}

}  // namespace paraprint::distribute::sets
