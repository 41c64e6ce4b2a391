// Byte form of components (docs/formats/distributed.md). Matches use places instead of page numbers, so that a task can
// cluster a component without any table of the run. Counts are bounded by the bytes left before anything is allocated.
#include "distribute/component.h"

#include <algorithm>

namespace paraprint::distribute {

// URL and date are included because the survivor policy looks at them.
void write_component(const Component& component, ByteWriter& out) {
  out.variable(component.pages.size());
  for (const ComponentPage& page : component.pages) {
    out.fixed(page.page);
    out.variable(page.representative);
    out.variable(page.content_characters);
    out.text(page.url);
    out.text(page.date);
  }
  out.variable(component.matches.size());
  for (const Match& match : component.matches) write_match(match, out);
}

Component read_component(ByteReader& in) {
  constexpr std::size_t kPageBytesMinimum = 8;
  constexpr std::size_t kMatchBytes = 25;
  Component component;
  component.pages.resize(in.variable_below(in.left_bytes() / kPageBytesMinimum + 1));
  for (ComponentPage& page : component.pages) {
    page.page = in.fixed<std::uint32_t>();
    page.representative = static_cast<std::uint32_t>(in.variable_below(component.pages.size()));
    page.content_characters = static_cast<std::uint32_t>(in.variable());
    page.url = in.text();
    page.date = in.text();
  }
  component.matches.resize(in.variable_below(in.left_bytes() / kMatchBytes + 1));
  for (Match& match : component.matches) match = read_match(in);
  return component;
}

// Stored matches are between representatives, each pair once, so counting them is enough.
void add_pages_to_compare(const Component& component, std::vector<std::uint32_t>& pages) {
  const std::size_t before = pages.size();
  for (std::uint32_t place = 0; place < component.pages.size(); ++place) {
    if (component.pages[place].representative == place) pages.push_back(component.pages[place].page);
  }
  const std::uint64_t texts = pages.size() - before;
  if (component.matches.size() >= texts * (texts - 1) / 2) pages.resize(before);
}

}  // namespace paraprint::distribute
