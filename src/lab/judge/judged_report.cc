// Tables of a judged sample for terminals and programs. Labels, names and ids come from files, so they are made safe
// for what shows them.
#include "lab/judge/judged_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "lab/evaluate/json_figures.h"
#include "report/json_writer.h"
#include "report/text_safety.h"
#include "text/csv_field.h"

namespace paraprint::inline lab::inline judge {
namespace {

constexpr std::size_t kNameColumns = 24;

std::string shown(std::string_view text) {
  std::string out;
  append_terminal_text(out, text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

std::string counts_line(const JudgedEvaluation& evaluation) {
  std::string out = fmt::format("sample {}: {} of {} pairs of different texts, on {} pages\n", shown(evaluation.sample),
                                evaluation.sampled, evaluation.pooled_pairs, evaluation.pages);
  out += fmt::format("{} judged, {} undecided, {} not judged", evaluation.decided, evaluation.undecided,
                     evaluation.unjudged);
  if (evaluation.missing > 0) out += fmt::format(" ({} of them not in the files)", evaluation.missing);
  if (evaluation.unusable_lines > 0) out += fmt::format("; {} unusable lines", evaluation.unusable_lines);
  if (evaluation.pairs_borrowed > 0) {
    out += fmt::format("; {} pairs in strata that nobody judged, taken to be like the nearest stratum",
                       evaluation.pairs_borrowed);
  }
  return out + "\n";
}

std::string judges_lines(const JudgedEvaluation& evaluation) {
  std::string out = fmt::format("\n{:<{}} {:>6} {:>6} {:>6} {:>8}\n", "judge", kNameColumns, "y", "n", "?", "revised");
  for (const JudgeFigures& judge : evaluation.judges) {
    out += fmt::format("{:<{}} {:>6} {:>6} {:>6} {:>8}\n", shown(judge.name), kNameColumns, judge.copies,
                       judge.different, judge.unsure, judge.revised);
  }
  for (const JudgeAgreement& agreement : evaluation.agreement) {
    out += fmt::format("{} and {}: {} pairs, {} judged alike, kappa {}\n", shown(agreement.judge_a),
                       shown(agreement.judge_b), agreement.pairs, agreement.agreed,
                       agreement.kappa ? fmt::format("{:.3f}", *agreement.kappa) : "-");
  }
  return out;
}

void put_share(JsonWriter& json, std::string_view name, const JudgedShare& share) {
  json.key(name);
  if (!share.is_known) {
    json.null();
    return;
  }
  json.begin_object();
  json.member("estimate", figure_of(share.estimate));
  put_interval(json, "interval", share.interval);
  json.end_object();
}

void put_algorithms(JsonWriter& json, const JudgedEvaluation& evaluation) {
  json.key("algorithms");
  json.begin_array();
  for (const JudgedAlgorithm& algorithm : evaluation.algorithms) {
    json.begin_object();
    json.member("algorithm", algorithm.label);
    json.member("settings", algorithm.canonical);
    json.member("threshold", figure_of(algorithm.threshold));
    json.member("pairs", algorithm.pairs);
    json.member("judged_pairs", algorithm.judged_pairs);
    json.member("judged_copies", algorithm.judged_copies);
    put_share(json, "precision", algorithm.precision);
    put_share(json, "pooled_recall", algorithm.pooled_recall);
    put_share(json, "recall", algorithm.recall);
    json.end_object();
  }
  json.end_array();
}

void put_strata(JsonWriter& json, const JudgedEvaluation& evaluation) {
  json.key("strata");
  json.begin_array();
  for (const JudgedStratum& stratum : evaluation.strata) {
    json.begin_object();
    json.member("found_by", stratum.found_by);
    json.member("band", stratum.band);
    json.member("pairs", stratum.pairs);
    json.member("sampled", stratum.sampled);
    json.member("judged", stratum.judged);
    json.member("copies", stratum.copies);
    json.end_object();
  }
  json.end_array();
}

void put_judges(JsonWriter& json, const JudgedEvaluation& evaluation) {
  json.key("judges");
  json.begin_array();
  for (const JudgeFigures& judge : evaluation.judges) {
    json.begin_object();
    json.member("judge", judge.name);
    json.member("y", judge.copies);
    json.member("n", judge.different);
    json.member("unsure", judge.unsure);
    json.member("revised", judge.revised);
    json.end_object();
  }
  json.end_array();
  json.key("agreement");
  json.begin_array();
  for (const JudgeAgreement& agreement : evaluation.agreement) {
    json.begin_object();
    json.member("judge_a", agreement.judge_a);
    json.member("judge_b", agreement.judge_b);
    json.member("pairs", agreement.pairs);
    json.member("agreed", agreement.agreed);
    json.key("kappa");
    agreement.kappa ? json.value(figure_of(*agreement.kappa)) : json.null();
    json.end_object();
  }
  json.end_array();
  json.key("disputed");
  json.begin_array();
  for (const DisputedPair& pair : evaluation.disputed) {
    json.begin_object();
    json.member("pair", pair.pair);
    json.member("id_a", pair.id_a);
    json.member("id_b", pair.id_b);
    json.key("votes");
    json.value(std::span<const std::string>(pair.votes));
    json.member("decision", pair.decision);
    json.end_object();
  }
  json.end_array();
}

std::string csv_share(const JudgedShare& share) {
  if (!share.is_known) return ",,,";
  return fmt::format(",{:.6f},{:.6f},{:.6f}", share.estimate, share.interval.low, share.interval.high);
}

}  // namespace

std::string share_text(const JudgedShare& share) {
  return share.is_known ? fmt::format("{:.3f}", share.estimate) : "-";
}

std::string interval_text(const JudgedShare& share) {
  return share.is_known ? fmt::format("{:.3f}-{:.3f}", share.interval.low, share.interval.high) : "-";
}

std::string judged_table(const JudgedEvaluation& evaluation, std::uint32_t shown_pairs) {
  std::string out = counts_line(evaluation);
  out += fmt::format("\n{:<{}} {:>9} {:>7} {:>6} {:>12} {:>9} {:>12} {:>6} {:>12}\n", "algorithm", kNameColumns,
                     "pairs", "judged", "P", "95 %", "pooled R", "95 %", "R", "95 %");
  for (const JudgedAlgorithm& algorithm : evaluation.algorithms) {
    out += fmt::format("{:<{}} {:>9} {:>7} {:>6} {:>12} {:>9} {:>12} {:>6} {:>12}\n", shown(algorithm.label),
                       kNameColumns, algorithm.pairs, algorithm.judged_pairs, share_text(algorithm.precision),
                       interval_text(algorithm.precision), share_text(algorithm.pooled_recall),
                       interval_text(algorithm.pooled_recall), share_text(algorithm.recall),
                       interval_text(algorithm.recall));
  }
  out += judges_lines(evaluation);
  if (evaluation.disputed_pairs > 0) out += fmt::format("{} pairs are disputed\n", evaluation.disputed_pairs);
  for (std::size_t i = 0; i < evaluation.disputed.size() && i < shown_pairs; ++i) {
    const DisputedPair& pair = evaluation.disputed[i];
    std::string votes;
    for (const std::string& vote : pair.votes) votes += (votes.empty() ? "" : ", ") + vote;
    out += fmt::format("  {}  {}  {}  {}; counts as {}\n", pair.pair, shown(pair.id_a), shown(pair.id_b), shown(votes),
                       pair.decision);
  }
  return out;
}

std::string judged_json(const JudgedEvaluation& evaluation) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("sample", evaluation.sample);
  json.member("pages", evaluation.pages);
  json.member("equal_texts", evaluation.equal_texts);
  json.member("pooled_pairs", evaluation.pooled_pairs);
  json.member("sampled", evaluation.sampled);
  json.member("decided", evaluation.decided);
  json.member("undecided", evaluation.undecided);
  json.member("unjudged", evaluation.unjudged);
  json.member("missing", evaluation.missing);
  json.member("unusable_lines", evaluation.unusable_lines);
  json.member("pairs_borrowed", evaluation.pairs_borrowed);
  json.member("disputed_pairs", evaluation.disputed_pairs);
  put_algorithms(json, evaluation);
  put_strata(json, evaluation);
  put_judges(json, evaluation);
  json.end_object();
  return json.take() + "\n";
}

std::string judged_csv(const JudgedEvaluation& evaluation) {
  std::string out =
      "algorithm,settings,pairs,judged_pairs,judged_copies,precision,precision_low,precision_high,pooled_recall,"
      "pooled_recall_low,pooled_recall_high,recall,recall_low,recall_high\n";
  for (const JudgedAlgorithm& algorithm : evaluation.algorithms) {
    out += fmt::format("{},{},{},{},{}", csv_field(algorithm.label), csv_field(algorithm.canonical), algorithm.pairs,
                       algorithm.judged_pairs, algorithm.judged_copies);
    out += csv_share(algorithm.precision) + csv_share(algorithm.pooled_recall) + csv_share(algorithm.recall) + "\n";
  }
  return out;
}

Status write_judged(const std::string& folder, const JudgedEvaluation& evaluation) {
  PARAPRINT_TRY(create_folders(folder + "/report"));
  PARAPRINT_TRY(write_file_atomically(folder + "/results.csv", judged_csv(evaluation)));
  PARAPRINT_TRY(write_file_atomically(folder + "/results.json", evaluation.json));
  return write_file_atomically(folder + "/report/index.html", judged_page(evaluation));
}

}  // namespace paraprint::inline lab::inline judge
