// Gathers the captures of all inputs, from several threads, in bounded memory.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "memory/external_sort.h"
#include "memory/memory_budget.h"
#include "memory/spill_array.h"
#include "payloads/capture.h"

namespace paraprint::inline payloads {

// Some captures of one input. CaptureRow::text counts from the beginning of `texts`.
struct CaptureBatch {
  std::vector<CaptureRow> captures;
  std::string texts;
  std::vector<PlaceRow> places;
  std::vector<std::uint64_t> claims;  // names_stated_by(), without the zeros
  std::vector<CaptureIdRow> ids;      // of all captures with an id
};

// Two records of one id.
struct RepeatedId {
  CaptureIdRow first;
  CaptureIdRow second;
};

struct CaptureRowTraits {
  static std::uint64_t key(const CaptureRow& row) { return row.key.words[0]; }
  static bool combine(CaptureRow&, const CaptureRow&) { return false; }
};
struct PlaceRowTraits {
  static std::uint64_t key(const PlaceRow& row) { return row.place; }
  static bool combine(PlaceRow& into, const PlaceRow& from) { return into == from; }
};
using CaptureSorter = ExternalSorter<CaptureRow, CaptureRowTraits>;
using PlaceSorter = ExternalSorter<PlaceRow, PlaceRowTraits>;

// What is known of all captures does not depend on the order of add() but for the places of texts, which appear in no
// output. Memory: half of `sorting` for each of two sorters; texts, ids and claims on the budget, about 220 bytes per
// capture. Errors of all functions: those of the sorters and of the budget's disk.
class CaptureCollector {
 public:
  CaptureCollector(const ExternalSortOptions& sorting, MemoryBudget* budget);

  // Thread-safe.
  Status add(const CaptureBatch& batch);
  // After the last add(), once.
  Status finish();

  // The following are for one thread, after finish().
  CaptureSorter take_captures() { return std::move(captures_); }  // in ascending order; once
  bool is_ambiguous(std::uint64_t place) const;                   // has captures with different payloads
  bool is_claimed(std::uint64_t name) const;
  CaptureText text(std::uint64_t at) const;  // valid until the next add_text()
  // How many captures have the id of an earlier one, and the first of them, by place in the input.
  std::uint64_t repeated_ids() const { return repeated_ids_; }
  const std::vector<RepeatedId>& first_repeated() const { return first_repeated_; }
  // Returns where the text begins.
  Result<std::uint64_t> add_text(const CaptureText& text);

 private:
  Status find_ambiguous_places();
  void find_repeated_ids();

  std::mutex mutex_;
  CaptureSorter captures_;
  std::optional<PlaceSorter> places_;  // until finish()
  SpillArray<char> texts_;
  SpillArray<std::uint64_t> claims_;            // sorted by finish()
  SpillArray<std::uint64_t> ambiguous_places_;  // sorted
  SpillArray<CaptureIdRow> ids_;                // until finish()
  std::uint64_t repeated_ids_ = 0;
  std::vector<RepeatedId> first_repeated_;
};

}  // namespace paraprint::inline payloads
