// Blocks of known texts for drivers of divided runs, and their way from an index of known pages and back.
#include "paraprint/known_folder.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "module.h"

namespace paraprint::python {
namespace {

// (first key, last key, bytes) of each block in a parcel.
nb::list blocks_list(const nb::bytes& parcel) {
  nb::list list;
  for (const KnownBlock& block : take(read_known_blocks({parcel.c_str(), parcel.size()}))) {
    list.append(nb::make_tuple(block.first_key, block.last_key, nb::bytes(block.bytes.data(), block.bytes.size())));
  }
  return list;
}

std::unique_ptr<PageIndex> index_at(const std::string& folder, const IndexOptions& options) {
  auto opened = [&] {
    const nb::gil_scoped_release released;
    return PageIndex::open(folder, options);
  }();
  return take(std::move(opened));
}

// Python functions that a call without Python's lock uses. An exception of them ends the call, and is raised.
class Callbacks {
 public:
  // What run() returns, which may use the functions below.
  template <class Run>
  auto result_of(Run&& run) {
    auto made = [&] {
      const nb::gil_scoped_release released;
      return run();
    }();
    if (raised_) std::rethrow_exception(raised_);
    return take(std::move(made));
  }

  // write(kind, bytes) of a parcel.
  Status give(const nb::callable& write, const Parcel& parcel) {
    return called([&]() -> Status {
      write(std::string(parcel.kind), nb::bytes(parcel.bytes.data(), parcel.bytes.size()));
      return {};
    });
  }
  // The bytes of next_block(run); none for None.
  Result<std::optional<std::string>> next(const nb::callable& next_block, std::uint32_t run) {
    return called([&]() -> Result<std::optional<std::string>> {
      const nb::object block = next_block(run);
      if (block.is_none()) return std::nullopt;
      const auto bytes = nb::cast<nb::bytes>(block);
      return std::string(bytes.c_str(), bytes.size());
    });
  }

 private:
  template <class Call>
  std::invoke_result_t<Call> called(Call&& call) {
    const nb::gil_scoped_acquire acquired;
    try {
      return call();
    } catch (...) {
      raised_ = std::current_exception();
      return tl::unexpected<Error>(Error{ErrorCode::kCancelled, "a table could not be read or written"});
    }
  }

  std::exception_ptr raised_;
};

std::uint32_t make_tables(const PageIndex& index, std::uint64_t memory_bytes, const std::string& temporary_folder,
                          const nb::callable& write) {
  Callbacks callbacks;
  return callbacks.result_of([&] {
    return make_known_tables(index, memory_bytes, temporary_folder,
                             [&](Parcel&& parcel) { return callbacks.give(write, parcel); });
  });
}

std::uint64_t merge_table(const std::string& table, const std::vector<std::uint64_t>& first_texts,
                          const nb::callable& next_block, const nb::callable& write) {
  Callbacks callbacks;
  return callbacks.result_of([&] {
    return merge_known_table(
        table, first_texts, [&](std::uint32_t run) { return callbacks.next(next_block, run); },
        [&](Parcel&& parcel) { return callbacks.give(write, parcel); });
  });
}

}  // namespace

void bind_known_folder(nb::module_& module) {
  module.def("read_known_blocks", &blocks_list);
  module.def("merge_known_table", &merge_table);
  nb::class_<PageIndex>(module, "OpenedIndex")
      .def_static("open",
                  [](const std::string& folder) {
                    IndexOptions options;
                    options.read_only = true;
                    return index_at(folder, options);
                  })
      // Changes are synced by sync().
      .def_static("create",
                  [](const std::string& folder, const std::string& identity) {
                    IndexOptions options;
                    options.identity = identity;
                    options.sync = SyncMode::kNone;
                    return index_at(folder, options);
                  })
      .def("identity", &PageIndex::identity)
      .def("make_known_tables", &make_tables)
      .def("add_known_texts",
           [](PageIndex& index, const nb::bytes& texts) {
             auto added = [&] {
               const nb::gil_scoped_release released;
               return add_known_texts(index, {texts.c_str(), texts.size()});
             }();
             const AddedTexts texts_added = take(std::move(added));
             return nb::make_tuple(texts_added.added, texts_added.left_out);
           })
      .def("sync", [](PageIndex& index) {
        const auto synced = [&] {
          const nb::gil_scoped_release released;
          return index.sync();
        }();
        check(synced);
      });
}

}  // namespace paraprint::python
