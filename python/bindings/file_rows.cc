// The package opens files and decodes them into batches (datasets.py); here batches become pages. A run reads the pages
// in order, and some again later, so the number of the first page of every batch is kept, and a page is found by it.
#include "file_rows.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "options.h"

namespace paraprint::python {

FileRows::FileRows(const nb::dict& keywords, std::string content_type_field, const std::string& score_field,
                   nb::object reader, Files files)
    : checks_(reading_of(keywords, score_field)),
      content_type_field_(std::move(content_type_field)),
      reader_(std::move(reader)),
      files_(std::move(files)) {}

nb::bytes FileRows::check(const ArrowChunk& chunk, const std::string& prefix, bool raises, std::int64_t first_row) {
  const RowColumns columns = row_columns(chunk, checks_.reading(), content_type_field_);
  return checks_.check(columns, chunk.rows(), prefix, raises, first_row, {});
}

void FileRows::complete() {
  while (load(first_pages_.size())) {
  }
}

void FileRows::rethrow() const {
  if (exception_) std::rethrow_exception(exception_);
}

Result<bool> FileRows::find(std::uint64_t position, Page& page) const {
  if (!has(position)) {
    const nb::gil_scoped_acquire held;
    try {
      if (!load_batch_of(position)) return false;
    } catch (const nb::python_error&) {
      exception_ = std::current_exception();
      return failure(ErrorCode::kInputOutput, files_.name + ": the rows cannot be read");
    }
  }
  const std::int64_t row = batch_.rows[position - batch_.first_page];
  set_decoded_page(batch_.columns, row, batch_.prefix, batch_.first_row + row, decoder_, page);
  return true;
}

// A page beyond the batches read so far is searched in those that follow, of which some may have no pages.
bool FileRows::load_batch_of(std::uint64_t position) const {
  if (position < pages_) {
    const auto after = std::upper_bound(first_pages_.begin(), first_pages_.end(), position);
    return load(static_cast<std::size_t>(after - first_pages_.begin()) - 1) && has(position);
  }
  while (position >= pages_) {
    if (!load(first_pages_.size())) return false;
  }
  return true;
}

bool FileRows::load(std::size_t number) const {
  const nb::object found = reader_.attr("batch")(nb::find(*this), number);
  if (found.is_none()) return false;
  Batch batch;
  batch.owner = found[0];
  batch.chunk = nb::cast<const ArrowChunk*>(batch.owner);
  batch.columns = row_columns(*batch.chunk, checks_.reading(), content_type_field_);
  batch.prefix = nb::cast<std::string>(found[1]);
  batch.first_row = nb::cast<std::int64_t>(found[2]);
  const nb::bytes bytes = nb::cast<nb::bytes>(found[3]);
  const std::string_view outcome(bytes.c_str(), bytes.size());
  for (std::size_t row = 0; row < outcome.size(); ++row) {
    if (outcome[row] == 0) batch.rows.push_back(static_cast<std::uint32_t>(row));
  }
  batch.bytes_done = nb::cast<std::uint64_t>(found[4]);
  if (number == first_pages_.size()) {
    first_pages_.push_back(pages_);
    pages_ += batch.rows.size();
  }
  batch.first_page = first_pages_[number];
  batch_ = std::move(batch);
  return true;
}

void bind_file_rows(nb::module_& module) {
  nb::class_<FileRows>(module, "FileRows")
      .def(
          "__init__",
          [](FileRows* made, const nb::dict& keywords, std::string content_type_field, const std::string& score_field,
             nb::object reader, std::string name, std::string digest, std::uint64_t size_bytes) {
            new (made) FileRows(keywords, std::move(content_type_field), score_field, std::move(reader),
                                {std::move(name), std::move(digest), size_bytes});
          },
          nb::arg("keywords"), nb::arg("content_type_field"), nb::arg("score_field"), nb::arg("reader"),
          nb::arg("name"), nb::arg("digest"), nb::arg("size_bytes"))
      .def("check", &FileRows::check, nb::arg("chunk"), nb::arg("prefix"), nb::arg("raises"), nb::arg("first_row"))
      .def("complete", &FileRows::complete);
}

}  // namespace paraprint::python
