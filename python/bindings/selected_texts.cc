// Copies of the texts of some rows, into memory that Python has allocated in their exact size. Arrow's own selection
// guesses the size, doubles what was too small, and takes up to twice the memory.
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "arrow_input.h"
#include "module.h"
#include "paraprint/result.h"
#include "writable_memory.h"

namespace paraprint::python {
namespace {

// Calls visit(text) for each row whose byte in `wanted` is not 0; the text of a null is empty.
template <class Visit>
void for_each_wanted(const TextColumn& column, std::int64_t rows, const char* wanted, const Visit& visit) {
  for (std::int64_t row = 0; row < rows; ++row) {
    if (wanted[row] != 0) visit(column.at(row).value_or(std::string_view()));
  }
}

TextColumn column_of(const ArrowChunk& chunk, const nb::bytes& wanted) {
  std::optional<TextColumn> column = chunk.find("");
  if (column && static_cast<std::int64_t>(wanted.size()) == chunk.rows()) return std::move(*column);
  raise({ErrorCode::kInvalidArgument, "select texts of one column, with a byte per row"});
}

std::size_t selected_bytes(const ArrowChunk& chunk, const nb::bytes& wanted) {
  const TextColumn column = column_of(chunk, wanted);
  const nb::gil_scoped_release released;
  std::size_t size = 0;
  for_each_wanted(column, chunk.rows(), wanted.c_str(), [&](std::string_view text) { size += text.size(); });
  return size;
}

// Writes the texts one after the other, and where each begins and the last one ends.
template <class Offset>
void copy_texts(const TextColumn& column, std::int64_t rows, const char* wanted, const WritableMemory& offsets,
                const WritableMemory& bytes) {
  Offset end = 0;
  char* next_offset = offsets.data();
  const auto write_offset = [&] {
    std::memcpy(next_offset, &end, sizeof end);
    next_offset += sizeof end;
  };
  write_offset();
  for_each_wanted(column, rows, wanted, [&](std::string_view text) {
    if (!text.empty()) std::memcpy(bytes.data() + end, text.data(), text.size());
    end += static_cast<Offset>(text.size());
    write_offset();
  });
}

// The sizes are checked first: what is written follows from the chunk and `wanted` alone.
void copy_selected(const ArrowChunk& chunk, const nb::bytes& wanted, nb::handle offsets, nb::handle bytes) {
  const TextColumn column = column_of(chunk, wanted);
  const WritableMemory offset_memory(offsets);
  const WritableMemory byte_memory(bytes);
  std::size_t rows = 0;
  for (std::size_t row = 0; row < wanted.size(); ++row) rows += wanted.c_str()[row] != 0 ? 1 : 0;
  const bool is_wide = offset_memory.size_bytes() == (rows + 1) * sizeof(std::int64_t);
  const bool is_narrow = offset_memory.size_bytes() == (rows + 1) * sizeof(std::int32_t);
  if ((!is_wide && !is_narrow) || byte_memory.size_bytes() != selected_bytes(chunk, wanted)) {
    raise({ErrorCode::kInvalidArgument, "the memory for the selected texts has another size"});
  }
  const nb::gil_scoped_release released;
  const auto copy = is_wide ? copy_texts<std::int64_t> : copy_texts<std::int32_t>;
  copy(column, chunk.rows(), wanted.c_str(), offset_memory, byte_memory);
}

}  // namespace

void bind_selected_texts(nb::module_& module) {
  module.def("selected_bytes", selected_bytes, nb::arg("chunk"), nb::arg("wanted"));
  module.def("copy_selected", copy_selected, nb::arg("chunk"), nb::arg("wanted"), nb::arg("offsets"), nb::arg("bytes"));
}

}  // namespace paraprint::python
