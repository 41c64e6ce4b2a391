// The counts of the overview, taken of sources instead of kept pages. Only the hosts that are shown are kept.
#include "view/origin_figures.h"

#include <algorithm>

namespace paraprint::inline explorer {

OriginFigures count_origins(const RunOrigins& origins, const RunFigures& figures, std::uint32_t pages) {
  OriginFigures counted;
  if (!origins.is_there()) return counted;
  std::vector<std::uint32_t> traced;
  std::vector<std::uint32_t> copies(figures.hosts().size());
  std::vector<bool> takes_part(figures.hosts().size());
  for (std::uint32_t page = 0; page < pages; ++page) {
    const OriginRow* const row = origins.find(page);
    if (row == nullptr || (row->copied_from == kNoPage && !row->is_first)) continue;
    traced.push_back(page);
    if (row->copied_from == kNoPage) continue;
    ++copies[figures.host_of(page)];
    takes_part[figures.host_of(page)] = takes_part[figures.host_of(row->copied_from)] = true;
  }
  counted.hosts_total = static_cast<std::uint64_t>(std::count(takes_part.begin(), takes_part.end(), true));
  counted.periods = count_periods(
      static_cast<std::uint32_t>(traced.size()), [&](std::uint32_t at) { return origins.day(traced[at]); },
      [&](std::uint32_t at) { return origins.find(traced[at])->copied_from == kNoPage; });
  counted.matrix = count_host_matrix(figures.hosts(), [&](const CopyVisitor& visit) {
    for (const std::uint32_t page : traced) {
      const std::uint32_t source = origins.find(page)->copied_from;
      if (source != kNoPage) visit(figures.host_of(page), figures.host_of(source));
    }
  });
  for (std::uint32_t& host : counted.matrix.hosts) {
    const HostRow& row = figures.hosts()[host];
    counted.hosts.push_back({row.name, row.pages, copies[host]});
    host = static_cast<std::uint32_t>(counted.hosts.size() - 1);
  }
  return counted;
}

void write_origin_figures(const OriginFigures& counted, JsonWriter& json) {
  json.key("origins");
  json.begin_object();
  write_counts("periods", counted.periods.periods, json);
  json.member("pages_without_date", counted.periods.pages_without_date);
  write_host_matrix(counted.hosts, counted.matrix, json);
  json.member("hosts_total", counted.hosts_total);
  json.end_object();
}

}  // namespace paraprint::inline explorer
