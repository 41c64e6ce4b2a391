// Finds the capture that each revisit record of the inputs refers to, and all captures that a player may show for one.
//
// Players look up the address and second that a revisit record states; its digest, among the captures of its own
// address, if it states no other place; and for "not modified" the capture of the address before it. Ids identify
// records by the standard, so they come first here; whatever a player finds by address and second must stay as well.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include "archive/input_files.h"
#include "archive/record.h"
#include "base/progress.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"

namespace paraprint::inline payloads {

// How the capture was found, the best evidence first.
enum class LinkWay : std::uint32_t {
  kId,        // WARC-Refers-To
  kPlace,     // WARC-Refers-To-Target-URI and -Date
  kDigest,    // the latest earlier capture of the address with the digest; if there is none, the earliest later one
  kPrevious,  // profile "server-not-modified": the latest earlier capture of the address
  kNotFound,
};
inline constexpr std::size_t kLinkWayCount = 5;

// What a report says of a revisit record, or of the capture that it refers to. Views are valid as long as the links.
struct LinkedText {
  std::string_view id;
  std::string_view url;
  std::string_view date;  // as stored
  std::string_view profile;
  std::uint64_t offset_bytes = 0;
};

struct RecordPlace {
  std::uint64_t file = 0;
  std::uint64_t ordinal = 0;

  friend auto operator<=>(const RecordPlace&, const RecordPlace&) = default;
};

// A revisit record. Ordered by place in the input.
struct RevisitLink {
  RecordPlace revisit;
  LinkWay way = LinkWay::kNotFound;
  std::uint32_t unused = 0;
  RecordPlace target;              // unless kNotFound
  std::uint64_t revisit_text = 0;  // for RevisitLinks::text()
  std::uint64_t target_text = 0;
};

struct RevisitLinks {
  explicit RevisitLinks(MemoryBudget* budget = nullptr) : links(budget), referred_to(budget), texts(budget) {}

  SpillArray<RevisitLink> links;        // one per revisit record, in the order of the input
  SpillArray<RecordPlace> referred_to;  // all captures that one may be resolved to, ascending
  SpillArray<char> texts;

  LinkedText text(std::uint64_t at) const;
};

// How the inputs are read. References must stay valid.
struct LinkSources {
  const std::vector<InputFile>& inputs;
  const std::set<std::uint32_t>& with_revisits;  // the inputs that have revisit records
  const ReadOptions& reading;
  // Inputs that could not be read to their end: what is before the error counts.
  const std::set<std::uint32_t>& inputs_ended_early;
  unsigned threads = 1;
};

// Reads the inputs with revisit records, and then all inputs once more for the captures. Records larger than
// ReadOptions::max_record_bytes are found by id, place and address, not by a digest that they do not state. The result
// does not depend on the number of threads. Errors: those of reading and of the budget's disk, and kCancelled. Memory,
// on the budget: about 250 bytes per revisit record and per capture that one may refer to. Progress: stage "revisits".
Result<RevisitLinks> find_revisit_links(const LinkSources& sources, MemoryBudget* budget, ProgressReporter& progress);

}  // namespace paraprint::inline payloads
