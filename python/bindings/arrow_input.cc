// Import of columns through the Arrow C data interface: numbers, and texts, in all their layouts: 32- and 64-bit
// offsets, views, and dictionaries of these. Buffers are read in place. They are trusted as the interface prescribes,
// except for dictionary indices, which are checked.
#include "arrow_input.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "module.h"

namespace paraprint::python {
namespace {

// Layout with offsets: value i is data[offsets[i]] up to data[offsets[i + 1]].
template <class Offset>
std::string_view by_offsets(const ArrowArray& array, std::int64_t index) {
  const auto* offsets = static_cast<const Offset*>(array.buffers[1]);
  const auto* data = static_cast<const char*>(array.buffers[2]);
  return {data + offsets[index], static_cast<std::size_t>(offsets[index + 1] - offsets[index])};
}

// Layout with views: short values are inside the view, others in a buffer that it names.
std::string_view by_view(const ArrowArray& array, std::int64_t index) {
  const char* view = static_cast<const char*>(array.buffers[1]) + static_cast<std::size_t>(index) * kArrowViewBytes;
  std::int32_t fields[4];  // size, then the bytes themselves, or their first four, the buffer's number and an offset
  std::memcpy(fields, view, kArrowViewBytes);
  const auto size = static_cast<std::size_t>(fields[0]);
  if (size <= kArrowInlineBytes) return {view + sizeof(std::int32_t), size};
  return {static_cast<const char*>(array.buffers[2 + fields[2]]) + fields[3], size};
}

template <class Index>
std::int64_t index_of(const ArrowArray& array, std::int64_t place) {
  return static_cast<std::int64_t>(static_cast<const Index*>(array.buffers[1])[place]);
}

// nullopt for a format that is not an integer type.
std::optional<std::int64_t> index_at(const ArrowArray& array, char type, std::int64_t place) {
  switch (type) {
    case 'c':
      return index_of<std::int8_t>(array, place);
    case 'C':
      return index_of<std::uint8_t>(array, place);
    case 's':
      return index_of<std::int16_t>(array, place);
    case 'S':
      return index_of<std::uint16_t>(array, place);
    case 'i':
      return index_of<std::int32_t>(array, place);
    case 'I':
      return index_of<std::uint32_t>(array, place);
    case 'l':
      return index_of<std::int64_t>(array, place);
    case 'L':
      return index_of<std::uint64_t>(array, place);
    default:
      return std::nullopt;
  }
}

// A missing validity bitmap means that there are no nulls.
bool is_null(const ArrowArray& array, std::int64_t index) {
  const auto* validity = static_cast<const std::uint8_t*>(array.buffers[0]);
  return validity != nullptr && (validity[index / 8] >> (index % 8) & 1) == 0;
}

// The structure is then ours: without its release function, the capsule no longer frees it. One that was taken before
// has none.
template <class Structure>
Structure taken_from(nb::handle capsule, const char* name) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  auto* structure = static_cast<Structure*>(pointer);
  if (structure->release == nullptr) {
    raise({ErrorCode::kInvalidArgument, "the table has been read before, and can be read only once"});
  }
  return std::exchange(*structure, Structure{});
}

// Rows that are null as a whole are null in all columns; their values there mean nothing.
const ArrowArray* null_rows(const ArrowArray& array) {
  return array.n_buffers > 0 && array.buffers[0] != nullptr && array.null_count != 0 ? &array : nullptr;
}

[[noreturn]] void raise_stream_error(ArrowArrayStream& stream) {
  const char* message = stream.get_last_error(&stream);
  raise({ErrorCode::kInputOutput,
         fmt::format("cannot continue reading the table: {}", message ? message : "no reason given")});
}

}  // namespace

// A dictionary index outside the dictionary counts as null.
std::optional<std::string_view> TextColumn::at(std::int64_t row) const {
  if (rows_ != nullptr && is_null(*rows_, rows_->offset + row)) return std::nullopt;
  if (indices_ == nullptr) return value_at(offset_ + row);
  if (is_null(*indices_, indices_offset_ + row)) return std::nullopt;
  const std::optional<std::int64_t> index = index_at(*indices_, index_type_, indices_offset_ + row);
  if (!index || *index < 0 || *index >= array_->length) return std::nullopt;
  return value_at(offset_ + *index);
}

std::optional<std::string_view> TextColumn::value_at(std::int64_t index) const {
  if (layout_ == Layout::kAllNull || is_null(*array_, index)) return std::nullopt;
  switch (layout_) {
    case Layout::kOffsets32:
      return by_offsets<std::int32_t>(*array_, index);
    case Layout::kOffsets64:
      return by_offsets<std::int64_t>(*array_, index);
    default:
      return by_view(*array_, index);
  }
}

ArrowChunk::ArrowChunk(ArrowSchema& schema, ArrowArray& array)
    : schema_(std::exchange(schema, ArrowSchema{})), array_(std::exchange(array, ArrowArray{})) {}

ArrowChunk::ArrowChunk(ArrowChunk&& other) noexcept
    : schema_(std::exchange(other.schema_, ArrowSchema{})), array_(std::exchange(other.array_, ArrowArray{})) {}

ArrowChunk::~ArrowChunk() {
  if (array_.release != nullptr) array_.release(&array_);
  if (schema_.release != nullptr) schema_.release(&schema_);
}

std::vector<std::string> ArrowChunk::column_names() const {
  std::vector<std::string> names;
  for (std::int64_t i = 0; is_struct() && i < schema_.n_children; ++i) names.emplace_back(schema_.children[i]->name);
  return names;
}

std::optional<TextColumn> ArrowChunk::find(const std::string& name) const {
  const ArrowSchema* schema = &schema_;
  TextColumn column;
  column.name_ = name;
  column.array_ = &array_;
  if (is_struct()) {
    column.rows_ = null_rows(array_);
    schema = nullptr;
    for (std::int64_t i = 0; i < schema_.n_children; ++i) {
      if (schema_.children[i]->name != name) continue;
      schema = schema_.children[i];
      column.array_ = array_.children[i];
      // The offset of a struct applies to its children, in addition to their own.
      column.offset_ = array_.offset;
      break;
    }
    if (schema == nullptr) return std::nullopt;
  }
  column.offset_ += column.array_->offset;
  if (schema->dictionary != nullptr) {
    // The column itself holds indices; values are in its dictionary, which has an offset of its own.
    column.indices_ = std::exchange(column.array_, column.array_->dictionary);
    column.indices_offset_ = std::exchange(column.offset_, column.array_->offset);
    column.index_type_ = schema->format[0];
    schema = schema->dictionary;
  }
  const std::string_view format = schema->format;
  column.is_utf8_ = format == "u" || format == "U" || format == "vu";
  if (format == "u" || format == "z") {
    column.layout_ = TextColumn::Layout::kOffsets32;
  } else if (format == "U" || format == "Z") {
    column.layout_ = TextColumn::Layout::kOffsets64;
  } else if (format == "vu" || format == "vz") {
    column.layout_ = TextColumn::Layout::kViews;
  } else if (format != "n") {
    raise({ErrorCode::kInvalidArgument,
           fmt::format("column '{}' has the Arrow type '{}'; it must be text or bytes (string, binary, their large and "
                       "view forms, and dictionaries of them)",
                       name, format)});
  }
  return column;
}

std::optional<double> NumberColumn::at(std::int64_t row) const {
  if (array_ == nullptr || is_null(*array_, offset_ + row)) return std::nullopt;
  if (rows_ != nullptr && is_null(*rows_, rows_->offset + row)) return std::nullopt;
  const double value = static_cast<const double*>(array_->buffers[1])[offset_ + row];
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<NumberColumn> ArrowChunk::find_number(const std::string& name) const {
  for (std::int64_t i = 0; is_struct() && i < schema_.n_children; ++i) {
    if (schema_.children[i]->name != name) continue;
    const std::string_view format = schema_.children[i]->format;
    NumberColumn column;
    if (format == "g") {
      column.rows_ = null_rows(array_);
      column.array_ = array_.children[i];
      column.offset_ = array_.offset + column.array_->offset;
    } else if (format != "n") {
      raise({ErrorCode::kInvalidArgument,
             fmt::format("column '{}' has the Arrow type '{}'; it must be double", name, format)});
    }
    return column;
  }
  return std::nullopt;
}

ArrowChunks::ArrowChunks(nb::handle table) {
  if (nb::hasattr(table, "__arrow_c_array__")) {
    const nb::object capsules = table.attr("__arrow_c_array__")();
    if (!PyTuple_Check(capsules.ptr()) || nb::len(capsules) != 2) {
      throw nb::type_error("__arrow_c_array__() must return two capsules, of a schema and of an array");
    }
    ArrowChunk& chunk = only_.emplace();
    chunk.schema_ = taken_from<ArrowSchema>(capsules[0], "arrow_schema");
    chunk.array_ = taken_from<ArrowArray>(capsules[1], "arrow_array");
  } else if (nb::hasattr(table, "__arrow_c_stream__")) {
    const nb::object capsule = table.attr("__arrow_c_stream__")();
    stream_ = taken_from<ArrowArrayStream>(capsule, "arrow_array_stream");
  } else {
    throw nb::type_error(
        "a table must have __arrow_c_array__ or __arrow_c_stream__, as those of pyarrow, pandas and polars");
  }
}

ArrowChunks::~ArrowChunks() {
  if (stream_.release != nullptr) stream_.release(&stream_);
}

std::optional<ArrowChunk> ArrowChunks::next() {
  if (stream_.release == nullptr) return std::exchange(only_, std::nullopt);
  ArrowArray array{};
  if (stream_.get_next(&stream_, &array) != 0) raise_stream_error(stream_);
  if (array.release == nullptr) return std::nullopt;
  // Every chunk owns a copy of the schema and can outlive the stream.
  ArrowSchema schema{};
  if (stream_.get_schema(&stream_, &schema) != 0) {
    array.release(&array);
    raise_stream_error(stream_);
  }
  return std::optional<ArrowChunk>(std::in_place, schema, array);
}

}  // namespace paraprint::python
