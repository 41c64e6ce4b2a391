// A line of the second index is found by its key, so it repeats the first line of its block up to the JSON.
#include "wacz/wacz_index.h"

#include <fmt/format.h>

#include <utility>

#include "archive/member_writer.h"
#include "base/propagate.h"
#include "zip/sha256_stream.h"

namespace paraprint::inline wacz {

BlockedIndex::BlockedIndex(ByteSink& sink, std::string_view file_name)
    : sink_(sink),
      blocks_(fmt::format("!meta 0 {{\"format\": \"cdxj-gzip-1.0\", \"filename\": \"{}\"}}\n", file_name)) {}

Status BlockedIndex::add(std::string_view line) {
  // A line is "key date {...}", and neither key nor date has a space or a brace.
  if (lines_ == 0) first_key_ = line.substr(0, line.find(" {"));
  block_ += line;
  return ++lines_ < kLinesPerBlock ? Status{} : write_block();
}

Status BlockedIndex::write_block() {
  const std::string compressed = gzip_member(block_);
  Sha256Stream digest;
  digest.add(compressed);
  blocks_ += fmt::format("{} {{\"offset\": {}, \"length\": {}, \"digest\": \"sha256:{}\"}}\n", first_key_,
                         offset_bytes_, compressed.size(), digest.take_hex());
  offset_bytes_ += compressed.size();
  block_.clear();
  lines_ = 0;
  return sink_.write(compressed);
}

Result<std::string> BlockedIndex::finish() {
  if (lines_ > 0) PARAPRINT_TRY(write_block());
  return offset_bytes_ > 0 ? std::exchange(blocks_, {}) : std::string();
}

}  // namespace paraprint::inline wacz
