// The rows of a table in memory as pages of a run, without a copy of them.
#pragma once

#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow_input.h"
#include "module.h"
#include "paraprint/memory_pages.h"
#include "paraprint/page_collection.h"
#include "row_checks.h"

namespace paraprint::python {

// Keeps the chunks it is given, which share their buffers with the table, and four bytes per row. read() touches no
// Python object and needs no GIL; everything else does. Bodies come decoded, as from the spool file, so that a run over
// either gives the same output.
class TablePages final : public PageCollection {
 public:
  using OwnedChunk = std::unique_ptr<ArrowChunk, nb::deleter<ArrowChunk>>;

  // Anonymous pages are named by their position, whatever columns there are, and have no digest: for runs that neither
  // show ids nor can be resumed, which saves the memory and the time for both.
  TablePages(const nb::dict& keywords, std::string content_type_field, bool is_anonymous,
             const std::string& score_field);

  // Checks the rows of a chunk as PageSpool::add() does, with the same result, and adds its pages. Takes the chunk from
  // Python. After an exception, the object must not be used any more.
  nb::bytes add(OwnedChunk chunk, const std::string& prefix, bool raises, std::int64_t first_row);

  std::size_t size() const override { return size_; }
  void read(std::size_t position, Page& page) const override;
  std::uint64_t size_bytes() const override { return size_bytes_; }
  // Of the pages with their bodies as they are in the table; empty for anonymous ones.
  std::string digest() const override { return is_anonymous_ ? std::string() : digest_.text(); }

  std::int64_t rows() const;                        // of all chunks, those that are not pages included
  std::int64_t row_of(std::size_t position) const;  // the number of the row that is this page

 private:
  struct Chunk {
    OwnedChunk arrow;
    RowColumns columns;
    std::string prefix;
    std::int64_t first_row = 0;
    std::size_t first_page = 0;
    std::vector<std::uint32_t> rows;  // of the pages
  };

  const Chunk& chunk_of(std::size_t position) const;

  RowChecks checks_;
  std::string content_type_field_;
  bool is_anonymous_;
  std::vector<Chunk> chunks_;
  std::size_t size_ = 0;
  std::uint64_t size_bytes_ = 0;
  PageDigest digest_;
  mutable BodyDecoder decoder_;  // read() is called by one thread at a time
};

}  // namespace paraprint::python
