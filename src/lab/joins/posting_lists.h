// Inverted lists of fixed total size: for each element rank, the sets added so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/joins/set_collection.h"

namespace paraprint::inline lab::inline joins {

struct Posting {
  std::uint32_t set = 0;
  std::uint32_t position = 0;  // of the element among the set's shared elements
};

class PostingLists {
 public:
  // Reserves room for the first indexed_elements(s) elements of each set s.
  template <class IndexedElements>
  PostingLists(const RankedSets& sets, IndexedElements&& indexed_elements)
      : begins_(std::size_t{sets.rank_count} + 1), lists_(sets.rank_count) {
    for (std::size_t set = 0; set + 1 < sets.begins.size(); ++set) {
      for (const RankedElement& element : sets.set(set).first(indexed_elements(set))) ++begins_[element.rank + 1];
    }
    for (std::size_t rank = 0; rank < sets.rank_count; ++rank) begins_[rank + 1] += begins_[rank];
    postings_.resize(begins_.back());
  }

  std::uint64_t size() const { return postings_.size(); }

  void push(std::uint32_t rank, Posting posting) { postings_[begins_[rank] + lists_[rank].end++] = posting; }

  // The postings of a rank. Lists must be read by sets of ascending size: sets at the front that are too small for one
  // reader are too small for all later ones, so they are dropped for good.
  template <class IsTooSmall>
  std::span<const Posting> list(std::uint32_t rank, IsTooSmall&& is_too_small) {
    ListExtent& range = lists_[rank];
    const Posting* const first = postings_.data() + begins_[rank];
    while (range.begin < range.end && is_too_small(first[range.begin].set)) ++range.begin;
    return {first + range.begin, first + range.end};
  }

 private:
  struct ListExtent {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::vector<std::uint64_t> begins_;
  std::vector<ListExtent> lists_;
  std::vector<Posting> postings_;
};

}  // namespace paraprint::inline lab::inline joins
