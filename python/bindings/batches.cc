// Batches of pages: Arrow columns in, Arrow columns out, on several threads without the GIL. All Python objects are
// touched before the threads start and after they have ended. Results are stored by row, so their order does not depend
// on threads.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "arrow_input.h"
#include "arrow_output.h"
#include "interruptible.h"
#include "module.h"
#include "options.h"
#include "page_rows.h"
#include "paraprint/memory_pages.h"
#include "profiler_pool.h"
#include "run_on_threads.h"

namespace paraprint::python {
namespace {

// Rows that a thread takes at once: few enough for threads to finish together, enough to make taking them cheap.
constexpr std::int64_t kRowsAtOnce = 8;

// With `raises`, the first row that is not a page raises an exception with column and row.
std::vector<RowContent> page_rows(const ArrowChunk& chunk, const PageColumns& columns, const ReadOptions& reading,
                                  bool raises, std::int64_t first_row) {
  std::vector<RowContent> rows(static_cast<std::size_t>(chunk.rows()));
  for (std::int64_t r = 0; r < chunk.rows(); ++r) {
    RowContent& row = rows[static_cast<std::size_t>(r)];
    row = page_row(columns, r, reading);
    if (!row.defect.empty() && raises) raise_row(columns, row, first_row + r, reading);
  }
  return rows;
}

// Calls work(profiler, page, row, control) once for every row with a page, on `threads` threads without the GIL. A page
// that was left in the middle has no result: the call ends with KeyboardInterrupt then.
template <class Work>
void on_every_page(ProfilerPool& pool, const PageColumns& columns, const std::vector<RowContent>& rows,
                   unsigned threads, const Work& work) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const std::int64_t wanted = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  const auto used = static_cast<std::size_t>(std::clamp<std::int64_t>(count / kRowsAtOnce, 1, wanted));
  // Borrowed here and not on the threads, because creating a profiler can fail, and raising needs the GIL.
  std::vector<ProfilerPool::Lease> profilers;
  for (std::size_t i = 0; i < used; ++i) profilers.push_back(take(pool.borrow()));
  std::atomic<std::int64_t> next{0};
  const auto run = [&](Profiler& profiler, const std::atomic<bool>& stop) {
    Page page;
    RunControl control;
    control.stop = &stop;
    for (std::int64_t begin = next.fetch_add(kRowsAtOnce); begin < count && !stop.load(std::memory_order_relaxed);
         begin = next.fetch_add(kRowsAtOnce)) {
      for (std::int64_t r = begin; r < std::min(count, begin + kRowsAtOnce); ++r) {
        const RowContent& row = rows[static_cast<std::size_t>(r)];
        if (!row.defect.empty()) continue;
        set_page(columns, row, r, page);
        work(profiler, page, static_cast<std::size_t>(r), control);
      }
    }
  };
  interruptible([&](const std::atomic<bool>& stop) {
    run_on_threads(used, [&](std::size_t i) { run(*profilers[i], stop); });
    return true;
  });
}

// A chunk that is ready to be processed: invalid rows are marked, or have raised.
struct Batch {
  CallOptions options;
  PageColumns columns;
  std::vector<RowContent> rows;
};

Batch batch_of(const ArrowChunk& chunk, const nb::dict& keywords, const std::string& content_type_field, bool raises,
               std::int64_t first_row) {
  Batch batch;
  batch.options = options_of("batch", keywords);
  batch.columns = page_columns(chunk, batch.options.reading, content_type_field);
  batch.rows = page_rows(chunk, batch.columns, batch.options.reading, raises, first_row);
  return batch;
}

// Title and text of each row; null for rows that are not pages.
OutputBatch extract_batch(ProfilerPool& pool, const ArrowChunk& chunk, const nb::dict& keywords,
                          const std::string& content_type_field, bool raises, std::int64_t first_row) {
  const Batch batch = batch_of(chunk, keywords, content_type_field, raises, first_row);
  struct Extracted {
    std::string title;
    std::string text;
  };
  std::vector<Extracted> results(batch.rows.size());
  on_every_page(pool, batch.columns, batch.rows, batch.options.resources.threads,
                [&](Profiler& profiler, const Page& page, std::size_t row, const RunControl& control) {
                  const Result<const MainContent*> content = profiler.extract(page, control);
                  if (!content) return;
                  std::string_view printed = (*content)->text;
                  while (printed.ends_with('\n')) printed.remove_suffix(1);
                  results[row] = {(*content)->title, std::string(printed)};
                });
  std::vector<OutputColumn> columns = {{"title", ColumnType::kText}, {"text", ColumnType::kText}};
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (!batch.rows[r].defect.empty()) {
      for (OutputColumn& column : columns) column.append_null();
      continue;
    }
    check(columns[0].append(results[r].title));
    check(columns[1].append(results[r].text));
  }
  return OutputBatch(std::move(columns));
}

// The text hash as 16 bytes in the order in which it is printed.
std::string big_endian(const std::array<std::uint64_t, 2>& hash) {
  std::string bytes;
  for (const std::uint64_t half : hash) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift & 0xFF);
  }
  return bytes;
}

// Encoded profile, text hash and content characters of each row; null for rows that are not pages.
OutputBatch profile_batch(ProfilerPool& pool, const ArrowChunk& chunk, const nb::dict& keywords,
                          const std::string& content_type_field, bool raises, std::int64_t first_row) {
  const Batch batch = batch_of(chunk, keywords, content_type_field, raises, first_row);
  struct Profiled {
    std::string bytes;
    std::array<std::uint64_t, 2> text_hash{};
    std::uint32_t content_characters = 0;
  };
  std::vector<Profiled> results(batch.rows.size());
  on_every_page(pool, batch.columns, batch.rows, batch.options.resources.threads,
                [&](Profiler& profiler, const Page& page, std::size_t row, const RunControl& control) {
                  const Result<const Profile*> made = profiler.profile(page, control);
                  if (!made) return;
                  const Profile& profile = **made;
                  results[row] = {profile_bytes(profile), profile.text_hash, profile.content_characters};
                });
  std::vector<OutputColumn> columns = {
      {"profile", ColumnType::kBytes}, {"text_hash", ColumnType::kHash}, {"content_characters", ColumnType::kInteger}};
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (!batch.rows[r].defect.empty()) {
      for (OutputColumn& column : columns) column.append_null();
      continue;
    }
    check(columns[0].append(results[r].bytes));
    check(columns[1].append(big_endian(results[r].text_hash)));
    columns[2].append(std::int64_t{results[r].content_characters});
  }
  return OutputBatch(std::move(columns));
}

}  // namespace

void bind_batches(nb::module_& module) {
  nb::class_<ArrowChunk>(module, "ArrowChunk")
      .def_prop_ro("rows", &ArrowChunk::rows)
      .def_prop_ro("column_names", &ArrowChunk::column_names);
  nb::class_<ArrowChunks>(module, "ArrowChunks")
      .def(
          "__init__", [](ArrowChunks* self, nb::handle table) { new (self) ArrowChunks(table); }, nb::arg("table"))
      .def("next", &ArrowChunks::next);
  nb::class_<OutputBatch>(module, "ArrowBatch",
                          "A record batch for pyarrow, pandas or polars, through __arrow_c_array__.")
      .def("__len__", &OutputBatch::rows)
      .def("__arrow_c_schema__", &OutputBatch::schema_capsule)
      .def(
          // requested_schema is a wish, which a producer may ignore.
          "__arrow_c_array__", [](const OutputBatch& batch, nb::handle) { return batch.capsules(); },
          nb::arg("requested_schema") = nb::none());
  const auto define = [&](const char* name, auto function) {
    module.def(name, function, nb::arg("profiler"), nb::arg("chunk"), nb::arg("keywords"),
               nb::arg("content_type_field"), nb::arg("raises"), nb::arg("first_row"));
  };
  define("extract_batch", extract_batch);
  define("profile_batch", profile_batch);
}

}  // namespace paraprint::python
