// Links between pages, for the tasks that find connected components (star_tasks.cc).
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "distribute/records.h"

namespace paraprint::distribute {

// Parcels of links, each for the task of its page: any page may be in any task, so that a crawl's order does not decide
// how evenly they are divided.
class LinkBox {
 public:
  LinkBox(ParcelBox& box, std::uint32_t partitions) : box_(box), partitions_(partitions) {}

  // To the task of `page`.
  void give(std::uint32_t page, std::uint32_t other) {
    ByteWriter out(box_.record_for(static_cast<std::uint32_t>(mix64(page) % partitions_)));
    write_page_link({page, other}, out);
  }
  // In both directions, as the first round of stars takes links.
  void connect(std::uint32_t page, std::uint32_t other) {
    give(page, other);
    give(other, page);
  }

 private:
  ParcelBox& box_;
  std::uint32_t partitions_;
};

}  // namespace paraprint::distribute
