// Columns for Python, built row by row and exported through the Arrow C data interface without a copy.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_interface.h"
#include "paraprint/result.h"

namespace paraprint::python {

enum class ColumnType : std::uint8_t { kText, kBytes, kHash, kInteger, kReal, kBoolean };  // as in kFormats

class OutputColumn {
 public:
  OutputColumn(std::string name, ColumnType type);

  void append_null();
  // kLimitExceeded if a column of one batch would exceed 2 GiB: every reader supports 32-bit offsets, but not 64-bit
  // ones.
  Status append(std::string_view bytes);  // 16 bytes for a hash
  void append(std::int64_t number);
  void append(double number);
  void append(bool value);

  std::int64_t rows() const { return rows_; }

 private:
  friend class OutputBatch;
  void set_valid(bool is_valid);
  const void* values() const;  // of a column with a fixed width

  std::string name_;
  ColumnType type_;
  std::int64_t rows_ = 0;
  std::int64_t nulls_ = 0;
  std::vector<std::uint8_t> validity_;
  std::vector<std::int32_t> offsets_;
  std::string bytes_;
  std::vector<std::int64_t> numbers_;
  std::vector<double> reals_;
  std::vector<std::uint8_t> bits_;  // of booleans, lowest bit first
  std::array<const void*, 3> buffers_{};
};

// An immutable record batch with __arrow_c_array__ in Python. It can be exported any number of times; the columns live
// until the last consumer releases them.
class OutputBatch {
 public:
  explicit OutputBatch(std::vector<OutputColumn> columns);

  std::int64_t rows() const;
  nanobind::object schema_capsule() const;
  nanobind::tuple capsules() const;  // (arrow_schema, arrow_array)

 private:
  std::shared_ptr<std::vector<OutputColumn>> columns_;
};

}  // namespace paraprint::python
