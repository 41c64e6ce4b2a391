// The calls about decisions: clusters, other thresholds, rulings and judgements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraprint/engine.h"
#include "view/call_input.h"
#include "view/copies/origin_json.h"
#include "view/view_rows.h"
#include "view/view_service.h"

namespace paraprint::inline explorer {
namespace {

constexpr std::uint64_t kMembersUsual = 100;
constexpr std::uint64_t kMembersMaximum = 500;
// Pairs shown on each side of a threshold.
constexpr std::size_t kPairsAtBorder = 8;
constexpr double kSameThreshold = 1e-9;

// A word of a shell command.
std::string shell_word(const std::string& text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.' ||
           c == '-' || c == '_';
  });
  if (is_plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// With the files of rulings, if there is anything in them.
std::string recluster_command(const RunStore& store, const RulingFiles& rulings, std::optional<double> near) {
  std::string command = fmt::format("paraprint recluster {}", shell_word(store.options().output.out));
  // Without them, it would start from the options of dedup.
  const double in_force = near.value_or(store.options().match.near);
  if (near || store.totals().command == "recluster") command += fmt::format(" --near {}", in_force);
  for (const std::string& flag : store.totals().recluster_flags) command += " " + shell_word(flag);
  for (const auto& [flag, file] : {std::pair("--never", rulings.never()), std::pair("--always", rulings.always())}) {
    if (!file.pairs.empty()) command += fmt::format(" {} {}", flag, shell_word(file.path));
  }
  return command;
}

const ThresholdOutcome* outcome_at(const Explorer& explorer, double near) {
  for (const ThresholdOutcome& outcome : explorer.outcomes()) {
    if (std::abs(outcome.near - near) < kSameThreshold) return &outcome;
  }
  return nullptr;
}

void write_outcome(const RunStore& store, const ThresholdOutcome& outcome, JsonWriter& json) {
  json.member("near", ExactReal{outcome.near});
  json.member("kept", outcome.pages_kept);
  json.member("removed", store.pages().size() - outcome.pages_kept);
  json.member("clusters", outcome.clusters);
  json.member("largest", outcome.largest.empty() ? 0U : outcome.largest.front().pages);
}

void write_rulings(const RunStore& store, const RulingFiles& rulings, JsonWriter& json) {
  for (const auto& [name, file] : {std::pair("never", rulings.never()), std::pair("always", rulings.always())}) {
    json.key(name);
    json.begin_object();
    json.member("path", file.path);
    json.member("unknown", file.unknown);
    json.key("pairs");
    json.begin_array();
    for (const auto& [a, b] : file.pairs) {
      json.begin_object();
      write_page_name(store, "a", a, json);
      write_page_name(store, "b", b, json);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.member("command", recluster_command(store, rulings, std::nullopt));
}

Refused no_laboratory() {
  return {Refusal::kUnknownId, "this build of paraprint has no laboratory, which draws and evaluates samples"};
}

}  // namespace

// The cluster of a page as the run decided it or, with `near`, as it would be at another threshold.
Answer<HttpResponse> ViewService::cluster(const RoutedTarget& target) const {
  const RunStore& store = explorer_.store();
  CallParameters parameters(target.parameters, {"page", "near", "offset", "limit"});
  const std::uint32_t page = parameters.page("page", store.pages().size());
  const double near = parameters.share("near", store.options().match.near);
  const std::uint64_t offset = parameters.number("offset", 0, UINT32_MAX);
  const std::uint64_t limit = parameters.number("limit", kMembersUsual, kMembersMaximum);
  const bool is_own = std::abs(near - store.options().match.near) < kSameThreshold;
  if (!is_own && !store.no_thresholds().empty()) parameters.refuse_value(store.no_thresholds());
  if (near <= 0) parameters.refuse_value("near must be above 0");
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  ClusterAtThreshold found;
  if (is_own) {
    const SpillArray<PageCluster>& rows = store.decisions().clustering.pages;
    const std::span<const std::uint32_t> members = explorer_.figures().members(rows[page].kept_page);
    found.pages.assign(members.begin(), members.end());
    for (const std::uint32_t member : members) found.rows.push_back(rows[member]);
  } else {
    Result<ClusterAtThreshold> other = explorer_.sweep().cluster_of(page, near);
    if (!other) return tl::unexpected<Refused>(refused_by_run(other.error()));
    found = std::move(*other);
  }
  ProvenanceParser parser;
  JsonWriter json;
  json.begin_object();
  json.member("near", ExactReal{near});
  json.member("is_own", is_own);
  json.member("cluster", store.cluster_numbers()[page]);
  json.member("total", found.pages.size());
  json.member("offset", offset);
  json.key("kept");
  json.begin_object();
  write_page_members(explorer_, found.rows.front().kept_page, json);
  write_origin(explorer_.origins(), store.pages(), found.rows.front().kept_page, parser, json);
  json.end_object();
  json.key("rows");
  json.begin_array();
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < found.pages.size(); ++i) {
    const PageCluster& row = found.rows[i];
    if (found.pages[i] == row.kept_page) continue;
    const std::uint64_t place = at++;
    if (place < offset || place >= offset + limit) continue;
    json.begin_object();
    write_page_members(explorer_, found.pages[i], json);
    write_origin(explorer_.origins(), store.pages(), found.pages[i], parser, json);
    json.key("here");
    json.begin_object();
    json.member("verdict", verdict_name(row.verdict));
    json.member("score", Real{row.resemblance});
    json.member("containment", Real{row.containment});
    json.member("containment_kept", Real{row.containment_kept});
    json.member("reason", store.decisions().policy.reason(page_facts(store.pages(), row.kept_page),
                                                          page_facts(store.pages(), found.pages[i])));
    json.end_object();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json_response(json);
}

// The copies within the cluster of a page, as the run decided it; from one of its pages on, if that is given.
Answer<HttpResponse> ViewService::copies(const RoutedTarget& target) const {
  const RunStore& store = explorer_.store();
  CallParameters parameters(target.parameters, {"page", "from", "skip"});
  const std::uint32_t page = parameters.page("page", store.pages().size());
  std::optional<std::uint32_t> from;
  if (!parameters.text("from").empty()) from = parameters.page("from", store.pages().size());
  const std::uint64_t skipped = parameters.number("skip", 0, UINT32_MAX);
  if (skipped > 0 && !from) parameters.refuse_value("skip needs from, the page whose copies it is about");
  if (from && store.cluster_numbers()[*from] != store.cluster_numbers()[page]) {
    parameters.refuse_value("from must be a page of the same cluster");
  }
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  const std::uint32_t kept_page = store.decisions().clustering.pages[page].kept_page;
  JsonWriter json;
  json.begin_object();
  json.member("cluster", store.cluster_numbers()[page]);
  write_provenance_state(explorer_.origins(), json);
  if (explorer_.origins().is_there()) {
    write_copy_graph(explorer_.origins(), store.pages(), explorer_.figures().members(kept_page), from, skipped, json);
  }
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> ViewService::thresholds() const {
  const RunStore& store = explorer_.store();
  JsonWriter json;
  json.begin_object();
  json.member("own", ExactReal{store.options().match.near});
  json.member("is_ready", explorer_.has_outcomes());
  json.member("pages", store.pages().size());
  json.member("no_thresholds", store.no_thresholds());
  json.key("rows");
  json.begin_array();
  if (explorer_.has_outcomes()) {
    for (const ThresholdOutcome& outcome : explorer_.outcomes()) {
      json.begin_object();
      write_outcome(store, outcome, json);
      json.end_object();
    }
  }
  json.end_array();
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> ViewService::threshold(const RoutedTarget& target) const {
  const RunStore& store = explorer_.store();
  CallParameters parameters(target.parameters, {"near"});
  const double near = parameters.share("near", store.options().match.near);
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  if (!store.no_thresholds().empty()) return refuse(Refusal::kUnknownId, store.no_thresholds());
  if (!explorer_.has_outcomes()) return refuse(Refusal::kBusy, "the thresholds are still being computed");
  const ThresholdOutcome* const outcome = outcome_at(explorer_, near);
  if (outcome == nullptr) return refuse(Refusal::kBadParameter, "near must be one of the values of /api/thresholds");
  JsonWriter json;
  json.begin_object();
  write_outcome(store, *outcome, json);
  json.member("command", recluster_command(store, explorer_.rulings(), near));
  json.key("clusters_shown");
  json.begin_array();
  for (const ClusterHead& head : outcome->largest) {
    json.begin_object();
    json.member("pages", head.pages);
    write_page_name(store, "kept", head.kept_page, json);
    json.end_object();
  }
  json.end_array();
  // The pairs next to the threshold on both sides.
  const SpillArray<Match>& matches = store.matched().scored.matches;
  const std::span<const std::uint32_t> sorted = explorer_.sweep().pairs_by_score();
  const auto border = static_cast<std::size_t>(
      std::lower_bound(sorted.begin(), sorted.end(), near,
                       [&](std::uint32_t pair, double score) { return matches[pair].resemblance < score; }) -
      sorted.begin());
  const std::size_t first = border - std::min(border, kPairsAtBorder);
  const std::size_t last = std::min(sorted.size(), border + kPairsAtBorder);
  json.key("below");
  json.begin_array();
  for (std::size_t i = border; i > first; --i) write_pair_row(store, explorer_.rulings(), sorted[i - 1], json);
  json.end_array();
  json.key("above");
  json.begin_array();
  for (std::size_t i = border; i < last; ++i) write_pair_row(store, explorer_.rulings(), sorted[i], json);
  json.end_array();
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> ViewService::rulings() const {
  JsonWriter json;
  json.begin_object();
  write_rulings(explorer_.store(), explorer_.rulings(), json);
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> ViewService::rule(const RequestHead& head, std::string_view body) {
  const Answer<CallBody> read = read_call_body(head, body);
  if (!read) return tl::unexpected<Refused>(read.error());
  const std::uint32_t pages = explorer_.store().pages().size();
  if (!read->a || !read->b || *read->a >= pages || *read->b >= pages || *read->a == *read->b) {
    return refuse(Refusal::kBadField, "a and b must be the numbers of two pages");
  }
  PairRuling ruling = PairRuling::kNone;
  if (read->ruling == "never") {
    ruling = PairRuling::kNever;
  } else if (read->ruling == "always") {
    ruling = PairRuling::kAlways;
  } else if (read->ruling != "none") {
    return refuse(Refusal::kBadField, "ruling must be never, always or none");
  }
  const Status ruled =
      explorer_.rulings().rule(static_cast<std::uint32_t>(*read->a), static_cast<std::uint32_t>(*read->b), ruling);
  if (!ruled) return tl::unexpected<Refused>(refused_by_run(ruled.error()));
  return rulings();
}

Answer<HttpResponse> ViewService::judging(const RoutedTarget& target) {
  CallParameters parameters(target.parameters, {"number"});
  const std::uint64_t number = parameters.number("number", 0, UINT32_MAX);
  if (const Answer<void> refused = parameters.refused(); !refused) return tl::unexpected<Refused>(refused.error());
  if (!explorer_.no_judging().empty()) return refuse(Refusal::kBadField, explorer_.no_judging());
  if (explorer_.judging() == nullptr) return tl::unexpected<Refused>(no_laboratory());
  const std::lock_guard lock(explorer_.judging_mutex());
  JsonWriter json;
  json.begin_object();
  const Status written = explorer_.judging()->write_state(number, json);
  if (!written) return tl::unexpected<Refused>(refused_by_run(written.error()));
  json.end_object();
  return json_response(json);
}

Answer<HttpResponse> ViewService::draw_sample(const RequestHead& head, std::string_view body) {
  const Answer<CallBody> read = read_call_body(head, body);
  if (!read) return tl::unexpected<Refused>(read.error());
  if (explorer_.judging() == nullptr) return tl::unexpected<Refused>(no_laboratory());
  Status drawn;
  {
    const std::lock_guard lock(explorer_.judging_mutex());
    drawn = explorer_.judging()->draw(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(read->pairs.value_or(0), UINT32_MAX)),
        read->seed.value_or(1));
  }
  if (!drawn) return tl::unexpected<Refused>(refused_by_run(drawn.error()));
  return judging({});
}

Answer<HttpResponse> ViewService::judge(const RequestHead& head, std::string_view body) {
  const Answer<CallBody> read = read_call_body(head, body);
  if (!read) return tl::unexpected<Refused>(read.error());
  if (explorer_.judging() == nullptr) return tl::unexpected<Refused>(no_laboratory());
  if (!read->number || read->judgement.size() != 1 ||
      std::string_view("yn?").find(read->judgement) == std::string_view::npos) {
    return refuse(Refusal::kBadField, "a judgement needs the number of a pair, and y, n or ?");
  }
  Status judged;
  {
    const std::lock_guard lock(explorer_.judging_mutex());
    judged = explorer_.judging()->judge(*read->number, read->judgement.front());
  }
  if (!judged) return tl::unexpected<Refused>(refused_by_run(judged.error()));
  return judging({});
}

}  // namespace paraprint::inline explorer
