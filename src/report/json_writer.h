// Writes JSON with the same bytes on every run and machine: a thin layer over RapidJSON's Writer that adds a fixed
// number of decimals for real numbers, and strings from untrusted bytes.
//
//   JsonWriter json;
//   json.begin_object();
//   json.member("id", page.id);
//   json.member("score", Real{0.98217});   // "score":0.9822
//   json.end_object();
//   std::string line = json.take();
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace paraprint::inline report {

// A number with exactly `decimals` digits after the point, rounded half to even. NaN and infinities become null.
struct Real {
  double value = 0;
  int decimals = 4;
};

// A number that reads as the same one again, in the fewest digits.
struct ExactReal {
  double value = 0;
};

enum class JsonLayout : std::uint8_t {
  kOneLine,   // no white space: JSON Lines
  kIndented,  // spaces per level: files for people to read
};

// Not thread-safe. Strings are made valid UTF-8 (text_safety.h: invalid bytes become U+FFFD); control characters are
// escaped as JSON requires. Calls must nest as JSON does; RapidJSON asserts this in debug builds.
class JsonWriter {
 public:
  explicit JsonWriter(JsonLayout layout = JsonLayout::kOneLine, unsigned indent_spaces = 2);
  JsonWriter(JsonWriter&&) noexcept;
  JsonWriter& operator=(JsonWriter&&) noexcept;
  ~JsonWriter();

  void begin_object();
  void end_object();
  void begin_array();
  void end_array();
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(Real number);
  void value(ExactReal number);
  void value(bool truth);
  template <std::unsigned_integral Number>
    requires(!std::same_as<Number, bool>)
  void value(Number number) {
    unsigned_value(number);
  }
  template <std::signed_integral Number>
  void value(Number number) {
    signed_value(number);
  }
  void value(std::span<const std::string> texts);  // as an array
  void null();
  void json_value(std::string_view json);  // valid JSON on one line, written as it is

  template <class Value>
  void member(std::string_view name, const Value& member_value) {
    key(name);
    value(member_value);
  }

  // Returns the text written since the last take(), without a line feed, and resets the writer for the next document.
  std::string take();

 private:
  struct Implementation;
  void unsigned_value(std::uint64_t number);
  void signed_value(std::int64_t number);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace paraprint::inline report
