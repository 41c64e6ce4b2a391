// Pages of a program as the input of a run: what identifies them, and the settings of a run that has them in place of
// files.
#include "paraprint/page_collection.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "api/collection_run.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"

namespace paraprint::inline api {
namespace {

// The sequence's own digest, or one made from its pages.
Result<std::string> digest_of(const PageSequence& pages) {
  std::string known = pages.digest();
  if (!known.empty()) return known;
  PageDigest digest;
  Page page;
  for (std::uint64_t position = 0;; ++position) {
    PARAPRINT_TRY(check_stop());
    PARAPRINT_ASSIGN(const bool is_found, pages.find(position, page));
    if (!is_found) return digest.text();
    digest.add(page);
  }
}

}  // namespace
}  // namespace paraprint::inline api

namespace paraprint {

// A chain: each state is the hash of the one before and of a page. The body takes part by its own hash, so that it need
// not be copied next to the other fields; sizes precede these, so that no two pages give the same bytes.
void PageDigest::add(const Page& page) {
  std::string bytes;
  ByteWriter writer(bytes);
  for (const std::uint64_t word : state_) writer.fixed(word);
  for (const std::string* field : {&page.id, &page.url, &page.date, &page.content_type}) writer.text(*field);
  writer.fixed(static_cast<std::uint8_t>(page.format));
  const unsigned traits = (page.body_is_utf8 ? 1U : 0U) | (page.has_id_of_place ? 2U : 0U);
  writer.fixed(static_cast<std::uint8_t>(traits));
  writer.fixed(static_cast<std::uint8_t>(page.score.has_value()));
  writer.fixed(std::bit_cast<std::uint64_t>(page.score.value_or(0)));
  const Fingerprint128 body = blake2b128(page.body);
  writer.fixed(body.high);
  writer.fixed(body.low);
  const Fingerprint128 state = blake2b128(bytes);
  state_ = {state.high, state.low};
}

std::string PageDigest::text() const {
  return fmt::format("{:016x}{:016x}", state_[0], state_[1]);
}

}  // namespace paraprint

namespace paraprint::inline api {

Result<CollectionRun> CollectionRun::create(const PageSequence& pages, const DedupOptions& options) {
  CollectionRun run{options, {pages, {}, {}}};
  run.options.inputs = {"memory"};     // not read, but validate() wants one
  run.options.output.records = false;  // and so is what concerns them
  run.options.output.revisits = false;
  run.options.output.payloads = false;
  run.options.output.cdx = CdxForm::kNone;
  PARAPRINT_TRY(run.options.validate());
  PARAPRINT_ASSIGN(run.memory.digest, digest_of(pages));
  return run;
}

}  // namespace paraprint::inline api
