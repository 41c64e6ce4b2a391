// The calls that show what the run decided: its state and figures, pages, clusters and pairs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "paraprint/engine.h"
#include "report/text_safety.h"
#include "view/call_input.h"
#include "view/copies/origin_json.h"
#include "view/page_search.h"
#include "view/view_rows.h"
#include "view/view_service.h"

namespace paraprint::inline explorer {
namespace {

constexpr std::uint64_t kRowsUsual = 50;
constexpr std::uint64_t kRowsMaximum = 500;
constexpr std::size_t kTitlesMaximum = 60;
constexpr std::uint64_t kOffsetMaximum = UINT32_MAX;
// One step of a search in texts; the page asks for the next one.
constexpr std::chrono::milliseconds kTextSearchTime{700};

void write_score_bars(const RunFigures& figures, JsonWriter& json) {
  json.key("scores");
  json.begin_array();
  for (const auto& bar : figures.scores()) {
    json.begin_object();
    for (std::size_t verdict = 0; verdict < bar.size(); ++verdict) {
      if (bar[verdict] > 0) json.member(verdict_name(static_cast<Verdict>(verdict)), bar[verdict]);
    }
    json.end_object();
  }
  json.end_array();
}

PageQuery page_query_of(CallParameters& parameters, bool has_origins) {
  PageQuery query;
  query.url = parameters.text("url");
  query.host = parameters.text("host");
  query.id = parameters.text("id");
  query.fate = parameters.text("fate");
  query.language = parameters.text("language");
  query.title = parameters.text("title");
  query.text = parameters.text("text");
  query.score_minimum = parameters.share("score_minimum", 0);
  query.score_maximum = parameters.share("score_maximum", 1);
  query.characters_minimum = static_cast<std::uint32_t>(parameters.number("characters_minimum", 0, UINT32_MAX));
  query.characters_maximum =
      static_cast<std::uint32_t>(parameters.number("characters_maximum", UINT32_MAX, UINT32_MAX));
  query.cluster_pages_minimum = static_cast<std::uint32_t>(parameters.number("cluster_pages_minimum", 1, UINT32_MAX));
  query.cluster = static_cast<std::uint32_t>(parameters.number("cluster", 0, UINT32_MAX));
  query.published_from = parameters.day("published_from");
  query.published_to = parameters.day("published_to");
  query.source = parameters.text("source");
  const std::string origin = parameters.text("origin");
  if (origin == "first" || origin == "copy") {
    query.origin = origin == "first" ? OriginQuery::kFirst : OriginQuery::kCopy;
  } else if (!origin.empty()) {
    parameters.refuse_value("origin must be first or copy");
  }
  if (query.asks_for_origin() && !has_origins) {
    parameters.refuse_value("the run has no provenance.jsonl, which dates and sources come from");
  }
  const std::string order = parameters.text("order");
  const std::optional<ListOrder> known = list_order_of(order.empty() ? "place" : order);
  if (!known) parameters.refuse_value("order must be place, score, -score, -size or -cluster");
  query.order = known.value_or(ListOrder::kPlace);
  return query;
}

void write_page_rows(const Explorer& explorer, std::span<const std::uint32_t> pages, JsonWriter& json) {
  json.key("rows");
  json.begin_array();
  for (const std::uint32_t page : pages) {
    json.begin_object();
    write_page_members(explorer, page, json);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

Answer<HttpResponse> ViewService::state() const {
  const RunStore& store = explorer_.store();
  const RunTotals& totals = store.totals();
  const LoadingStep step = explorer_.step();
  JsonWriter json;
  json.begin_object();
  json.member("version", version());
  json.member("folder", store.options().output.out);
  json.member("command", totals.command);
  json.member("pages", totals.pages);
  json.member("kept", totals.kept);
  json.member("removed", totals.removed);
  json.member("clusters", totals.clusters);
  json.member("broken", totals.broken);
  json.member("near", ExactReal{store.options().match.near});
  json.member("containment", ExactReal{store.options().match.containment});
  json.member("keep", store.options().survivors.keep);
  json.member("algorithm", store.options().profile.algorithm);
  json.member("is_ready", explorer_.is_ready());
  json.member("has_thresholds", explorer_.has_outcomes());
  json.member("stage", step.stage);
  json.member("done", step.done);
  json.member("total", step.total);
  if (explorer_.is_ready()) {
    json.member("no_texts", store.no_texts());
    json.member("no_thresholds", store.no_thresholds());
    json.member("has_provenance", explorer_.origins().is_there());
    json.member("is_traced", store.options().output.provenance);
    json.key("warnings");
    json.value(std::span<const std::string>(store.warnings()));
  }
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> ViewService::overview() const {
  const RunFigures& figures = explorer_.figures();
  JsonWriter json;
  json.begin_object();
  json.key("fates");
  json.begin_object();
  for (std::size_t fate = 0; fate < kPageFates; ++fate) {
    json.member(fate_name(static_cast<PageFate>(fate)), figures.fates()[fate]);
  }
  json.end_object();
  write_cluster_sizes(figures.cluster_sizes(), json);
  write_score_bars(figures, json);
  write_counts("languages", figures.languages(), json);
  write_counts("periods", figures.periods().periods, json);
  json.member("pages_without_date", figures.periods().pages_without_date);
  write_host_matrix(figures.hosts(), figures.matrix(), json);
  write_provenance_state(explorer_.origins(), json);
  write_origin_figures(explorer_.origin_figures(), json);
  write_page_rows(explorer_, figures.largest_clusters(), json);
  json.end_object();
  return json_response(json);
}

// Without title and text, all pages are looked at, so the total is exact. With them, one step is taken, and the page
// asks for the next one from where it ended.
Answer<HttpResponse> ViewService::find_pages(const RoutedTarget& target) {
  CallParameters parameters(target.parameters, {"url",
                                                "host",
                                                "id",
                                                "fate",
                                                "language",
                                                "title",
                                                "text",
                                                "score_minimum",
                                                "score_maximum",
                                                "characters_minimum",
                                                "characters_maximum",
                                                "cluster_pages_minimum",
                                                "cluster",
                                                "published_from",
                                                "published_to",
                                                "source",
                                                "origin",
                                                "order",
                                                "offset",
                                                "limit",
                                                "from",
                                                "format"});
  const PageQuery query = page_query_of(parameters, explorer_.origins().is_there());
  const std::string format = parameters.export_format();
  const std::uint64_t offset = parameters.number("offset", 0, kOffsetMaximum);
  const std::uint64_t limit = parameters.number("limit", kRowsUsual, kRowsMaximum);
  const auto from = static_cast<std::uint32_t>(parameters.number("from", 0, UINT32_MAX));
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  JsonWriter json;
  json.begin_object();
  if (!query.title.empty() || !query.text.empty()) {
    if (!explorer_.store().no_texts().empty()) return refuse(Refusal::kUnknownId, explorer_.store().no_texts());
    const Result<TextSearchStep> step =
        search_texts(explorer_.store(), explorer_.figures(), explorer_.origins(), explorer_.texts(), query, from,
                     static_cast<std::size_t>(limit), kTextSearchTime);
    if (!step) return tl::unexpected<Refused>(refused_by_run(step.error()));
    if (format == "tsv") return file_response("text/tab-separated-values", pages_as_table(explorer_, step->found));
    if (format == "jsonl") return file_response("application/x-ndjson", pages_as_lines(explorer_, step->found));
    json.member("pages_read", step->pages_read);
    json.key("next");
    step->next_page ? json.value(*step->next_page) : json.null();
    write_page_rows(explorer_, step->found, json);
    json.end_object();
    return json_response(json);
  }
  const RecentSearches::Pages found = searches_.find(target.parameters, [&] {
    return explorer::find_pages(explorer_.store(), explorer_.figures(), explorer_.origins(), query);
  });
  const std::span<const std::uint32_t> all(*found);
  const std::span<const std::uint32_t> exported = all.first(std::min(all.size(), kExportedRowsMaximum));
  if (format == "tsv") return file_response("text/tab-separated-values", pages_as_table(explorer_, exported));
  if (format == "jsonl") return file_response("application/x-ndjson", pages_as_lines(explorer_, exported));
  const std::size_t begin = std::min<std::size_t>(offset, all.size());
  json.member("total", all.size());
  json.member("offset", offset);
  write_page_rows(explorer_, all.subspan(begin, std::min<std::size_t>(limit, all.size() - begin)), json);
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> ViewService::titles(const RoutedTarget& target) {
  CallParameters parameters(target.parameters, {"pages"});
  std::vector<std::uint32_t> pages = parameters.page_list("pages", explorer_.store().pages().size(), kTitlesMaximum);
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  const auto titles = explorer_.texts().titles(pages);
  if (!titles) return tl::unexpected<Refused>(refused_by_run(titles.error()));
  JsonWriter json;
  json.begin_object();
  for (const auto& [page, title] : *titles) json.member(fmt::format("{}", page), title);
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> ViewService::find_pairs(const RoutedTarget& target) const {
  CallParameters parameters(target.parameters,
                            {"score_minimum", "score_maximum", "verdict", "url", "order", "offset", "limit", "format"});
  PairQuery query;
  query.score_minimum = parameters.share("score_minimum", 0);
  query.score_maximum = parameters.share("score_maximum", 1);
  query.verdict = parameters.text("verdict");
  query.url = parameters.text("url");
  const std::string order = parameters.text("order");
  query.is_descending = order == "-score";
  if (!order.empty() && order != "score" && order != "-score") parameters.refuse_value("order must be score or -score");
  const std::string format = parameters.export_format();
  const std::uint64_t offset = parameters.number("offset", 0, kOffsetMaximum);
  const std::uint64_t limit = parameters.number("limit", kRowsUsual, kRowsMaximum);
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  const ListedPairs found =
      explorer::find_pairs(explorer_.store(), explorer_.sweep(), query, format.empty() ? offset : 0,
                           format.empty() ? static_cast<std::size_t>(limit) : kExportedRowsMaximum);
  if (format == "tsv") return file_response("text/tab-separated-values", pairs_as_table(explorer_, found.pairs));
  if (format == "jsonl") return file_response("application/x-ndjson", pairs_as_lines(explorer_, found.pairs));
  JsonWriter json;
  json.begin_object();
  json.member("total", found.total);
  json.member("offset", offset);
  json.key("rows");
  json.begin_array();
  for (const std::uint32_t pair : found.pairs) write_pair_row(explorer_.store(), explorer_.rulings(), pair, json);
  json.end_array();
  json.end_object();
  return json_response(json);
}

// The texts may be gone; what is known of the two pages is shown all the same.
Answer<HttpResponse> ViewService::pair(const RoutedTarget& target) {
  const RunStore& store = explorer_.store();
  CallParameters parameters(target.parameters, {"a", "b"});
  const std::uint32_t a = parameters.page("a", store.pages().size());
  const std::uint32_t b = parameters.page("b", store.pages().size());
  if (a == b) parameters.refuse_value("a and b are the same page");
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  JsonWriter compared;
  compared.begin_object();
  for (const auto& [name, page] : {std::pair("a", a), std::pair("b", b)}) {
    compared.key(name);
    compared.begin_object();
    write_page_members(explorer_, page, compared);
    compared.end_object();
  }
  compared.member("ruling", ruling_name(explorer_.rulings().find(a, b)));
  const Status written = explorer_.texts().write_pair(a, b, compared);
  if (!written && written.error().code != ErrorCode::kNotFound) {
    return tl::unexpected<Refused>(refused_by_run(written.error()));
  }
  if (!written) compared.member("no_texts", written.error().message);
  compared.end_object();
  return json_response(compared);
}

}  // namespace paraprint::inline explorer
