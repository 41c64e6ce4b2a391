// A run reads each page of a table at least twice: once here, for the checks and the digest, and once for its profile.
// The columns of a chunk are looked up once, and a page is found by its chunk's first position.
#include "table_pages.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

#include "options.h"

namespace paraprint::python {

TablePages::TablePages(const nb::dict& keywords, std::string content_type_field, bool is_anonymous,
                       const std::string& score_field)
    : checks_(reading_of(keywords, score_field), !is_anonymous),
      content_type_field_(std::move(content_type_field)),
      is_anonymous_(is_anonymous) {}

nb::bytes TablePages::add(OwnedChunk chunk, const std::string& prefix, bool raises, std::int64_t first_row) {
  RowColumns columns = row_columns(*chunk, checks_.reading(), content_type_field_);
  Chunk& added = chunks_.emplace_back(Chunk{std::move(chunk), std::move(columns), prefix, first_row, size_, {}});
  const auto take = [&](std::int64_t row, std::size_t body_bytes) {
    added.rows.push_back(static_cast<std::uint32_t>(row));
    size_bytes_ += body_bytes;
  };
  const std::int64_t rows = added.arrow->rows();
  if (!is_anonymous_) {
    nb::bytes outcome =
        checks_.check(added.columns, rows, prefix, raises, first_row, [&](std::int64_t row, const Page& page) {
          take(row, page.body.size());
          digest_.add(page);
        });
    size_ += added.rows.size();
    return outcome;
  }
  nb::bytes outcome = checks_.check(added.columns, rows, prefix, raises, first_row, {});
  for (std::int64_t row = 0; row < rows; ++row) {
    if (outcome.c_str()[row] == 0) take(row, row_content(added.columns.page, row).body.size());
  }
  size_ += added.rows.size();
  return outcome;
}

std::int64_t TablePages::rows() const {
  return chunks_.empty() ? 0 : chunks_.back().first_row + chunks_.back().arrow->rows();
}

// Chunks without pages have the position of the next one, so the last chunk that does not begin after it is searched.
const TablePages::Chunk& TablePages::chunk_of(std::size_t position) const {
  const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), position,
                                      [](std::size_t at, const Chunk& chunk) { return at < chunk.first_page; });
  return *std::prev(after);
}

std::int64_t TablePages::row_of(std::size_t position) const {
  const Chunk& chunk = chunk_of(position);
  return chunk.first_row + chunk.rows[position - chunk.first_page];
}

void TablePages::read(std::size_t position, Page& page) const {
  const Chunk& chunk = chunk_of(position);
  const std::int64_t row = chunk.rows[position - chunk.first_page];
  set_decoded_page(chunk.columns, row, chunk.prefix, chunk.first_row + row, decoder_, page);
  if (is_anonymous_) page.id.clear();
}

void bind_table_pages(nb::module_& module) {
  nb::class_<TablePages>(module, "TablePages")
      .def(nb::init<const nb::dict&, std::string, bool, const std::string&>(), nb::arg("keywords"),
           nb::arg("content_type_field"), nb::arg("is_anonymous") = false, nb::arg("score_field") = "")
      .def("add", &TablePages::add, nb::arg("chunk"), nb::arg("prefix"), nb::arg("raises"), nb::arg("first_row"))
      .def_prop_ro("size_bytes", &TablePages::size_bytes)
      .def("__len__", &TablePages::size);
}

}  // namespace paraprint::python
