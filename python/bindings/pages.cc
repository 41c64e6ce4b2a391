// Single pages: extraction, profiles, comparison of two pages, and reading pages from archives. Values cross to Python
// as tuples, which the package turns into its classes; so the classes are defined once, in Python. The core runs
// without the GIL, except where it calls back.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "arguments.h"
#include "interruptible.h"
#include "module.h"
#include "options.h"
#include "paraprint/memory_pages.h"
#include "profiler_pool.h"
#include "profiles.h"

namespace paraprint::python {
namespace {

constexpr std::string_view kRoleNames[] = {"paragraph", "heading", "list-item", "table-row", "quote", "code", "title"};

// The text as `paraprint extract` prints it, without the line end of the last block.
std::string_view printed_text(const MainContent& content) {
  std::string_view printed = content.text;
  while (printed.ends_with('\n')) printed.remove_suffix(1);
  return printed;
}

// (title, text, blocks); a block is (text, role, heading level, list level, begin, end).
nb::tuple content_tuple(const MainContent& content) {
  nb::list blocks;
  for (const TextBlock& block : content.blocks) {
    const std::string_view shown =
        std::string_view(content.text).substr(block.span.begin_bytes, block.span.size_bytes());
    blocks.append(nb::make_tuple(text(shown), text(kRoleNames[static_cast<std::size_t>(block.role)]),
                                 block.heading_level, block.list_level, block.span.begin_bytes, block.span.end_bytes));
  }
  return nb::make_tuple(text(content.title), text(printed_text(content)), blocks);
}

// From this size on, a page is worth the thread that lets Ctrl-C end the call.
constexpr std::size_t kLongPageBytes = std::size_t{1} << 20;

// Calls read(control) without the GIL; while it reads a long page, Ctrl-C ends it with KeyboardInterrupt.
template <class Read>
void read_page(const Page& page, const Read& read) {
  if (page.body.size() < kLongPageBytes) {
    const nb::gil_scoped_release released;
    (void)read(RunControl{});  // cannot fail without a request to stop
    return;
  }
  (void)interruptible([&](const std::atomic<bool>& stop) {
    RunControl control;
    control.stop = &stop;
    return read(control).has_value();
  });
}

// (content, markdown, metadata), the last by name.
nb::tuple extracted_tuple(const MainContent& content, std::string_view markdown, const PageMetadata& metadata) {
  nb::dict described;
  for (const auto& [name, value] : {std::pair<const char*, const std::string&>{"language", metadata.language},
                                    {"declared_language", metadata.declared_language},
                                    {"article_title", metadata.title},
                                    {"author", metadata.author},
                                    {"site_name", metadata.site_name},
                                    {"date_published", metadata.date_published},
                                    {"date_modified", metadata.date_modified},
                                    {"source_name", metadata.source_name},
                                    {"source_url", metadata.source_url},
                                    {"canonical_url", metadata.canonical_url},
                                    {"licence_url", metadata.licence_url}}) {
    described[name] = text(value);
  }
  while (markdown.ends_with('\n')) markdown.remove_suffix(1);
  return nb::make_tuple(content_tuple(content), text(markdown), described);
}

Page given_page(nb::handle body, bool is_html, nb::handle content_type, nb::handle url) {
  return page_of(body, is_html, given_text(content_type, "the content type"), given_text(url, "the URL"));
}

nb::tuple extract_page(ProfilerPool& pool, nb::handle body, bool is_html, nb::handle content_type, nb::handle url) {
  const Page page = given_page(body, is_html, content_type, url);
  // The lease keeps the extracted content valid until it has been converted.
  ProfilerPool::Lease profiler = take(pool.borrow());
  std::string markdown;
  PageMetadata metadata;
  read_page(page, [&](const RunControl& control) -> Result<const MainContent*> {
    Result<const MainContent*> content = profiler->extract(page, control);
    if (!content) return content;
    Result<std::string> written = profiler->markdown(control);
    if (!written) return tl::unexpected<Error>(written.error());
    Result<PageMetadata> described = profiler->metadata(control);
    if (!described) return tl::unexpected<Error>(described.error());
    markdown = std::move(*written);
    metadata = std::move(*described);
    return content;
  });
  return extracted_tuple(profiler->content(), markdown, metadata);
}

HeldProfile profile_page(ProfilerPool& pool, nb::handle body, bool is_html, nb::handle content_type, nb::handle url,
                         bool with_origin) {
  const Page page = given_page(body, is_html, content_type, url);
  ProfilerPool::Lease profiler = take(pool.borrow());
  HeldProfile held;
  read_page(page, [&](const RunControl& control) {
    Result<const Profile*> profile = profiler->profile(page, control);
    if (profile) held = {**profile, profiler->settings_identity(), profiler->fingerprint()};
    if (!profile || !with_origin) return profile;
    Result<std::string> origin = profiler->origin(control);
    if (!origin) return Result<const Profile*>(tl::unexpected<Error>(origin.error()));
    held.origin = std::move(*origin);
    return profile;
  });
  return held;
}

// A page from the package's tuple (body, is_html, content_type, url, id, date).
Page page_of_tuple(const nb::tuple& fields) {
  Page page = given_page(fields[0], given<bool>(fields[1], "is_html"), fields[2], fields[3]);
  page.id = given_text(fields[4], "the id");
  page.date = given_text(fields[5], "the date");
  return page;
}

// (compared, content_a, content_b, rendered).
nb::tuple compare_two_pages(const nb::tuple& fields_a, const nb::tuple& fields_b, const std::string& format,
                            const nb::dict& keywords) {
  const CallOptions call = options_of("compare", keywords);
  CompareOptions options;
  options.profile = call.profile;
  options.match = call.match;
  options.format = format;
  const Page a = page_of_tuple(fields_a);
  const Page b = page_of_tuple(fields_b);
  const Result<ComparePagesOutcome> compared = [&] {
    const nb::gil_scoped_release released;
    return compare_pages(a, b, options);
  }();
  if (!compared) raise(compared.error());
  return nb::make_tuple(compared_tuple(compared->pair), content_tuple(compared->content_a),
                        content_tuple(compared->content_b), text(compared->rendered));
}

// The next page as (body, is_html, content_type, url, id, date), with the body as stored; None at the end.
nb::object next_page(PageReader& reader) {
  Result<std::optional<Page>> page = [&] {
    const nb::gil_scoped_release released;
    return reader.next();
  }();
  if (!page) raise(page.error());
  if (!page->has_value()) return nb::none();
  const Page& found = **page;
  nb::object body =
      found.body_is_utf8 ? nb::object(text(found.body)) : nb::object(nb::bytes(found.body.data(), found.body.size()));
  return nb::make_tuple(body, found.format == PageFormat::kHtml, text(found.content_type), text(found.url),
                        text(found.id), text(found.date));
}

std::unique_ptr<PageReader> open_reader(const std::vector<SystemPath>& inputs, nb::object warning,
                                        const nb::dict& keywords) {
  const CallOptions options = options_of("read", keywords);
  // Broken records are reported while next() runs without the GIL.
  RunControl control;
  if (!warning.is_none()) {
    control.warning = [warning = std::move(warning)](std::string_view line) {
      const nb::gil_scoped_acquire acquired;
      warning(text(line));
    };
  }
  return take(PageReader::open(strings_of(inputs), options.reading, control));
}

}  // namespace

void bind_pages(nb::module_& module) {
  nb::class_<ProfilerPool>(module, "Profiler")
      .def(
          "__init__",
          [](ProfilerPool* self, const nb::dict& keywords) {
            new (self) ProfilerPool(options_of("profile", keywords).profile);
            (void)take(self->borrow());  // report invalid options now, not at the first page
          },
          nb::arg("keywords"))
      .def_prop_ro("settings", [](ProfilerPool& pool) { return text(take(pool.borrow())->settings_identity()); })
      .def("extract", extract_page, nb::arg("body"), nb::arg("is_html"), nb::arg("content_type"), nb::arg("url"))
      .def("profile", profile_page, nb::arg("body"), nb::arg("is_html"), nb::arg("content_type"), nb::arg("url"),
           nb::arg("with_origin") = false);
  module.def("compare_pages", compare_two_pages, nb::arg("a"), nb::arg("b"), nb::arg("format"), nb::arg("keywords"));
  nb::class_<PageReader>(module, "PageReader")
      .def("next", next_page, nb::sig("def next(self) -> tuple[str | bytes, bool, str, str, str, str] | None"))
      .def_prop_ro("broken_records", &PageReader::broken_records);
  module.def("read_pages", open_reader, nb::arg("inputs"), nb::arg("warning").none(), nb::arg("keywords"),
             nb::sig("def read_pages(inputs: Sequence[str], warning: object | None, keywords: dict) -> PageReader"));
}

}  // namespace paraprint::python
