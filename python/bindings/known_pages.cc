// The index of known pages. Answers cross to Python as the JSON of index_json.h, with the same fields as in the program
// and the service. Calls release the GIL, since they may wait for the disk or for other threads of the index.
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "arguments.h"
#include "interruptible.h"
#include "module.h"
#include "options.h"
#include "options/command_tables.h"
#include "paraprint/index.h"
#include "profiles.h"

namespace paraprint::python {
namespace {

// Calls `work` without the GIL, and turns its Result into a value or an exception.
template <class Work>
auto released(const Work& work) {
  auto result = [&] {
    const nb::gil_scoped_release unlocked;
    return work();
  }();
  if (!result) raise(result.error());
  if constexpr (!std::is_same_v<decltype(result), Status>) return std::move(*result);
}

// An index that can be closed. After closing, every further call raises. Calls that other threads are in end as usual:
// each shares the index, and the last one releases the folder. The pointer itself is guarded by the GIL.
class HeldIndex {
 public:
  explicit HeldIndex(std::shared_ptr<PageIndex> index) : index_(std::move(index)) {}

  std::shared_ptr<PageIndex> get() const {
    if (!index_) raise({ErrorCode::kInvalidArgument, "the index is closed"});
    return index_;
  }
  bool is_closed() const { return !index_; }
  void close() {
    // Emptied first, so that calls during the closing already see a closed index.
    std::shared_ptr<PageIndex> closing = std::move(index_);
    const nb::gil_scoped_release unlocked;  // it waits for background work
    closing.reset();
  }

 private:
  std::shared_ptr<PageIndex> index_;
};

// Calls `work` with the open index and without the GIL. The index is let go before the GIL is taken again: if it was
// closed meanwhile, this ends it, which waits for background work.
template <class Work>
auto with_open(const HeldIndex& index, const Work& work) {
  std::shared_ptr<PageIndex> opened = index.get();
  return released([&] {
    auto result = work(*opened);
    opened.reset();
    return result;
  });
}

// The same for calls that may take long, which Ctrl-C ends: work(index, control).
template <class Work>
auto with_open_until_stopped(const HeldIndex& index, const Work& work) {
  std::shared_ptr<PageIndex> opened = index.get();
  auto result = interruptible([&](const std::atomic<bool>& stop) {
    RunControl control;
    control.stop = &stop;
    auto made = work(*opened, control);
    opened.reset();
    return made;
  });
  if (!result) raise(result.error());
  if constexpr (!std::is_same_v<decltype(result), Status>) return std::move(*result);
}

// Id, URL and date of a page, from the package's tuple.
struct PageFields {
  std::string id;
  std::string url;
  std::string date;
  explicit PageFields(const nb::tuple& names)
      : id(given_id(nb::object(names[0]))),
        url(given_text(nb::object(names[1]), "the URL")),
        date(given_text(nb::object(names[2]), "the date")) {}
  IndexPageInput input(const HeldProfile& profile) const {
    IndexPageInput input;
    input.id = id;
    input.url = url;
    input.date = date;
    input.profile = &profile.value;
    input.fingerprint = &profile.fingerprint;
    input.origin = profile.origin;
    input.settings = profile.settings;
    return input;
  }
};

// From (published_from, published_until, source, site).
StatementFilter filter_of(const nb::tuple& filter) {
  const auto text_of = [&](std::size_t place, std::string_view name) { return given_text(filter[place], name); };
  return {text_of(0, "published_from"), text_of(1, "published_until"), text_of(2, "source"), text_of(3, "site")};
}

// From (evidence, maximum matches, all, filter).
LookupOptions lookup_options(const nb::tuple& asked) {
  LookupOptions options;
  options.evidence = given<bool>(asked[0], "evidence");
  options.matches = given<std::uint32_t>(asked[1], "matches");
  options.all = given<bool>(asked[2], "all");
  options.filter = filter_of(nb::cast<nb::tuple>(asked[3]));
  return options;
}

// `settings` is the identity of the package's profiler, with which an existing index must be comparable.
std::unique_ptr<HeldIndex> open_index(const SystemPath& folder, const std::string& settings, bool create,
                                      bool read_only, const std::string& sync, const nb::dict& keywords) {
  const CallOptions call = options_of("index", keywords);
  IndexOptions options;
  options.identity = settings;
  options.algorithm = call.profile.algorithm;
  options.match = call.match;
  options.candidates = call.candidates;
  options.create_if_missing = create;
  options.read_only = read_only;
  for (const auto& row : index_option_rows()) {
    if (row.name == "sync") check(set_option(row, options, std::vector<std::string>{sync}));
  }
  return std::make_unique<HeldIndex>(released([&] { return PageIndex::open(folder, options); }));
}

// Returns the line that `paraprint index find` prints.
nb::str lookup(const HeldIndex& index, const HeldProfile& profile, const nb::tuple& names, const nb::tuple& asked) {
  const PageFields fields(names);
  const IndexPageInput input = fields.input(profile);
  const LookupOptions options = lookup_options(asked);
  return text(lookup_json(input, with_open(index, [&](PageIndex& opened) { return opened.lookup(input, options); })));
}

// Returns the line that `paraprint index add` prints.
nb::str lookup_or_add(const HeldIndex& index, const HeldProfile& profile, const nb::tuple& names,
                      const nb::tuple& asked, bool copies, bool replace_known) {
  const PageFields fields(names);
  const IndexPageInput input = fields.input(profile);
  AddOptions options;
  options.lookup = lookup_options(asked);
  options.copies = copies;
  options.replace_known = replace_known;
  return text(
      added_json(input, with_open(index, [&](PageIndex& opened) { return opened.lookup_or_add(input, options); })));
}

// Returns the change: "new", "unchanged" or "changed".
nb::str add(const HeldIndex& index, const HeldProfile& profile, const nb::tuple& names) {
  const PageFields fields(names);
  return text(page_change_name(with_open(index, [&](PageIndex& opened) { return opened.add(fields.input(profile)); })));
}

nb::list pages_of_cluster(const HeldIndex& index, nb::handle id_given, nb::handle limit_given) {
  const std::string id = given_id(id_given);
  const auto limit = given<std::size_t>(limit_given, "limit");
  nb::list pages;
  for (const IndexedPage& page : with_open(index, [&](PageIndex& opened) { return opened.get_cluster(id, limit); })) {
    pages.append(text(stored_page_json(page, nullptr)));
  }
  return pages;
}

// Returns the line that `paraprint index provenance` prints.
nb::str trace(const HeldIndex& index, nb::handle id_given, nb::handle pages, const nb::tuple& filter) {
  const std::string id = given_id(id_given);
  TraceOptions options;
  options.pages = given<std::uint32_t>(pages, "pages");
  options.filter = filter_of(filter);
  return text(trace_json(id, with_open_until_stopped(index, [&](PageIndex& opened, const RunControl& control) {
                           return opened.trace(id, options, control);
                         })));
}

// At most `limit` ids after `id`, in byte order, each so that it finds its page, and that the next call goes on after
// it: an id may be no UTF-8.
nb::list ids_after(const HeldIndex& index, nb::handle id_given, std::size_t limit) {
  const std::string id = given_id(id_given);
  nb::list list;
  for (const std::string& found : with_open(index, [&](PageIndex& opened) { return opened.ids_after(id, limit); })) {
    list.append(id_text(found));
  }
  return list;
}

// Returns (pages, texts, keys, findings as (what, advice), number of findings left out).
nb::tuple verify(const HeldIndex& index, bool with_search_tables) {
  const VerifyOutcome verified = with_open_until_stopped(
      index, [&](PageIndex& opened, const RunControl& control) { return opened.verify(with_search_tables, control); });
  nb::list findings;
  for (const IndexFinding& finding : verified.findings) {
    findings.append(nb::make_tuple(text(finding.what), text(finding.advice)));
  }
  return nb::make_tuple(verified.pages, verified.texts, verified.keys, findings, verified.findings_left_out);
}

// Deleting, checking and copying an index.
void bind_care(nb::class_<HeldIndex>& type) {
  type.def(
          "remove",
          [](const HeldIndex& index, nb::handle id_given) {
            const std::string id = given_id(id_given);
            return with_open(index, [&](PageIndex& opened) { return opened.remove(id); });
          },
          nb::arg("id"))
      .def(
          "expire",
          [](const HeldIndex& index, nb::handle given_seconds) {
            const auto seen_before_seconds = given<std::uint64_t>(given_seconds, "seen_before");
            return with_open_until_stopped(index, [&](PageIndex& opened, const RunControl& control) {
              return opened.expire(seen_before_seconds, control);
            });
          },
          nb::arg("seen_before_seconds"))
      .def("statistics",
           [](const HeldIndex& index) {
             return text(statistics_json(with_open(index, [&](PageIndex& opened) { return opened.statistics(); })));
           })
      .def("verify", verify, nb::arg("with_search_tables"))
      .def("compact",
           [](const HeldIndex& index) {
             with_open_until_stopped(
                 index, [&](PageIndex& opened, const RunControl& control) { return opened.compact(control); });
           })
      .def(
          "backup",
          [](const HeldIndex& index, const SystemPath& folder) {
            with_open_until_stopped(
                index, [&](PageIndex& opened, const RunControl& control) { return opened.backup(folder, control); });
          },
          nb::arg("folder"))
      .def("snapshot",
           [](const HeldIndex& index) {
             with_open_until_stopped(
                 index, [&](PageIndex& opened, const RunControl& control) { return opened.snapshot(control); });
           })
      .def("refresh",
           [](const HeldIndex& index) {
             return with_open_until_stopped(
                 index, [&](PageIndex& opened, const RunControl& control) { return opened.refresh(control); });
           })
      .def("sync", [](const HeldIndex& index) { with_open(index, [&](PageIndex& opened) { return opened.sync(); }); });
}

}  // namespace

void bind_known_pages(nb::module_& module) {
  nb::class_<HeldIndex> type(module, "Index");
  type.def("lookup", lookup, nb::arg("profile"), nb::arg("names"), nb::arg("asked"))
      .def("lookup_or_add", lookup_or_add, nb::arg("profile"), nb::arg("names"), nb::arg("asked"), nb::arg("copies"),
           nb::arg("replace_known"))
      .def("add", add, nb::arg("profile"), nb::arg("names"))
      .def(
          "get",
          [](const HeldIndex& index, nb::handle id_given) {
            const std::string id = given_id(id_given);
            return text(stored_page_json(with_open(index, [&](PageIndex& opened) { return opened.get(id); }), nullptr));
          },
          nb::arg("id"))
      .def(
          "find_by_url",
          [](const HeldIndex& index, nb::handle url_given) {
            const std::string url = given_text(url_given, "the URL");
            return text(stored_page_json(with_open(index, [&](PageIndex& opened) { return opened.find_by_url(url); }),
                                         nullptr));
          },
          nb::arg("url"))
      .def(
          "profile",
          [](const HeldIndex& index, nb::handle id_given) {
            const std::string id = given_id(id_given);
            const std::string settings = index.get()->identity();
            return HeldProfile{with_open(index, [&](PageIndex& opened) { return opened.get_profile(id); }), settings};
          },
          nb::arg("id"))
      .def("cluster", pages_of_cluster, nb::arg("id"), nb::arg("limit"))
      .def("trace", trace, nb::arg("id"), nb::arg("pages"), nb::arg("filter"))
      .def("ids_after", ids_after, nb::arg("id"), nb::arg("limit"))
      .def("close", &HeldIndex::close)
      .def_prop_ro("is_closed", &HeldIndex::is_closed)
      .def_prop_ro("settings", [](const HeldIndex& index) { return text(index.get()->identity()); });
  bind_care(type);
  module.def("open_index", open_index, nb::arg("folder"), nb::arg("settings"), nb::arg("create"), nb::arg("read_only"),
             nb::arg("sync"), nb::arg("keywords"),
             nb::sig("def open_index(folder: str, settings: str, create: bool, read_only: bool, sync: str, "
                     "keywords: dict) -> Index"));
}

}  // namespace paraprint::python
