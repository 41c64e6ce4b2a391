// Pages of a picture are chosen by the rows in memory; only the lines of those that are shown are read.
#include "view/copies/origin_json.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "provenance/copy_tree.h"

namespace paraprint::inline explorer::inline copies {
namespace {

void write_stated_texts(const OriginLine& origin, JsonWriter& json) {
  for (const auto& [name, text] : {std::pair<std::string_view, const std::string&>{"date", origin.date},
                                   {"date_place", origin.date_place},
                                   {"modified", origin.modified},
                                   {"author", origin.author},
                                   {"site_name", origin.site_name},
                                   {"source_name", origin.source_name},
                                   {"source_url", origin.source_url},
                                   {"canonical_url", origin.canonical_url}}) {
    if (!text.empty()) json.member(name, text);
  }
}

void write_names(std::string_view name, const std::vector<std::string>& names, JsonWriter& json) {
  json.key(name);
  json.value(std::span<const std::string>(names));
}

void write_line(const RunOrigins& origins, const PageTable& pages, std::uint32_t page, const OriginLine& origin,
                JsonWriter& json) {
  write_stated_texts(origin, json);
  json.member("day", origins.day(page));
  json.member("is_traced", origin.is_traced);
  json.member("is_first", origin.is_first);
  if (origin.is_first) json.member("first_confidence", Real{origin.first_confidence, 2});
  const std::uint32_t source = origins.find(page)->copied_from;
  if (source != kNoPage) {
    write_named_page(pages, "copied_from", source, json);
    json.member("confidence", Real{origin.confidence, 2});
    write_names("reasons", origin.reasons, json);
    write_names("against", origin.against, json);
  }
  write_names("problems", origin.problems, json);
  if (origin.change) {
    json.member("added_characters", origin.change->added_characters);
    json.member("lost_characters", origin.change->lost_characters);
    json.member("added_paragraphs", origin.change->added_paragraphs);
    json.member("lost_paragraphs", origin.change->lost_paragraphs);
  }
}

// The pages of a cluster in the order in which they are drawn: by day, those without one last, then by id.
std::vector<std::uint32_t> in_order_of_days(const RunOrigins& origins, const PageTable& pages,
                                            std::span<const std::uint32_t> members) {
  // Looked up once per page instead of once per comparison.
  struct DayAndId {
    bool is_undated = false;
    std::string_view day;
    std::string_view id;
    std::uint32_t page = 0;
    bool operator<(const DayAndId& other) const {
      return std::tie(is_undated, day, id) < std::tie(other.is_undated, other.day, other.id);
    }
  };
  std::vector<DayAndId> keyed;
  keyed.reserve(members.size());
  for (const std::uint32_t page : members) {
    const std::string_view day = origins.day(page);
    keyed.push_back({day.empty(), day, pages.id(page), page});
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::uint32_t> ordered;
  ordered.reserve(members.size());
  for (const DayAndId& each : keyed) ordered.push_back(each.page);
  return ordered;
}

// Of each of the ordered pages, the place of its source in that order.
std::vector<std::uint32_t> sources_of(const RunOrigins& origins, std::span<const std::uint32_t> members,
                                      const std::vector<std::uint32_t>& ordered) {
  const auto number = [&](std::uint32_t page) {
    return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), page) - members.begin());
  };
  std::vector<std::uint32_t> place_of_member(members.size());
  for (std::uint32_t place = 0; place < ordered.size(); ++place) place_of_member[number(ordered[place])] = place;
  std::vector<std::uint32_t> sources;
  sources.reserve(ordered.size());
  for (const std::uint32_t page : ordered) {
    const OriginRow* const row = origins.find(page);
    const bool has_source = row != nullptr && row->copied_from != kNoPage;
    sources.push_back(has_source ? place_of_member[number(row->copied_from)] : kNoPlace);
  }
  return sources;
}

void write_tree(const RunOrigins& origins, const PageTable& pages, const std::vector<std::uint32_t>& ordered,
                const DrawnTree& tree, JsonWriter& json) {
  ProvenanceParser parser;
  json.key("tree");
  json.begin_object();
  json.member("total", tree.pages);
  json.member("apart", tree.pages_apart);
  json.key("pages");
  json.begin_array();
  for (const DrawnCopy& drawn : tree.copies) {
    const std::uint32_t page = ordered[drawn.place];
    json.begin_object();
    json.member("page", page);
    json.member("id", pages.id(page));
    json.member("url", pages.url(page));
    json.member("depth", drawn.depth);
    json.key("source");
    drawn.source == kNoPlace ? json.null() : json.value(drawn.source);
    json.member("direct", drawn.direct_copies);
    json.member("copies", drawn.copies);
    json.member("not_drawn", drawn.copies_not_drawn);
    write_origin(origins, pages, page, parser, json);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_dates(const RunOrigins& origins, const PageTable& pages, const std::vector<std::uint32_t>& ordered,
                 JsonWriter& json) {
  const auto undated = std::partition_point(ordered.begin(), ordered.end(),
                                            [&](std::uint32_t page) { return !origins.day(page).empty(); });
  const auto write_part = [&](std::string_view name, std::span<const std::uint32_t> part, std::size_t maximum) {
    json.key(name);
    json.begin_object();
    json.member("total", part.size());
    json.key("pages");
    json.begin_array();
    for (const std::uint32_t page : part.first(std::min(part.size(), maximum))) {
      json.begin_object();
      json.member("page", page);
      json.member("id", pages.id(page));
      json.member("url", pages.url(page));
      json.member("day", origins.day(page));
      const OriginRow* const row = origins.find(page);
      json.member("is_first", row != nullptr && row->is_first);
      json.key("copied_from");
      row == nullptr || row->copied_from == kNoPage ? json.null() : json.value(row->copied_from);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  };
  write_part("dated", {ordered.begin(), undated}, kDatedPagesDrawn);
  write_part("undated", {undated, ordered.end()}, kUndatedPagesNamed);
}

}  // namespace

void write_named_page(const PageTable& pages, std::string_view name, std::uint32_t page, JsonWriter& json) {
  json.key(name);
  json.begin_object();
  json.member("page", page);
  json.member("id", pages.id(page));
  json.member("url", pages.url(page));
  json.end_object();
}

void write_origin(const RunOrigins& origins, const PageTable& pages, std::uint32_t page, ProvenanceParser& parser,
                  JsonWriter& json) {
  json.key("origin");
  if (origins.find(page) == nullptr) {
    json.null();
    return;
  }
  OriginLine origin;
  const Status read = origins.read(page, parser, origin);
  json.begin_object();
  if (read) {
    write_line(origins, pages, page, origin, json);
  } else {
    json.member("unreadable", read.error().message);
  }
  json.end_object();
}

void write_origin_in_list(const RunOrigins& origins, const PageTable& pages, std::uint32_t page, JsonWriter& json) {
  const OriginRow* const row = origins.find(page);
  if (row == nullptr) return;
  if (!origins.day(page).empty()) json.member("published", origins.day(page));
  if (row->copied_from != kNoPage) write_named_page(pages, "copied_from", row->copied_from, json);
}

void write_copy_graph(const RunOrigins& origins, const PageTable& pages, std::span<const std::uint32_t> members,
                      std::optional<std::uint32_t> from, std::uint64_t skipped, JsonWriter& json) {
  const std::vector<std::uint32_t> ordered = in_order_of_days(origins, pages, members);
  const std::vector<std::uint32_t> sources = sources_of(origins, members, ordered);
  std::uint32_t first = 0;
  for (std::uint32_t place = 0; place < ordered.size(); ++place) {
    const OriginRow* const row = origins.find(ordered[place]);
    if (from ? ordered[place] == *from : row != nullptr && row->is_first) first = place;
  }
  write_tree(origins, pages, ordered, draw_tree(sources, {first, from.has_value(), skipped, kPagesDrawn}), json);
  write_dates(origins, pages, ordered, json);
}

void write_provenance_state(const RunOrigins& origins, JsonWriter& json) {
  json.key("provenance");
  json.begin_object();
  json.member("is_there", origins.is_there());
  json.member("failure", origins.failure_reason());
  json.member("lines", origins.lines());
  json.member("lines_refused", origins.lines_refused());
  json.key("refused");
  json.value(std::span<const std::string>(origins.refused()));
  json.end_object();
}

}  // namespace paraprint::inline explorer::inline copies
