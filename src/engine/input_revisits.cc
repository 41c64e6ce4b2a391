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

// Whether the profile says that the body is that of the record referred to.
bool has_body_of_target(std::string_view profile) {
  return profile.ends_with("/revisit/identical-payload-digest") || profile.ends_with("/revisit/server-not-modified");
}

void write_link(JsonWriter& json, const RevisitLink& link, const std::vector<InputFile>& inputs,
                const RevisitLinks& links, const FindReferredPage& find) {
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
    if (const std::optional<ReferredPage> page = find(link.target)) {
      json.member("page_id", page->id);
      json.member("cluster", std::uint64_t{page->cluster});
      if (page->is_compared && has_body_of_target(revisit.profile)) {
        json.member("verdict", verdict_name(page->verdict));
        json.member("kept_id", page->kept_id);
        json.member("kept_url", page->kept_url);
      }
    }
  }
  json.member("file", inputs[link.revisit.file].path);
  json.member("offset_bytes", revisit.offset_bytes);
  json.end_object();
}

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

}  // namespace

FindReferredPage find_referred_page(const PageTable& pages, const Decisions& decisions, const OutputRows& rows) {
  return [&pages, &decisions, &rows](const RecordPlace& place) -> std::optional<ReferredPage> {
    const std::optional<std::uint32_t> page = page_at(pages, place);
    if (!page) return std::nullopt;
    const std::optional<KnownPage> known = decisions.known.find(*page);
    const PageCluster& cluster = decisions.clustering.pages[*page];
    ReferredPage found;
    found.id = pages.id(*page);
    found.cluster = rows.cluster_numbers[*page];
    found.is_kept = is_kept(decisions, *page);
    found.is_compared = !is_in_other_language(decisions, *page);
    found.verdict = known ? known->verdict : cluster.verdict;
    found.kept_id = known ? known->id : pages.id(cluster.kept_page);
    found.kept_url = known ? known->url : pages.url(cluster.kept_page);
    return found;
  };
}

Result<InputRevisits> find_input_revisits(const RunSetup& run, const ReadOutcome& read, ProgressReporter& progress) {
  if (read.inputs_with_revisits.empty() || !run.options.output.records) return InputRevisits(&run.budget);
  const LinkSources sources{run.inputs, read.inputs_with_revisits, run.options.reading, read.inputs_ended_early,
                            run.threads};
  PARAPRINT_ASSIGN(RevisitLinks links, find_revisit_links(sources, &run.budget, progress));
  return pages_of_links(std::move(links), read.pages);
}

Counters count_input_revisits(const RevisitLinks& links, const FindReferredPage& find) {
  Counters counters;
  for (const RevisitLink& link : links.links) {
    count(counters, kWayCounters[static_cast<std::size_t>(link.way)]);
    if (link.way != LinkWay::kNotFound && find(link.target)) count(counters, "of_pages");
  }
  for (const RecordPlace& place : links.referred_to) {
    const std::optional<ReferredPage> page = find(place);
    if (!page) continue;
    count(counters, "pages_referred_to");
    if (!page->is_kept) count(counters, "pages_kept_for_revisits");
  }
  return counters;
}

Status write_input_revisits(const std::string& path, const std::vector<InputFile>& inputs, const RevisitLinks& links,
                            const FindReferredPage& find) {
  if (links.links.empty()) return {};
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  JsonWriter json;
  for (const RevisitLink& link : links.links) {
    write_link(json, link, inputs, links, find);
    PARAPRINT_TRY(file.write(json.take() + "\n"));
  }
  return file.commit();
}

}  // namespace paraprint::inline engine
