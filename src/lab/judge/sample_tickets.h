// Which pairs of a stratum are drawn, in which order they are judged, and what a sample is called: the same wherever
// the pairs come from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/judge/judgement_format.h"

namespace paraprint::inline lab::inline judge {

// A pair that may be drawn.
struct Ticket {
  std::uint64_t hash = 0;
  std::uint64_t first = 0;  // of its scores
  std::uint64_t found_by = 0;
  std::uint32_t place_a = 0;
  std::uint32_t place_b = 0;
  std::uint32_t stratum = 0;
  bool operator<(const Ticket& other) const;
};

std::uint64_t ticket_hash(std::uint64_t seed, std::string_view id_a, std::string_view id_b);

// Keeps the `kept` tickets with the smallest hashes, as a heap with the largest of them on top.
void offer_ticket(const Ticket& ticket, std::uint64_t kept, std::vector<Ticket>& heap);

// One list of the tickets drawn in each stratum. Strata take turns in proportion to their samples, so that a judge who
// stops early has judged a smaller sample of each.
std::vector<Ticket> in_turns(std::vector<std::vector<Ticket>> drawn);

// The identity of a sample: a hash of everything that judgements refer to, its head and the ids of its pairs in order.
class SampleNamer {
 public:
  explicit SampleNamer(const SampleFrame& frame);
  void add_pair(std::string_view id_a, std::string_view id_b) { hash_ = ticket_hash(hash_, id_a, id_b); }
  std::string name() const;

 private:
  std::uint64_t hash_ = 0;
};

}  // namespace paraprint::inline lab::inline judge
