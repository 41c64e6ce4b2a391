// Blocks of known texts for drivers of divided runs, and their way from an index of known pages and back.
#include "paraprint/known_folder.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <string>
#include <utility>

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

// Calls write(kind, bytes) for each parcel. An exception of it ends the call, and is raised.
std::uint32_t make_tables(const PageIndex& index, std::uint64_t memory_bytes, const std::string& temporary_folder,
                          const nb::callable& write) {
  std::exception_ptr raised;
  auto made = [&] {
    const nb::gil_scoped_release released;
    return make_known_tables(index, memory_bytes, temporary_folder, [&](Parcel&& parcel) -> Status {
      const nb::gil_scoped_acquire acquired;
      try {
        write(std::string(parcel.kind), nb::bytes(parcel.bytes.data(), parcel.bytes.size()));
        return {};
      } catch (...) {
        raised = std::current_exception();
        return tl::unexpected<Error>(Error{ErrorCode::kCancelled, "the tables could not be written"});
      }
    });
  }();
  if (raised) std::rethrow_exception(raised);
  return take(std::move(made));
}

}  // namespace

void bind_known_folder(nb::module_& module) {
  module.def("read_known_blocks", &blocks_list);
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
             return take(std::move(added));
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
