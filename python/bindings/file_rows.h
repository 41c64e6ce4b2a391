// The rows of files as pages of a run, which reads them batch by batch where they are.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "arrow_input.h"
#include "module.h"
#include "paraprint/memory_pages.h"
#include "paraprint/page_collection.h"
#include "row_checks.h"

namespace paraprint::python {

// Holds one batch of rows at a time, and eight bytes per batch. Bodies come decoded, as from the spool file, so that a
// run over either gives the same output.
class FileRows final : public PageSequence {
 public:
  // What a message or output says of the files, and what identifies them (PageSequence).
  struct Files {
    std::string name;
    std::string digest;
    std::uint64_t size_bytes = 0;
  };

  // `reader` has batch(rows, number), which returns the batch with this number, from 0, as (chunk, prefix of generated
  // ids, number of the first row, outcome of check(), bytes read so far), or None if there are fewer. `number` is at
  // most that of the first batch not asked for before, and the reader passes each batch to check() once, in order.
  // Requires the GIL, as do the calls below, except for those of PageSequence.
  FileRows(const nb::dict& keywords, std::string content_type_field, const std::string& score_field, nb::object reader,
           Files files);

  // Checks the rows of a batch as PageSpool::add() does, with the same result.
  nb::bytes check(const ArrowChunk& chunk, const std::string& prefix, bool raises, std::int64_t first_row);

  // Reads the batches that have not been read yet, so that all rows have been checked.
  void complete();

  // Throws the exception of the reader because of which find() has failed, if it has.
  void rethrow() const;

  // Takes the GIL for every batch. An exception of the reader is kept, and the error returned for it says no more.
  Result<bool> find(std::uint64_t position, Page& page) const override;
  std::string name() const override { return files_.name; }
  std::uint64_t size_bytes() const override { return files_.size_bytes; }
  std::optional<std::uint64_t> bytes_done() const override { return batch_.bytes_done; }
  std::string digest() const override { return files_.digest; }

 private:
  struct Batch {
    nb::object owner;  // of `chunk`
    const ArrowChunk* chunk = nullptr;
    RowColumns columns;
    std::string prefix;
    std::int64_t first_row = 0;
    std::uint64_t bytes_done = 0;
    std::uint64_t first_page = 0;
    std::vector<std::uint32_t> rows;  // of the pages
  };

  bool has(std::uint64_t position) const {
    return position >= batch_.first_page && position - batch_.first_page < batch_.rows.size();
  }
  bool load_batch_of(std::uint64_t position) const;
  bool load(std::size_t number) const;

  mutable RowChecks checks_;
  std::string content_type_field_;
  nb::object reader_;
  Files files_;
  // A run calls find() in one thread at a time. What it changes is what has been read last, and what is known so far.
  mutable Batch batch_;
  mutable std::vector<std::uint64_t> first_pages_;  // by number of batch
  mutable std::uint64_t pages_ = 0;                 // in the batches read so far
  mutable BodyDecoder decoder_;
  mutable std::exception_ptr exception_;
};

}  // namespace paraprint::python
