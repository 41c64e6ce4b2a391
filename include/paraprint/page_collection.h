// Pages in whatever form a program has them: objects, columns of a table, values of a database, rows of a file. A run
// reads them one by one, as often as it needs to, so they are never copied as a whole.
//
// Example:
//
//   class Articles : public PageCollection {
//    public:
//     std::size_t size() const override { return texts.size(); }
//     void read(std::size_t position, Page& page) const override {
//       page = Page{};
//       page.format = PageFormat::kPlainText;
//       page.body = texts[position];
//     }
//     std::vector<std::string> texts;
//   };
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

// A sequence of pages whose length need not be known before its end, and whose pages need not be in memory. From the
// beginning of a call that reads it to its end, the pages must stay the same. A run reads them from the first to the
// last, and some of them again: those that it shows or compares word by word, in ascending order each time. A call uses
// a sequence from one thread at a time, which may be another one from page to page and need not be the caller's.
class PageSequence {
 public:
  virtual ~PageSequence() = default;

  // Sets every field of `page` except `location`, whatever it held before, and returns true; false if the sequence has
  // only `position` pages or fewer. An empty id stands for the position (Page::has_id_of_place). The date may have any
  // form that JSON lines may have (docs/reading.md). An error ends the call that reads, which returns it. May throw
  // std::bad_alloc, which ends that call too.
  virtual Result<bool> find(std::uint64_t position, Page& page) const = 0;

  // What messages and output call the sequence; one line of UTF-8.
  virtual std::string name() const { return "pages in memory"; }

  // For progress alone: the bytes that reading all pages takes, 0 if unknown; and how many of them lie before the page
  // that follows the one found last. If that is unknown, the bytes of the bodies read are counted.
  virtual std::uint64_t size_bytes() const { return 0; }
  virtual std::optional<std::uint64_t> bytes_done() const { return std::nullopt; }

  // What tells this sequence of pages from all others: PageDigest::text() over them, or anything else that never is the
  // same for other pages and always for these. Empty if unknown: a run that can be resumed then makes the digest, by
  // reading every page once more.
  virtual std::string digest() const { return {}; }
};

// A sequence whose pages are in memory: their number is known, and reading does not fail. A run reads each at least
// twice.
class PageCollection : public PageSequence {
 public:
  virtual std::size_t size() const = 0;

  // As find(), for a `position` less than size().
  virtual void read(std::size_t position, Page& page) const = 0;

  Result<bool> find(std::uint64_t position, Page& page) const final {
    if (position >= size()) return false;
    read(static_cast<std::size_t>(position), page);
    return true;
  }
};

// Pages that the caller holds as objects, which must outlive it. Thread-safe.
class PageSpan final : public PageCollection {
 public:
  explicit PageSpan(std::span<const Page> pages) : pages_(pages) {}
  std::size_t size() const override { return pages_.size(); }
  void read(std::size_t position, Page& page) const override { page = pages_[position]; }
  std::uint64_t size_bytes() const override {  // O(pages)
    std::uint64_t bytes = 0;
    for (const Page& page : pages_) bytes += page.body.size();
    return bytes;
  }

 private:
  std::span<const Page> pages_;
};

// Identifies a sequence of pages by all of their fields except `location`: 128 bits of BLAKE2b, so no two sequences
// that anyone can make have the same digest. Cost: about a second per gigabyte. Not thread-safe.
class PageDigest {
 public:
  void add(const Page& page);
  std::string text() const;  // of the pages so far: 32 hexadecimal digits

 private:
  std::array<std::uint64_t, 2> state_{};
};

}  // namespace paraprint
