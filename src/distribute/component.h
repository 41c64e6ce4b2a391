// Pages connected by matches, with everything that clustering needs: a record of a parcel "components".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "distribute/records.h"

namespace paraprint::distribute {

struct ComponentPage {
  std::uint32_t page = 0;            // page number in the run
  std::uint32_t representative = 0;  // place in the component of the first page with this text
  std::uint32_t content_characters = 0;
  std::string url;
  std::string date;
};

struct Component {
  std::vector<ComponentPage> pages;  // ascending by page number
  std::vector<Match> matches;        // page_a and page_b are places in the component; each pair once
};

void write_component(const Component& component, ByteWriter& out);
Component read_component(ByteReader& in);

// Appends the pages that clustering in star mode may compare: the first page of each text, if some two of these have
// not been compared.
void add_pages_to_compare(const Component& component, std::vector<std::uint32_t>& pages);

}  // namespace paraprint::distribute
