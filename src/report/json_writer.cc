// A thin layer over RapidJSON. Real numbers are formatted by fmt with a fixed number of decimals, because RapidJSON's
// shortest form has a varying number of digits. Strings are made valid first, because RapidJSON writes invalid UTF-8 as
// it is, and JSON readers reject such a file as a whole. They are escaped here, eight bytes at a time, because texts of
// pages are most of what is written, and RapidJSON looks at every byte by itself.
#include "report/json_writer.h"

#include <fmt/format.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <simdjson.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <variant>

#include "report/text_safety.h"
#include "text/ascii_words.h"

namespace paraprint::inline report {
namespace {

// RapidJSON's own allocator returns null pointers, which it then writes to. The names are those that RapidJSON expects.
struct ThrowingAllocator {
  void* Malloc(std::size_t size) { return Realloc(nullptr, 0, size); }
  void* Realloc(void* memory, std::size_t, std::size_t size) {
    if (size == 0) {
      std::free(memory);
      return nullptr;
    }
    void* const larger = std::realloc(memory, size);
    if (larger == nullptr) throw std::bad_alloc();
    return larger;
  }
  static void Free(void* memory) { std::free(memory); }
};

// Marks quotes, backslashes and control characters, of which the first one marked is right; later ones may not be.
constexpr std::uint64_t to_be_escaped(std::uint64_t word) {
  using ascii_words::kOnes;
  const auto is_zero = [](std::uint64_t bytes) { return (bytes - kOnes) & ~bytes; };
  const std::uint64_t control = (word - kOnes * ' ') & ~word;
  return (is_zero(word ^ kOnes * '"') | is_zero(word ^ kOnes * '\\') | control) & ascii_words::kHighBits;
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view kLetters = "btn.fr";  // from U+0008; U+000B has none
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto code = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    out.append({'\\', c});
  } else if (code >= '\b' && code <= '\r' && code != '\v') {
    out.append({'\\', kLetters[code - '\b']});
  } else {
    out.append("\\u00").append({kDigits[code >> 4], kDigits[code & 15]});
  }
}

void append_escaped(std::string& out, std::string_view text) {
  std::size_t copied = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t found = 0;
    if (text.size() - at >= ascii_words::kSizeBytes) {
      found = to_be_escaped(ascii_words::load(text.data() + at));
      at += found == 0 ? ascii_words::kSizeBytes : ascii_words::before_first(found);
      if (found == 0) continue;
    } else if (text[at] != '"' && text[at] != '\\' && static_cast<unsigned char>(text[at]) >= ' ') {
      ++at;
      continue;
    }
    out.append(text, copied, at - copied);
    append_escape(out, text[at]);
    copied = ++at;
  }
  out.append(text, copied);
}

}  // namespace

// The writers refer to the buffer, so all three need a fixed address; the
// unique_ptr provides it when a JsonWriter is moved.
struct JsonWriter::Implementation {
  using Buffer = rapidjson::GenericStringBuffer<rapidjson::UTF8<>, ThrowingAllocator>;
  using Plain = rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, ThrowingAllocator>;
  using Pretty = rapidjson::PrettyWriter<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, ThrowingAllocator>;

  Implementation(JsonLayout layout, unsigned indent_spaces) {
    if (layout == JsonLayout::kIndented) {
      writer.emplace<Pretty>(buffer).SetIndent(' ', indent_spaces);
    } else {
      writer.emplace<Plain>(buffer);
    }
  }

  // Calls `action` with the writer in use. RapidJSON's two writers have no common interface; monostate exists only
  // until the constructor has chosen one.
  template <class Action>
  void write(Action action) {
    std::visit(
        [&](auto& target) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(target)>, std::monostate>) action(target);
        },
        writer);
  }

  Buffer buffer;
  std::variant<std::monostate, Plain, Pretty> writer;
  std::string scratch;
};

JsonWriter::JsonWriter(JsonLayout layout, unsigned indent_spaces)
    : implementation_(std::make_unique<Implementation>(layout, indent_spaces)) {}
JsonWriter::JsonWriter(JsonWriter&&) noexcept = default;
JsonWriter& JsonWriter::operator=(JsonWriter&&) noexcept = default;
JsonWriter::~JsonWriter() = default;

void JsonWriter::begin_object() {
  implementation_->write([](auto& writer) { writer.StartObject(); });
}

void JsonWriter::end_object() {
  implementation_->write([](auto& writer) { writer.EndObject(); });
}

void JsonWriter::begin_array() {
  implementation_->write([](auto& writer) { writer.StartArray(); });
}

void JsonWriter::end_array() {
  implementation_->write([](auto& writer) { writer.EndArray(); });
}

// RapidJSON treats every other string within an object as a key.
void JsonWriter::key(std::string_view name) {
  value(name);
}

void JsonWriter::value(std::string_view text) {
  std::string& quoted = implementation_->scratch;
  quoted.assign(1, '"');
  if (simdjson::validate_utf8(text.data(), text.size())) {
    append_escaped(quoted, text);
  } else {
    std::string valid;
    append_valid_utf8(valid, text);
    append_escaped(quoted, valid);
  }
  quoted += '"';
  // An empty value, for the comma or colon before it: raw values are copied byte by byte.
  implementation_->write([](auto& writer) { writer.RawValue("", 0, rapidjson::kStringType); });
  std::memcpy(implementation_->buffer.Push(quoted.size()), quoted.data(), quoted.size());
}

void JsonWriter::value(Real number) {
  // JSON has no NaN and no infinities.
  if (!std::isfinite(number.value)) return null();
  std::string& digits = implementation_->scratch;
  digits = fmt::format("{:.{}f}", number.value, number.decimals);
  if (number.value < 0 && digits.find_first_not_of("-0.") == std::string::npos)
    digits.erase(0, 1);  // "-0.0000" -> "0.0000"
  implementation_->write([&](auto& writer) { writer.RawValue(digits.data(), digits.size(), rapidjson::kNumberType); });
}

void JsonWriter::value(ExactReal number) {
  if (!std::isfinite(number.value)) return null();
  std::string& digits = implementation_->scratch;
  digits = fmt::format("{}", number.value);
  implementation_->write([&](auto& writer) { writer.RawValue(digits.data(), digits.size(), rapidjson::kNumberType); });
}

void JsonWriter::json_value(std::string_view json) {
  implementation_->write([&](auto& writer) { writer.RawValue(json.data(), json.size(), rapidjson::kObjectType); });
}

void JsonWriter::value(std::span<const std::string> texts) {
  begin_array();
  for (const std::string& text : texts) value(std::string_view(text));
  end_array();
}

void JsonWriter::value(bool truth) {
  implementation_->write([&](auto& writer) { writer.Bool(truth); });
}

void JsonWriter::unsigned_value(std::uint64_t number) {
  implementation_->write([&](auto& writer) { writer.Uint64(number); });
}

void JsonWriter::signed_value(std::int64_t number) {
  implementation_->write([&](auto& writer) { writer.Int64(number); });
}

void JsonWriter::null() {
  implementation_->write([](auto& writer) { writer.Null(); });
}

std::string JsonWriter::take() {
  // Copied out, so that the buffer keeps its capacity for the next document.
  // Reset() lets the writer begin a new root value.
  std::string text(implementation_->buffer.GetString(), implementation_->buffer.GetSize());
  implementation_->buffer.Clear();
  implementation_->write([&](auto& writer) { writer.Reset(implementation_->buffer); });
  return text;
}

}  // namespace paraprint::inline report
