// Writes the files, each atomically, index.html last, so that a report that has one is complete.
#include "lab/extraction/extraction_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "lab/evaluate/json_figures.h"
#include "text/csv_field.h"

namespace paraprint::inline lab::inline extraction {
namespace {

void put_means(JsonWriter& json, std::string_view extractor, const ExtractionScores& scores) {
  json.member("extractor", extractor);
  json.member("precision", figure_of(scores.precision));
  json.member("recall", figure_of(scores.recall));
  json.member("f1", figure_of(scores.f1));
  json.member("median_f1", figure_of(scores.median_f1));
  json.member("correct_share", figure_of(scores.correct_share));
  json.member("bad_share", figure_of(scores.bad_share));
  json.member("f1_difference", figure_of(scores.f1_difference));
  json.member("correct_share_difference", figure_of(scores.correct_difference));
}

void put_intervals(JsonWriter& json, const ExtractionScores& scores) {
  json.member("correct", scores.correct);
  json.member("bad", scores.bad);
  put_interval(json, "f1_bootstrap_95", scores.f1_interval);
  put_interval(json, "correct_share_bootstrap_95", scores.correct_interval);
  put_interval(json, "bad_share_bootstrap_95", scores.bad_interval);
  put_interval(json, "f1_difference_bootstrap_95", scores.f1_difference_interval);
  put_interval(json, "correct_share_difference_bootstrap_95", scores.correct_difference_interval);
}

void put_group(JsonWriter& json, const ExtractionEvaluation& evaluation, const ExtractionGroup& group,
               bool is_mean = false) {
  json.begin_object();
  json.member("name", group.name);
  json.member(is_mean ? "sources" : "pages", group.pages);
  json.key("extractors");
  json.begin_array();
  for (std::size_t i = 0; i < group.scores.size(); ++i) {
    json.begin_object();
    put_means(json, evaluation.extractors[i], group.scores[i]);
    if (!is_mean) put_intervals(json, group.scores[i]);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void put_groups(JsonWriter& json, std::string_view name, const ExtractionEvaluation& evaluation,
                const std::vector<ExtractionGroup>& groups) {
  json.key(name);
  json.begin_array();
  for (const ExtractionGroup& group : groups) put_group(json, evaluation, group);
  json.end_array();
}

void put_poorest(JsonWriter& json, const ExtractionEvaluation& evaluation) {
  json.key("poorest");
  json.begin_array();
  for (std::size_t i = 0; i < evaluation.extractors.size(); ++i) {
    json.begin_object();
    json.member("extractor", evaluation.extractors[i]);
    json.key("pages");
    json.begin_array();
    for (const PoorlyExtractedPage& page : evaluation.poorest[i]) {
      json.begin_object();
      json.member("id", page.id);
      json.member("source", page.source);
      json.member("precision", figure_of(page.precision));
      json.member("recall", figure_of(page.recall));
      json.member("f1", figure_of(page.f1));
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

// A row per page and extractor, by source and id. Written in pieces, because there may be millions.
Status write_pages(const std::string& path, const ExtractionEvaluation& evaluation, const ScoredPages& scored) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  std::vector<std::uint32_t> order(scored.pages.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t page) {
    return std::tie(scored.sources[scored.pages[page].source], scored.pages[page].id);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
  PARAPRINT_TRY(file.write("id,source,page_type,language,extractor,precision,recall,f1\n"));
  for (const std::uint32_t number : order) {
    const ScoredPage& page = scored.pages[number];
    const std::string head =
        fmt::format("{},{},{},{}", csv_field(page.id), csv_field(scored.sources[page.source]),
                    csv_field(scored.page_types[page.page_type]), csv_field(scored.languages[page.language]));
    for (std::size_t i = 0; i < scored.extractors; ++i) {
      const Rates& rates = scored.of(number, i);
      PARAPRINT_TRY(file.write(fmt::format("{},{},{:.6f},{:.6f},{:.6f}\n", head, csv_field(evaluation.extractors[i]),
                                           rates.precision, rates.recall, rates.f1)));
    }
  }
  return file.commit();
}

}  // namespace

std::string extraction_json(const ExtractionEvaluation& evaluation) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("seed", evaluation.seed);
  json.member("bootstrap_rounds", evaluation.bootstrap_rounds);
  json.member("correct_from_f1", figure_of(kCorrectF1));
  json.member("bad_below_f1", figure_of(kBadF1));
  json.member("pages", evaluation.pages);
  json.member("broken_lines", evaluation.broken_lines);
  json.member("unreadable_inputs", evaluation.unreadable_inputs);
  json.key("all");
  put_group(json, evaluation, evaluation.all);
  json.key("without_tools");
  put_group(json, evaluation, evaluation.without_tools);
  json.key("mean_of_sources");
  put_group(json, evaluation, evaluation.mean_of_sources, true);
  put_groups(json, "by_page_type", evaluation, evaluation.by_page_type);
  put_groups(json, "by_language", evaluation, evaluation.by_language);
  put_groups(json, "by_source", evaluation, evaluation.by_source);
  put_poorest(json, evaluation);
  json.end_object();
  return json.take() + "\n";
}

std::string extraction_timing_json(const ExtractionEvaluation& evaluation) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("threads", std::uint64_t{evaluation.threads});
  json.key("extractors");
  json.begin_array();
  for (std::size_t i = 0; i < evaluation.extractors.size(); ++i) {
    json.begin_object();
    json.member("extractor", evaluation.extractors[i]);
    json.member("seconds", Real{evaluation.costs[i].seconds, kSecondsDigits});
    json.member("pages_per_second", Real{evaluation.costs[i].pages_per_second, kSecondsDigits});
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

Status write_extraction(const std::string& folder, const ExtractionEvaluation& evaluation, const ScoredPages& scored) {
  PARAPRINT_TRY(create_folders(folder));
  PARAPRINT_TRY(write_pages(folder + "/pages.csv", evaluation, scored));
  PARAPRINT_TRY(write_file_atomically(folder + "/timing.json", extraction_timing_json(evaluation)));
  PARAPRINT_TRY(write_file_atomically(folder + "/results.json", evaluation.json));
  PARAPRINT_TRY(create_folders(folder + "/report"));
  return write_file_atomically(folder + "/report/index.html", extraction_page(evaluation));
}

}  // namespace paraprint::inline lab::inline extraction
