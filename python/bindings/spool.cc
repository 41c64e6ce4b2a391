// Pages of an iterable or of Parquet files as input of a run: they are written to a temporary file of JSON lines, which
// the run reads like any other input. Runs read their inputs more than once, which an iterable or a stream of batches
// does not allow, and these need not fit memory. The text of a row goes from Arrow to the file without becoming a
// Python object.
#include <fcntl.h>
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "arrow_input.h"
#include "module.h"
#include "options.h"
#include "paraprint/memory_pages.h"
#include "row_checks.h"

namespace paraprint::python {
namespace {

// For error paths only: finish() closes the file itself, and reports errors.
struct CloseFile {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};

// Opens a new or an empty file, which only this user can read; a link is refused. Null with errno if that fails.
std::FILE* open_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return nullptr;
  std::FILE* const file = ::fdopen(descriptor, "wb");
  if (file == nullptr) {
    const int error_number = errno;
    ::close(descriptor);
    errno = error_number;
  }
  return file;
}

// A page of Python, which sets the fields by their names.
struct GivenPage {
  nb::object body = nb::none();
  bool is_html = false;
  std::string content_type;
  std::string url;
  std::string id;
  std::string date;
  std::optional<double> score;
};

// Writes pages with unique ids to the file; its lines use the default field names, and kPlaceField instead of the id
// if the page states none. With `as_given`, they use the names in `keywords`, ids may repeat, and each page has one.
class PageSpool {
 public:
  PageSpool(std::string path, const nb::dict& keywords, const std::string& score_field, bool as_given)
      : path_(std::move(path)),
        checks_(reading_of(keywords, score_field), !as_given),
        lines_(fields_of(keywords, score_field, as_given)),
        file_(open_file(path_)) {
    if (!file_) raise_errno();
  }

  // Returns what RowChecks::check() does.
  nb::bytes add(const ArrowChunk& chunk, const std::string& content_type_field, const std::string& prefix, bool raises,
                std::int64_t first_row) {
    const RowColumns columns = row_columns(chunk, checks_.reading(), content_type_field);
    return checks_.check(columns, chunk.rows(), prefix, raises, first_row,
                         [this](std::int64_t, const Page& page) { write(page); });
  }

  // Adds one page; returns 0 or the reason, as add() does. Without an id, `row` is the one of its place.
  int add_page(const GivenPage& given, bool raises, std::int64_t row) {
    Page page = page_of(given.body, given.is_html, given.content_type, given.url);
    page.has_id_of_place = given.id.empty();
    page.id = page.has_id_of_place ? std::to_string(row) : given.id;
    page.date = given.date;
    if (given.score && std::isfinite(*given.score)) page.score = given.score;
    const std::uint64_t limit = checks_.reading().max_body_bytes;
    if (page.body.size() > limit) {
      if (!raises) return 2;
      raise({ErrorCode::kInvalidArgument,
             fmt::format("page {}: {} bytes, more than {} (max_body_bytes)", row, page.body.size(), limit)});
    }
    const char defect = checks_.check_id(page.id, raises, row);
    if (defect == 0) write(page);
    return defect;
  }

  // Completes and closes the file. Its modification time is set to a constant, so that a repeated call with the same
  // pages is the same input, and the run resumes.
  void finish() {
    if (file_ && std::fclose(file_.release()) != 0) raise_errno();
    const timespec unchanging[2] = {};
    if (utimensat(AT_FDCWD, path_.c_str(), unchanging, AT_SYMLINK_NOFOLLOW) != 0) raise_errno();
  }

  std::uint64_t pages() const { return begins_.size(); }

  // The number of the page, from 0, whose line begins at this byte of the file.
  std::uint64_t number_of(std::uint64_t begin) const {
    const auto found = std::lower_bound(begins_.begin(), begins_.end(), begin);
    if (found == begins_.end() || *found != begin) throw nb::index_error("no page begins there");
    return static_cast<std::uint64_t>(found - begins_.begin());
  }

 private:
  static ReadOptions fields_of(const nb::dict& keywords, const std::string& score_field, bool as_given) {
    ReadOptions fields = reading_of(as_given ? keywords : nb::dict(), score_field);
    if (!as_given) fields.place_field = kPlaceField;
    return fields;
  }

  void write(const Page& page) {
    const std::string_view body =
        page.body_is_utf8 ? page.body : decoder_.decode(page.body, page.content_type, page.format);
    const std::string line = lines_.line(page, body);
    if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size()) raise_errno();
    if (std::fputc('\n', file_.get()) == EOF) raise_errno();
    begins_.push_back(size_bytes_);
    size_bytes_ += line.size() + 1;
  }

  [[noreturn]] void raise_errno() const {
    raise({errno == ENOSPC ? ErrorCode::kNoSpace : ErrorCode::kInputOutput,
           fmt::format("{}: {}", path_, std::strerror(errno))});
  }

  std::string path_;
  RowChecks checks_;
  PageLineWriter lines_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  BodyDecoder decoder_;
  std::vector<std::uint64_t> begins_;  // of the pages' lines
  std::uint64_t size_bytes_ = 0;
};

// Returns one byte per row: 1 if its id (or `prefix` and its number) is in the set.
// Ids are generated as in set_names(), so that rows get the same names again.
nb::bytes find_ids(const IdSet& ids, const ArrowChunk& chunk, const std::string& id_field, const std::string& prefix,
                   std::int64_t first_row) {
  const std::optional<TextColumn> column = chunk.is_struct() ? chunk.find(id_field) : std::nullopt;
  std::string found(static_cast<std::size_t>(chunk.rows()), '\0');
  for (std::int64_t r = 0; r < chunk.rows(); ++r) {
    const bool is_in =
        column ? ids.contains(column->at(r).value_or("")) : ids.contains(fmt::format("{}{}", prefix, first_row + r));
    found[static_cast<std::size_t>(r)] = is_in ? 1 : 0;
  }
  return nb::bytes(found.data(), found.size());
}

}  // namespace

void bind_spool(nb::module_& module) {
  nb::class_<GivenPage>(module, "GivenPage")
      .def(nb::init<>())
      .def_rw("body", &GivenPage::body)
      .def_rw("is_html", &GivenPage::is_html)
      .def_rw("content_type", &GivenPage::content_type)
      .def_rw("url", &GivenPage::url)
      .def_rw("id", &GivenPage::id)
      .def_rw("date", &GivenPage::date)
      .def_rw("score", &GivenPage::score, nb::arg().none());
  module.attr("PLACE_FIELD") = text(kPlaceField);
  module.attr("PAGE_NAME_BYTES_MAXIMUM") = kPageNameBytesMaximum;
  nb::class_<PageSpool>(module, "PageSpool")
      .def(nb::init<SystemPath, const nb::dict&, const std::string&, bool>(), nb::arg("path"), nb::arg("keywords"),
           nb::arg("score_field") = "", nb::arg("as_given") = false)
      .def("add", &PageSpool::add, nb::arg("chunk"), nb::arg("content_type_field"), nb::arg("prefix"),
           nb::arg("raises"), nb::arg("first_row"))
      .def("add_page", &PageSpool::add_page, nb::arg("page"), nb::arg("raises"), nb::arg("row"))
      .def("finish", &PageSpool::finish)
      .def("number_of", &PageSpool::number_of, nb::arg("begin"))
      .def_prop_ro("pages", &PageSpool::pages);
  nb::class_<IdSet>(module, "IdSet")
      .def(nb::init<>())
      .def(
          "insert", [](IdSet& ids, const std::string& id) { return ids.insert(id); }, nb::arg("id"))
      .def("find", find_ids, nb::arg("chunk"), nb::arg("id_field"), nb::arg("prefix"), nb::arg("first_row"));
}

}  // namespace paraprint::python
