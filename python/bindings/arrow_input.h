// Arrow tables as input: anything with __arrow_c_array__ or __arrow_c_stream__ (pyarrow, pandas, polars, ...).
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_interface.h"

namespace paraprint::python {

// A column of text or bytes. Returned views are valid as long as the chunk.
class TextColumn {
 public:
  std::optional<std::string_view> at(std::int64_t row) const;  // nullopt: null
  bool is_utf8() const { return is_utf8_; }
  const std::string& name() const { return name_; }

 private:
  friend class ArrowChunk;
  enum class Layout : std::uint8_t { kOffsets32, kOffsets64, kViews, kAllNull };
  std::optional<std::string_view> value_at(std::int64_t index) const;

  const ArrowArray* rows_ = nullptr;     // the struct of columns, if some of its rows are null as a whole; else null
  const ArrowArray* indices_ = nullptr;  // dictionary-encoded: the index of each row's value in `array_`; else null
  std::int64_t indices_offset_ = 0;
  char index_type_ = 0;  // as in the Arrow format: from 'c', int8, to 'L', uint64
  const ArrowArray* array_ = nullptr;
  std::int64_t offset_ = 0;
  Layout layout_ = Layout::kAllNull;
  bool is_utf8_ = false;
  std::string name_;
};

// A column of 64-bit floating-point numbers.
class NumberColumn {
 public:
  std::optional<double> at(std::int64_t row) const;  // nullopt: null, NaN or infinite

 private:
  friend class ArrowChunk;
  const ArrowArray* rows_ = nullptr;   // as in TextColumn
  const ArrowArray* array_ = nullptr;  // null: all values are null
  std::int64_t offset_ = 0;
};

// Some rows of a table: a struct of columns, or a single column. Owns the producer's structures.
class ArrowChunk {
 public:
  ArrowChunk() = default;
  // Takes ownership of the structures, which are empty afterwards.
  ArrowChunk(ArrowSchema& schema, ArrowArray& array);
  ArrowChunk(ArrowChunk&& other) noexcept;
  ArrowChunk(const ArrowChunk&) = delete;
  ArrowChunk& operator=(const ArrowChunk&) = delete;
  ArrowChunk& operator=(ArrowChunk&&) = delete;
  ~ArrowChunk();

  std::int64_t rows() const { return array_.length; }
  bool is_struct() const { return std::string_view(schema_.format) == "+s"; }
  std::vector<std::string> column_names() const;

  // nullopt if there is no such column. A single column matches every name. Raises paraprint.Error, naming the column,
  // for types that are neither text nor bytes.
  std::optional<TextColumn> find(const std::string& name) const;
  // nullopt if there is no such column. Raises for other types than double.
  std::optional<NumberColumn> find_number(const std::string& name) const;

 private:
  friend class ArrowChunks;
  ArrowSchema schema_{};
  ArrowArray array_{};
};

// Iterates over the chunks of `table`. Raises TypeError if it has no Arrow interface.
class ArrowChunks {
 public:
  explicit ArrowChunks(nanobind::handle table);
  ArrowChunks(ArrowChunks&&) = delete;
  ArrowChunks(const ArrowChunks&) = delete;
  ~ArrowChunks();

  std::optional<ArrowChunk> next();

 private:
  ArrowArrayStream stream_{};
  std::optional<ArrowChunk> only_;
};

}  // namespace paraprint::python
