// Texts are not stored in an index, so a pair is shown by the places and sizes of its paragraphs and shared passages.
#include "view/known/known_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "online/index_answer_json.h"
#include "report/text_safety.h"
#include "view/call_input.h"
#include "view/known/known_routes.h"
#include "view/known/known_search.h"
#include "view/view_rows.h"

namespace paraprint::inline explorer::inline known {
namespace {

constexpr std::uint64_t kKnownRowsUsual = 50;
constexpr std::uint64_t kKnownRowsMaximum = 500;
// Of a page: others with its text, others of its cluster, and matches.
constexpr std::size_t kRelatedMaximum = 20;
constexpr std::uint32_t kMatchesShown = 50;
// A pair is looked for among these.
constexpr std::uint32_t kMatchesSearched = 256;

bool needs_catalogue(KnownCall call) {
  return call != KnownCall::kDocument && call != KnownCall::kAsset && call != KnownCall::kState;
}

void write_name(const IndexCatalogue& catalogue, std::string_view name, std::uint32_t page, JsonWriter& json) {
  json.key(name);
  json.begin_object();
  json.member("page", page);
  json.member("id", catalogue.id(page));
  json.member("url", catalogue.url(page));
  json.end_object();
}

void write_known_page(const IndexCatalogue& catalogue, std::uint32_t page, JsonWriter& json) {
  const CatalogueRow& row = catalogue.row(page);
  json.member("page", page);
  json.member("id", catalogue.id(page));
  json.member("url", catalogue.url(page));
  json.member("date", catalogue.date(page));
  json.member("characters", row.characters);
  json.member("first_seen", utc_time(row.first_seen_seconds));
  json.member("last_seen", utc_time(row.last_seen_seconds));
  json.member("cluster_pages", catalogue.cluster_pages(row.cluster).size());
  json.member("text_pages", catalogue.text_pages(page).size());
  if (catalogue.is_copy(page)) write_name(catalogue, "first", row.cluster, json);
}

void write_known_pages(const IndexCatalogue& catalogue, std::string_view name, std::span<const std::uint32_t> pages,
                       JsonWriter& json) {
  json.key(name);
  json.begin_array();
  for (const std::uint32_t page : pages) {
    json.begin_object();
    write_known_page(catalogue, page, json);
    json.end_object();
  }
  json.end_array();
}

std::string known_pages_as_table(const IndexCatalogue& catalogue, std::span<const std::uint32_t> pages) {
  std::string table = "id\turl\tdate\tcharacters\tfirst_seen\tlast_seen\tcluster\n";
  for (const std::uint32_t page : pages) {
    const CatalogueRow& row = catalogue.row(page);
    append_fields(table,
                  {catalogue.id(page), catalogue.url(page), catalogue.date(page), fmt::format("{}", row.characters),
                   utc_time(row.first_seen_seconds), utc_time(row.last_seen_seconds), catalogue.id(row.cluster)});
  }
  return table;
}

std::string known_pages_as_lines(const IndexCatalogue& catalogue, std::span<const std::uint32_t> pages) {
  std::string lines;
  for (const std::uint32_t page : pages) {
    JsonWriter json;
    json.begin_object();
    write_known_page(catalogue, page, json);
    json.end_object();
    lines.append(json.take()).append("\n");
  }
  return lines;
}

// Scores of a match: a is the page that was asked for.
void write_match_scores(const IndexMatch& match, JsonWriter& json) {
  json.member("verdict", verdict_name(match.verdict));
  json.member("resemblance", Real{match.resemblance});
  json.member("containment_a", Real{match.containment_asked});
  json.member("containment_b", Real{match.containment_known});
  json.member("matched_characters", Real{match.matched_characters, 0});
}

void write_matches(const IndexCatalogue& catalogue, const LookupOutcome& outcome, JsonWriter& json) {
  json.key("matches");
  json.begin_array();
  for (const IndexMatch& match : outcome.matches) {
    const std::optional<std::uint32_t> page = catalogue.find(match.page.id);
    if (!page) continue;
    json.begin_object();
    write_match_scores(match, json);
    json.key("b");
    json.begin_object();
    write_known_page(catalogue, *page, json);
    json.end_object();
    json.end_object();
  }
  json.end_array();
  json.member("compared", outcome.work.pairs_compared);
  json.member("left_out", outcome.work.candidates_left_out);
}

// Where its paragraphs begin and end in its text, in bytes.
void write_paragraphs(std::string_view name, const Profile& profile, JsonWriter& json) {
  json.key(name);
  json.begin_array();
  for (const ParagraphProfile& paragraph : profile.paragraphs) {
    json.begin_array();
    json.value(paragraph.span.begin_bytes);
    json.value(paragraph.span.end_bytes);
    json.end_array();
  }
  json.end_array();
}

KnownQuery known_query_of(CallParameters& parameters, std::uint32_t pages) {
  KnownQuery query;
  query.id = parameters.text("id");
  query.url = parameters.text("url");
  query.host = parameters.text("host");
  const std::string role = parameters.text("role");
  if (!role.empty()) query.is_copy = role == "copy";
  if (!role.empty() && role != "copy" && role != "first") parameters.refuse_value("role must be first or copy");
  query.characters_minimum = static_cast<std::uint32_t>(parameters.number("characters_minimum", 0, UINT32_MAX));
  query.cluster_pages_minimum = static_cast<std::uint32_t>(parameters.number("cluster_pages_minimum", 1, UINT32_MAX));
  if (!parameters.text("cluster").empty()) query.cluster = parameters.page("cluster", pages);
  if (!parameters.text("same_text").empty()) query.same_text = parameters.page("same_text", pages);
  const std::string order = parameters.text("order");
  const std::optional<KnownOrder> known = known_order_of(order.empty() ? "id" : order);
  if (!known) parameters.refuse_value("order must be id, -size, -cluster, -first or -last");
  query.order = known.value_or(KnownOrder::kId);
  return query;
}

std::vector<std::uint32_t> others(std::span<const std::uint32_t> pages, std::uint32_t page) {
  std::vector<std::uint32_t> list;
  for (const std::uint32_t other : pages) {
    if (other != page && list.size() < kRelatedMaximum) list.push_back(other);
  }
  return list;
}

}  // namespace

KnownService::KnownService(const KnownExplorer& explorer, const ViewOptions& options)
    : ExplorerFrame(kKnownRoutes, options), explorer_(explorer) {}

// No default case: the compiler then warns when a call is added without an entry here.
Answer<HttpResponse> KnownService::dispatch(const RoutedTarget& target, const RequestHead&, std::string_view) {
  const auto call = static_cast<KnownCall>(target.route->number);
  if (needs_catalogue(call) && !explorer_.is_ready()) {
    return refuse(Refusal::kBusy, "the index is still being read; try again in a moment");
  }
  switch (call) {
    case KnownCall::kDocument:
      return find_asset("index.html");
    case KnownCall::kAsset:
      return find_asset(target.id);
    case KnownCall::kState:
      return state();
    case KnownCall::kOverview:
      return overview();
    case KnownCall::kPages:
      return find_pages(target);
    case KnownCall::kPage:
      return page(target);
    case KnownCall::kMatch:
      return match(target);
  }
  return refuse(Refusal::kInternal, "internal error: unknown call");
}

Answer<HttpResponse> KnownService::state() const {
  const IndexStatistics& statistics = explorer_.statistics();
  const LoadingStep step = explorer_.step();
  JsonWriter json;
  json.begin_object();
  json.member("version", version());
  json.member("is_index", true);
  json.member("folder", explorer_.folder());
  json.member("pages", statistics.pages);
  json.member("texts", statistics.texts);
  json.member("database_bytes", statistics.database_bytes + statistics.segment_bytes);
  json.member("algorithm", explorer_.index().algorithm());
  json.member("near", ExactReal{explorer_.match_options().near});
  json.member("snapshot", statistics.snapshot == 0 ? std::string() : utc_time(statistics.snapshot_seconds));
  json.member("is_ready", explorer_.is_ready());
  json.member("stage", step.stage);
  json.member("done", step.done);
  json.member("total", step.total);
  json.key("warnings");
  json.value(std::span<const std::string>(statistics.warnings));
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> KnownService::overview() const {
  const IndexCatalogue& catalogue = explorer_.catalogue();
  JsonWriter json;
  json.begin_object();
  json.member("clusters", catalogue.clusters());
  json.member("copies", catalogue.copies());
  write_cluster_sizes(catalogue.cluster_sizes(), json);
  write_counts("periods", catalogue.dates().periods, json);
  json.member("pages_without_date", catalogue.dates().pages_without_date);
  write_counts("first_seen", catalogue.first_seen().periods, json);
  write_host_matrix(catalogue.hosts(), catalogue.matrix(), json);
  write_known_pages(catalogue, "rows", catalogue.largest_clusters(), json);
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> KnownService::find_pages(const RoutedTarget& target) {
  const IndexCatalogue& catalogue = explorer_.catalogue();
  CallParameters parameters(target.parameters,
                            {"id", "url", "host", "role", "characters_minimum", "cluster_pages_minimum", "cluster",
                             "same_text", "order", "offset", "limit", "format"});
  const KnownQuery query = known_query_of(parameters, catalogue.size());
  const std::string format = parameters.export_format();
  const std::uint64_t offset = parameters.number("offset", 0, UINT32_MAX);
  const std::uint64_t limit = parameters.number("limit", kKnownRowsUsual, kKnownRowsMaximum);
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  const RecentSearches::Pages found =
      searches_.find(target.parameters, [&] { return find_known_pages(catalogue, query); });
  const std::span<const std::uint32_t> all(*found);
  const std::span<const std::uint32_t> exported = all.first(std::min(all.size(), kExportedRowsMaximum));
  if (format == "tsv") return file_response("text/tab-separated-values", known_pages_as_table(catalogue, exported));
  if (format == "jsonl") return file_response("application/x-ndjson", known_pages_as_lines(catalogue, exported));
  const std::size_t begin = std::min<std::size_t>(offset, all.size());
  JsonWriter json;
  json.begin_object();
  json.member("total", all.size());
  json.member("offset", offset);
  write_known_pages(catalogue, "rows", all.subspan(begin, std::min<std::size_t>(limit, all.size() - begin)), json);
  json.end_object();
  return json_response(json);
}

// What the index knows of a page: others with its text and of its cluster, and the matches of a look-up.
Answer<HttpResponse> KnownService::page(const RoutedTarget& target) const {
  const IndexCatalogue& catalogue = explorer_.catalogue();
  CallParameters parameters(target.parameters, {"page"});
  const std::uint32_t page = parameters.page("page", catalogue.size());
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  const Result<LookupOutcome> outcome = explorer_.matches_of(page, kMatchesShown, false);
  if (!outcome) return tl::unexpected<Refused>(refused_by_index(outcome.error()));
  JsonWriter json;
  json.begin_object();
  write_known_page(catalogue, page, json);
  write_known_pages(catalogue, "same_text", others(catalogue.text_pages(page), page), json);
  write_known_pages(catalogue, "same_cluster", others(catalogue.cluster_pages(catalogue.row(page).cluster), page),
                    json);
  write_matches(catalogue, *outcome, json);
  json.end_object();
  return json_response(json);
}

// Pages with equal texts share their profile, so a page is found by its text.
Answer<HttpResponse> KnownService::match(const RoutedTarget& target) const {
  const IndexCatalogue& catalogue = explorer_.catalogue();
  CallParameters parameters(target.parameters, {"a", "b"});
  const std::uint32_t a = parameters.page("a", catalogue.size());
  const std::uint32_t b = parameters.page("b", catalogue.size());
  if (a == b) parameters.refuse_value("a and b are the same page");
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  const Result<LookupOutcome> outcome = explorer_.matches_of(a, kMatchesSearched, true);
  if (!outcome) return tl::unexpected<Refused>(refused_by_index(outcome.error()));
  const auto found = std::find_if(outcome->matches.begin(), outcome->matches.end(),
                                  [&](const IndexMatch& match) { return match.page.text == catalogue.row(b).text; });
  JsonWriter json;
  json.begin_object();
  for (const auto& [name, page] : {std::pair("a", a), std::pair("b", b)}) {
    const Result<Profile> profile = explorer_.index().get_profile(catalogue.id(page));
    if (!profile) return tl::unexpected<Refused>(refused_by_index(profile.error()));
    json.key(name);
    json.begin_object();
    write_known_page(catalogue, page, json);
    write_paragraphs("paragraphs", *profile, json);
    json.end_object();
  }
  json.member("is_found", found != outcome->matches.end());
  if (found != outcome->matches.end()) {
    write_match_scores(*found, json);
    write_passages(json, found->spans);
  }
  json.end_object();
  return json_response(json);
}

}  // namespace paraprint::inline explorer::inline known
