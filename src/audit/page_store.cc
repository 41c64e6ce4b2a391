// Each page is its body, followed by the hashes of the addresses that it links to.
#include "audit/page_store.h"

#include <span>
#include <utility>

#include "base/propagate.h"

namespace paraprint::inline audit {

Result<PageStore> PageStore::create(const std::string& folder) {
  PARAPRINT_ASSIGN(TemporaryFile file, TemporaryFile::create(folder));
  return PageStore(std::move(file));
}

Result<StoredPage> PageStore::add(std::string_view body, PageFormat format, const std::vector<std::uint64_t>& links) {
  StoredPage page{file_.size_bytes(), body.size(), static_cast<std::uint32_t>(links.size()), format};
  PARAPRINT_TRY(file_.append(std::as_bytes(std::span(body))));
  PARAPRINT_TRY(file_.append(std::as_bytes(std::span(links))));
  return page;
}

Result<std::string> PageStore::body(const StoredPage& page) const {
  std::string body(page.body_bytes, '\0');
  PARAPRINT_TRY(file_.read(page.offset_bytes, std::as_writable_bytes(std::span(body))));
  return body;
}

Result<std::vector<std::uint64_t>> PageStore::links(const StoredPage& page) const {
  std::vector<std::uint64_t> links(page.links);
  PARAPRINT_TRY(file_.read(page.offset_bytes + page.body_bytes, std::as_writable_bytes(std::span(links))));
  return links;
}

void StoredPages::read(std::size_t position, Page& page) const {
  const StoredAddress& entry = entries_[position];
  page = Page{};
  page.id = entry.url;
  page.url = entry.url;
  page.format = entry.stored.format;
  page.body_is_utf8 = true;
  Result<std::string> body = store_.body(entry.stored);
  if (body) {
    page.body = std::move(*body);
  } else if (failure_) {
    failure_ = tl::unexpected<Error>(body.error());
  }
}

}  // namespace paraprint::inline audit
