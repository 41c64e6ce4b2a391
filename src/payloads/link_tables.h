// Joins revisit records with the captures that they refer to, by the names of revisit_names.h.
#pragma once

#include <cstdint>

#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "paraprint/result.h"
#include "payloads/revisit_names.h"

namespace paraprint::inline payloads {

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

// Call add_revisit() for all revisit records, end_revisits(), add_capture() for all captures, and finish(), once.
// Records of each kind come in any order. Memory, on the budget: about 250 bytes per revisit record and per capture
// that one may refer to. Errors: those of the budget's disk. Threads: one at a time.
class LinkTables {
 public:
  explicit LinkTables(MemoryBudget* budget)
      : links_(budget), revisits_(budget), claims_(budget), claimed_(budget), found_(budget), chosen_(budget) {}

  Status add_revisit(const LinkedRecord& revisit);
  Status end_revisits();
  // Exact. Requires end_revisits(); valid as long as the tables, and safe for concurrent reads.
  ClaimedNames claimed() const { return {{claimed_.begin(), claimed_.end()}}; }
  // Names that are not claimed are ignored.
  Status add_capture(const LinkedRecord& capture);
  Result<RevisitLinks> finish();

 private:
  // A name that a revisit record states.
  struct ClaimRow {
    std::uint64_t name = 0;
    std::uint64_t way = 0;  // LinkWay
    std::int64_t seconds = 0;
    RecordPlace revisit;
  };
  // A claimed name that a capture has.
  struct FoundRow {
    std::uint64_t name = 0;
    std::uint64_t way = 0;
    std::int64_t seconds = 0;
    RecordPlace capture;
    std::uint64_t text = 0;

    friend auto operator<=>(const FoundRow&, const FoundRow&) = default;
  };
  struct RevisitRow {
    RecordPlace place;
    std::uint64_t text = 0;
  };
  // A capture for a revisit record.
  struct ChosenCapture {
    RecordPlace revisit;
    std::uint64_t way = 0;
    RecordPlace capture;
    std::uint64_t text = 0;

    friend auto operator<=>(const ChosenCapture&, const ChosenCapture&) = default;
  };

  static const FoundRow* choose(const ClaimRow& claim, const FoundRow* first, const FoundRow* last);
  Status match();
  Status list_referred_to();
  Status list_links();

  RevisitLinks links_;
  SpillArray<RevisitRow> revisits_;
  SpillArray<ClaimRow> claims_;
  SpillArray<std::uint64_t> claimed_;  // the names of `claims_`
  SpillArray<FoundRow> found_;
  SpillArray<ChosenCapture> chosen_;
};

}  // namespace paraprint::inline payloads
