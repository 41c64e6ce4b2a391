// Hashes of ids in place of random numbers: the draw does not depend on the order of the pairs.
#include "lab/judge/sample_tickets.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/hash.h"

namespace paraprint::inline lab::inline judge {

bool Ticket::operator<(const Ticket& other) const {
  return std::tie(hash, place_a, place_b) < std::tie(other.hash, other.place_a, other.place_b);
}

std::uint64_t ticket_hash(std::uint64_t seed, std::string_view id_a, std::string_view id_b) {
  return mix64(mix64(mix64(seed + 1) ^ hash64(id_a)) ^ hash64(id_b));
}

void offer_ticket(const Ticket& ticket, std::uint64_t kept, std::vector<Ticket>& heap) {
  if (heap.size() == kept) {
    if (heap.empty() || !(ticket < heap.front())) return;
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
  }
  heap.push_back(ticket);
  std::push_heap(heap.begin(), heap.end());
}

std::vector<Ticket> in_turns(std::vector<std::vector<Ticket>> drawn) {
  std::vector<std::pair<double, Ticket>> order;
  for (std::vector<Ticket>& tickets : drawn) {
    std::sort(tickets.begin(), tickets.end());
    for (std::size_t rank = 0; rank < tickets.size(); ++rank) {
      order.emplace_back((static_cast<double>(rank) + 0.5) / static_cast<double>(tickets.size()), tickets[rank]);
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<Ticket> tickets;
  for (const auto& [turn, ticket] : order) tickets.push_back(ticket);
  return tickets;
}

SampleNamer::SampleNamer(const SampleFrame& frame) {
  SampleFrame unnamed = frame;
  unnamed.sample.clear();
  JsonWriter json;
  write_head(unnamed, json);
  hash_ = hash64(json.take());
}

std::string SampleNamer::name() const {
  return fmt::format("{:016x}", hash_);
}

}  // namespace paraprint::inline lab::inline judge
