// Which pages the revisit records of the input are copies of. Captures are found by place in the input, and pages are
// in that order, so a page is found by binary search.
#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "engine/output_stage.h"
#include "paraprint/engine.h"
#include "payloads/revisit_links.h"
#include "report/json_writer.h"

namespace paraprint::inline engine {
namespace {

// In the order of LinkWay; in input-revisits.jsonl and, with _ for -, in summary.json.
constexpr std::array<std::string_view, kLinkWayCount> kWayNames = {"id", "address-and-date", "address-and-digest",
                                                                   "previous-capture", "nothing"};
constexpr std::array<std::string_view, kLinkWayCount> kWayCounters = {"found_by_id", "found_by_address_and_date",
                                                                      "found_by_address_and_digest",
                                                                      "found_by_previous_capture", "not_found"};

std::optional<std::uint32_t> page_at(const PageTable& pages, const RecordPlace& place) {
  std::uint32_t first = 0;
  std::uint32_t last = pages.size();
  while (first < last) {
    const std::uint32_t middle = first + (last - first) / 2;
    const RecordLocation& location = pages.row(middle).location;
    const std::strong_ordering order = RecordPlace{location.file_index, location.ordinal} <=> place;
    if (std::is_eq(order)) return middle;
    (std::is_lt(order) ? first : last) = std::is_lt(order) ? middle + 1 : middle;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> page_of(const PageTable& pages, const RevisitLink& link) {
  return link.way == LinkWay::kNotFound ? std::nullopt : page_at(pages, link.target);
}

// Whether the profile says that the body is that of the record referred to.
bool has_body_of_target(std::string_view profile) {
  return profile.ends_with("/revisit/identical-payload-digest") || profile.ends_with("/revisit/server-not-modified");
}

// What the run found out about the body: how it relates to the page that is kept for it.
void write_relation(JsonWriter& json, std::uint32_t page, const PageTable& pages, const Decisions& decisions) {
  const std::optional<KnownPage> known = decisions.known.find(page);
  const PageCluster& cluster = decisions.clustering.pages[page];
  json.member("verdict", verdict_name(known ? known->verdict : cluster.verdict));
  json.member("kept_id", known ? std::string_view(known->id) : pages.id(cluster.kept_page));
  json.member("kept_url", known ? std::string_view(known->url) : pages.url(cluster.kept_page));
}

void write_link(JsonWriter& json, const RevisitLink& link, const std::vector<InputFile>& inputs, const PageTable& pages,
                const Decisions& decisions, const OutputRows& rows, const RevisitLinks& links) {
  const LinkedText revisit = links.text(link.revisit_text);
  json.begin_object();
  json.member("id", revisit.id);
  json.member("url", revisit.url);
  json.member("date", revisit.date);
  json.member("profile", revisit.profile);
  json.member("found_by", kWayNames[static_cast<std::size_t>(link.way)]);
  if (link.way != LinkWay::kNotFound) {
    const LinkedText target = links.text(link.target_text);
    json.member("refers_to_id", target.id);
    json.member("refers_to_url", target.url);
    json.member("refers_to_date", target.date);
  }
  if (const std::optional<std::uint32_t> page = page_of(pages, link)) {
    json.member("page_id", pages.id(*page));
    json.member("cluster", std::uint64_t{rows.cluster_numbers[*page]});
    const bool is_compared = !is_in_other_language(decisions, *page);
    if (is_compared && has_body_of_target(revisit.profile)) write_relation(json, *page, pages, decisions);
  }
  json.member("file", inputs[link.revisit.file].path);
  json.member("offset_bytes", revisit.offset_bytes);
  json.end_object();
}

}  // namespace

Result<InputRevisits> pages_of_links(RevisitLinks&& links, const PageTable& pages) {
  InputRevisits revisits(pages.budget());
  revisits.links = std::move(links);
  revisits.referred_to.resize(pages.size());
  for (const RecordPlace& place : revisits.links.referred_to) {
    if (const std::optional<std::uint32_t> page = page_at(pages, place)) revisits.referred_to[*page] = true;
  }
  PARAPRINT_TRY(pages.budget()->status());
  return revisits;
}

Result<InputRevisits> find_input_revisits(const RunSetup& run, const ReadOutcome& read, ProgressReporter& progress) {
  if (read.inputs_with_revisits.empty() || !run.options.output.records) return InputRevisits(&run.budget);
  const LinkSources sources{run.inputs, read.inputs_with_revisits, run.options.reading, read.inputs_ended_early,
                            run.threads};
  PARAPRINT_ASSIGN(RevisitLinks links, find_revisit_links(sources, &run.budget, progress));
  return pages_of_links(std::move(links), read.pages);
}

Counters count_input_revisits(const InputRevisits& revisits, const PageTable& pages, const Decisions& decisions) {
  Counters counters;
  for (const RevisitLink& link : revisits.links.links) {
    count(counters, kWayCounters[static_cast<std::size_t>(link.way)]);
    if (page_of(pages, link)) count(counters, "of_pages");
  }
  for (std::uint32_t page = 0; page < revisits.referred_to.size(); ++page) {
    if (!revisits.referred_to[page]) continue;
    count(counters, "pages_referred_to");
    if (!is_kept(decisions, page)) count(counters, "pages_kept_for_revisits");
  }
  return counters;
}

Status write_input_revisits(const std::string& path, const std::vector<InputFile>& inputs, const PageTable& pages,
                            const Decisions& decisions, const OutputRows& rows, const InputRevisits& revisits) {
  if (revisits.links.links.empty()) return {};
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  JsonWriter json;
  for (const RevisitLink& link : revisits.links.links) {
    write_link(json, link, inputs, pages, decisions, rows, revisits.links);
    PARAPRINT_TRY(file.write(json.take() + "\n"));
  }
  return file.commit();
}

}  // namespace paraprint::inline engine
