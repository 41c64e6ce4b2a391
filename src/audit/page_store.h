// The bodies of a site's pages and the links on them, in a temporary file, so that memory does not grow with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memory/temporary_file.h"
#include "paraprint/model.h"
#include "paraprint/page_collection.h"
#include "paraprint/result.h"

namespace paraprint::inline audit {

// A place in the file.
struct StoredPage {
  std::uint64_t offset_bytes = 0;
  std::uint64_t body_bytes = 0;
  std::uint32_t links = 0;  // hashes of addresses, 8 bytes each, after the body
  PageFormat format = PageFormat::kHtml;
};

class PageStore {
 public:
  // Errors: those of TemporaryFile::create().
  static Result<PageStore> create(const std::string& folder);

  // `body` is UTF-8. Errors: those of TemporaryFile::append().
  Result<StoredPage> add(std::string_view body, PageFormat format, const std::vector<std::uint64_t>& links);

  // Errors: those of TemporaryFile::read().
  Result<std::string> body(const StoredPage& page) const;
  Result<std::vector<std::uint64_t>> links(const StoredPage& page) const;

 private:
  explicit PageStore(TemporaryFile file) : file_(std::move(file)) {}
  TemporaryFile file_;
};

// Stored pages as input of a run, with their addresses as ids.
class StoredPages final : public PageCollection {
 public:
  struct StoredAddress {
    std::string_view url;
    StoredPage stored;
  };

  explicit StoredPages(const PageStore& store) : store_(store) {}
  void add(StoredAddress entry) { entries_.push_back(entry); }

  std::size_t size() const override { return entries_.size(); }
  // A page that cannot be read is blank, and is what failure() says.
  void read(std::size_t position, Page& page) const override;
  std::string name() const override { return "pages of the site"; }
  const Status& failure() const { return failure_; }

 private:
  const PageStore& store_;
  std::vector<StoredAddress> entries_;
  mutable Status failure_;
};

}  // namespace paraprint::inline audit
