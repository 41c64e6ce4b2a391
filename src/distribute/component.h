// Pages that matches connect, with everything their clustering looks at: one record of a parcel "components".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "distribute/records.h"

namespace paraprint::distribute {

struct ComponentPage {
  std::uint32_t page = 0;            // number in the run
  std::uint32_t representative = 0;  // place in the component of the page that stands for its text
  std::uint32_t content_characters = 0;
  std::string url;
  std::string date;
};

struct Component {
  std::vector<ComponentPage> pages;  // rising
  std::vector<Match> matches;        // of places in the component, each pair once
};

void write_component(const Component& component, ByteWriter& out);
Component read_component(ByteReader& in);

// Whether two texts of the component were never compared: their profiles may be asked for.
bool has_uncompared_pairs(const Component& component);

}  // namespace paraprint::distribute
