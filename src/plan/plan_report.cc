// The plan for a terminal, and as JSON. Names of inputs are the user's and may hold anything; the command that prints
// them escapes what a terminal would act on.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "paraprint/plan.h"
#include "plan/plan_units.h"
#include "report/json_writer.h"

namespace paraprint::inline plan {

std::string bytes_text(double bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", bytes, decimals, kUnits[unit]);
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string count_text(double count, bool is_estimate) {
  double unit = 1;
  while (is_estimate && count / unit >= 999.5) unit *= 10;
  std::string digits = fmt::format("{:.0f}", std::round(count / unit) * unit);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace paraprint::inline plan

namespace paraprint {
namespace {

std::string percent_text(const PlannedRange& range) {
  if (range.upper - range.lower < 1e-9) return fmt::format("{:.1f} %", 100 * range.estimate);
  return fmt::format("{:.1f} % ({:.1f} to {:.1f} %)", 100 * range.estimate, 100 * range.lower, 100 * range.upper);
}

std::string range_text(const PlannedRange& range) {
  if (range.upper - range.lower < 0.5) return count_text(range.estimate, false);
  return fmt::format("about {} ({} to {})", count_text(range.estimate, true), count_text(range.lower, true),
                     count_text(range.upper, true));
}

void append_row(std::string& text, std::string_view name, std::string_view value) {
  text += fmt::format("  {:<22}{}\n", name, value);
}

void append_sample(std::string& text, const PlanOutcome& plan) {
  text += "Input\n";
  append_row(text, "stored", bytes_text(static_cast<double>(plan.input_bytes)));
  append_row(text, "pages", range_text(plan.pages));
  append_row(text, "sample",
             fmt::format("{} pages{}", count_text(static_cast<double>(plan.sampled_pages), false),
                         plan.is_whole ? ", which are all" : ""));
  if (plan.broken_records > 0) {
    append_row(text, "broken records", fmt::format("{}{}", plan.broken_records, plan.has_all_been_read ? "" : " met"));
  }
  if (plan.unreadable_inputs > 0) append_row(text, "unreadable inputs", fmt::format("{}", plan.unreadable_inputs));
}

void append_copies(std::string& text, const PlanOutcome& plan) {
  text += fmt::format("\nCopies (intervals of 95 %), with --near {:g}\n", plan.near);
  append_row(text, "removed", percent_text(plan.removed_share));
  if (plan.other_language_share > 0) {
    append_row(text, "other languages", fmt::format("{:.1f} %", 100 * plan.other_language_share));
  }
  append_row(text, "clusters", range_text(plan.clusters));
  append_row(text, "matching pairs", "about " + count_text(plan.matches, true));
  if (plan.thresholds.empty()) return;
  text += "\n  --near   removed\n";
  for (const PlannedThreshold& threshold : plan.thresholds) {
    const auto width = static_cast<std::size_t>(std::lround(30 * threshold.removed_share.estimate));
    text += fmt::format("  {:<8g} {:<30} {}\n", threshold.near, percent_text(threshold.removed_share),
                        std::string(width, '#'));
  }
}

void append_cost(std::string& text, const PlanOutcome& plan) {
  text += fmt::format("\nTime with {} thread{}\n", plan.threads, plan.threads == 1 ? "" : "s");
  for (const PlannedStage& stage : plan.stages) {
    append_row(text, stage.name,
               fmt::format("{:<14} {} of processors", duration_text(stage.seconds), duration_text(stage.cpu_seconds)));
  }
  append_row(text, "all",
             fmt::format("{:<14} {} of processors", duration_text(plan.seconds), duration_text(plan.cpu_seconds)));
  text += "\nMemory\n";
  append_row(text, "peak",
             fmt::format("{} (--memory {})", bytes_text(plan.memory_peak_bytes),
                         bytes_text(static_cast<double>(plan.memory_target_bytes))));
  text += "\nDisk\n";
  for (const bool is_work : {false, true}) {
    for (const PlannedFile& file : plan.files) {
      if (file.is_work != is_work) continue;
      append_row(text, file.name, bytes_text(file.size_bytes) + (is_work ? "  (work)" : ""));
    }
  }
  append_row(text, "all",
             fmt::format("{} of output, {} of work", bytes_text(plan.output_bytes), bytes_text(plan.work_bytes)));
  if (plan.free_bytes > 0) append_row(text, "free", bytes_text(static_cast<double>(plan.free_bytes)));
  text += "\nOn Spark\n";
  append_row(text, "--partitions", fmt::format("{} cores finish in about an hour", plan.spark.partitions));
  append_row(text, "memoryOverhead", bytes_text(plan.spark.executor_bytes_per_core) + " per core");
  append_row(text, "driver", bytes_text(plan.spark.driver_bytes));
}

void append_lines(std::string& text, std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  text += fmt::format("\n{}\n", title);
  for (const std::string& line : lines) text += "  " + line + "\n";
}

void write_range(JsonWriter& json, std::string_view name, const PlannedRange& range, int decimals) {
  json.key(name);
  json.begin_object();
  json.member("estimate", Real{range.estimate, decimals});
  json.member("lower", Real{range.lower, decimals});
  json.member("upper", Real{range.upper, decimals});
  json.end_object();
}

void write_input(JsonWriter& json, const PlanOutcome& plan) {
  json.key("input");
  json.begin_object();
  json.member("stored_bytes", plan.input_bytes);
  json.member("sampled_pages", plan.sampled_pages);
  json.member("is_whole", plan.is_whole);
  json.member("broken_records", plan.broken_records);
  json.member("all_records_read", plan.has_all_been_read);
  json.key("broken_examples");
  json.value(std::span<const std::string>(plan.broken_examples));
  json.member("unreadable_inputs", plan.unreadable_inputs);
  json.key("unreadable_reasons");
  json.value(std::span<const std::string>(plan.unreadable_reasons));
  json.end_object();
}

void write_copies(JsonWriter& json, const PlanOutcome& plan) {
  write_range(json, "pages", plan.pages, 0);
  json.member("near", Real{plan.near});
  write_range(json, "removed_share", plan.removed_share, 4);
  json.member("other_language_share", Real{plan.other_language_share});
  write_range(json, "clusters", plan.clusters, 0);
  json.member("matches", Real{plan.matches, 0});
  json.key("thresholds");
  json.begin_array();
  for (const PlannedThreshold& threshold : plan.thresholds) {
    json.begin_object();
    json.member("near", Real{threshold.near});
    write_range(json, "removed_share", threshold.removed_share, 4);
    json.end_object();
  }
  json.end_array();
  json.key("larger_samples");
  json.begin_array();
  for (const PlannedSample& sample : plan.larger_samples) {
    json.begin_object();
    json.member("pages", sample.pages);
    write_range(json, "removed_share", sample.removed_share, 4);
    json.end_object();
  }
  json.end_array();
}

void write_cost(JsonWriter& json, const PlanOutcome& plan) {
  json.key("time");
  json.begin_object();
  json.member("threads", plan.threads);
  json.member("seconds", Real{plan.seconds, 2});
  json.member("cpu_seconds", Real{plan.cpu_seconds, 2});
  json.key("stages");
  json.begin_array();
  for (const PlannedStage& stage : plan.stages) {
    json.begin_object();
    json.member("name", stage.name);
    json.member("seconds", Real{stage.seconds, 3});
    json.member("cpu_seconds", Real{stage.cpu_seconds, 3});
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.key("memory");
  json.begin_object();
  json.member("peak_bytes", Real{plan.memory_peak_bytes, 0});
  json.member("target_bytes", plan.memory_target_bytes);
  json.member("unbounded_bytes", Real{plan.memory_unbounded_bytes, 0});
  json.end_object();
  json.key("disk");
  json.begin_object();
  json.member("output_bytes", Real{plan.output_bytes, 0});
  json.member("work_bytes", Real{plan.work_bytes, 0});
  json.member("free_bytes", plan.free_bytes);
  json.key("files");
  json.begin_array();
  for (const PlannedFile& file : plan.files) {
    json.begin_object();
    json.member("name", file.name);
    json.member("size_bytes", Real{file.size_bytes, 0});
    json.member("is_work", file.is_work);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.key("spark");
  json.begin_object();
  json.member("partitions", plan.spark.partitions);
  json.member("executor_bytes_per_core", Real{plan.spark.executor_bytes_per_core, 0});
  json.member("driver_bytes", Real{plan.spark.driver_bytes, 0});
  json.end_object();
}

}  // namespace

std::string plan_text(const PlanOutcome& plan) {
  std::string text;
  append_sample(text, plan);
  if (plan.sampled_pages > 0) {
    append_copies(text, plan);
    append_cost(text, plan);
  }
  append_lines(text, "Worth changing", plan.advice);
  append_lines(text, "Notes", plan.notes);
  append_lines(text, "Broken records", plan.broken_examples);
  append_lines(text, "Unreadable inputs", plan.unreadable_reasons);
  text.pop_back();
  return text;
}

std::string plan_json(const PlanOutcome& plan) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  write_input(json, plan);
  write_copies(json, plan);
  write_cost(json, plan);
  json.key("advice");
  json.value(std::span<const std::string>(plan.advice));
  json.key("notes");
  json.value(std::span<const std::string>(plan.notes));
  json.end_object();
  return json.take() + "\n";
}

}  // namespace paraprint
