// Pages in memory, in whatever form a program has them: objects, columns of a table, values of a database. A run reads
// them one by one, as often as it needs to, so they are never copied as a whole.
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
#include <span>
#include <string>

#include "paraprint/model.h"

namespace paraprint {

// A sequence of pages. From the beginning of a call that reads it to its end, the pages must stay the same; a run reads
// each at least twice. A call uses a collection from one thread at a time, which may be another one from page to page
// and need not be the caller's.
class PageCollection {
 public:
  virtual ~PageCollection() = default;

  virtual std::size_t size() const = 0;

  // Sets every field of `page` except `location`, whatever it held before. An empty id stands for the position. The
  // date may have any form that JSON lines may have (docs/reading.md). `position` is less than size(). May throw
  // std::bad_alloc, which ends the call that reads.
  virtual void read(std::size_t position, Page& page) const = 0;

  // Bytes of all bodies together, for progress alone; 0 if unknown.
  virtual std::uint64_t size_bytes() const { return 0; }

  // What tells this sequence of pages from all others: PageDigest::text() over them, or anything else that never is the
  // same for other pages and always for these. Empty if unknown: a run that can be resumed then makes the digest, by
  // reading every page once more.
  virtual std::string digest() const { return {}; }
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
