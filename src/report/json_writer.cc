// A thin layer over RapidJSON. Real numbers are formatted by fmt with a fixed number of decimals, because RapidJSON's
// shortest form has a varying number of digits. Strings are made valid first, because RapidJSON writes invalid UTF-8 as
// it is, and JSON readers reject such a file as a whole.
#include "report/json_writer.h"

#include <fmt/format.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "report/text_safety.h"

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

// RapidJSON counts in 32 bits; no text of a page comes near 4 GB.
rapidjson::SizeType json_size(std::string_view text) {
  PARAPRINT_ASSERT(text.size() <= UINT32_MAX);
  return static_cast<rapidjson::SizeType>(text.size());
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
  std::string& valid = implementation_->scratch;
  valid.clear();
  append_valid_utf8(valid, text);
  implementation_->write([&](auto& writer) { writer.String(valid.data(), json_size(valid)); });
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
