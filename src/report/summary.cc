// summary.json and timing.json. Everything that may differ between two runs over the same input goes to the second, so
// that summaries of equal runs can be compared byte by byte.
#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/atomic_file.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

constexpr int kSecondsDecimals = 3;  // milliseconds

// Settings and counters as an object, in the given order.
void write_values(JsonWriter& json, const std::vector<NamedValue>& values) {
  json.begin_object();
  for (const NamedValue& named : values) {
    json.key(named.name);
    std::visit(
        // Real numbers need fixed decimals, and std::string has no overload of its
        // own; other types are written as they are.
        [&json](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
            json.value(Real{value});
          } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
            json.value(std::string_view(value));
          } else {
            json.value(value);
          }
        },
        named.value);
  }
  json.end_object();
}

// An array rather than an object by kind: kinds keep the order of the engine.
void write_broken(JsonWriter& json, const std::vector<BrokenKind>& kinds) {
  json.begin_array();
  for (const BrokenKind& kind : kinds) {
    json.begin_object();
    json.member("kind", std::string_view(kind.kind));
    json.member("count", kind.count);
    json.key("examples");
    json.begin_array();
    // The count is of all records, the examples are the first ones.
    const std::size_t shown = std::min(kind.examples.size(), kBrokenExamplesMaximum);
    for (std::size_t i = 0; i < shown; ++i) {
      const BrokenRecord& record = kind.examples[i];
      json.begin_object();
      json.member("file", std::string_view(record.file));
      json.member("offset_bytes", record.offset_bytes);
      json.member("message", std::string_view(record.message));
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

// Zero means "not measured" or "not applicable", so the member is left out.
void write_stage(JsonWriter& json, const StageTime& stage) {
  json.begin_object();
  json.member("name", std::string_view(stage.name));
  json.member("seconds", Real{stage.seconds, kSecondsDecimals});
  if (stage.cpu_seconds > 0) json.member("cpu_seconds", Real{stage.cpu_seconds, kSecondsDecimals});
  if (stage.items > 0) {
    json.member("items", stage.items);
    json.member("unit", std::string_view(stage.unit));
  }
  if (stage.size_bytes > 0) json.member("size_bytes", stage.size_bytes);
  if (stage.peak_memory_bytes > 0) json.member("peak_memory_bytes", stage.peak_memory_bytes);
  json.end_object();
}

}  // namespace

NamedGroup group_of(std::string name, const Counters& counters) {
  NamedGroup group;
  group.name = std::move(name);
  for (const auto& [counter, amount] : counters) group.values.push_back({counter, amount, ""});
  return group;
}

std::string timing_json(const Timing& timing) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("seconds", Real{timing.seconds, kSecondsDecimals});
  json.member("peak_memory_bytes", timing.peak_memory_bytes);
  json.key("resources");
  write_values(json, timing.resources);
  json.key("stages");
  json.begin_array();
  for (const StageTime& stage : timing.stages) write_stage(json, stage);
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

Status write_timing(const std::string& path, const Timing& timing) {
  return write_file_atomically(path, timing_json(timing));
}

std::string summary_json(const Summary& summary) {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("version", std::string_view(summary.version));
  json.member("command", std::string_view(summary.command));
  json.member("inputs", summary.inputs);
  json.key("settings");
  write_values(json, summary.settings);
  json.key("counters");
  json.begin_object();
  for (const NamedGroup& group : summary.counters) {
    json.key(group.name);
    write_values(json, group.values);
  }
  json.end_object();
  json.key("broken");
  write_broken(json, summary.broken);
  json.end_object();
  return json.take() + "\n";
}

Status write_summary(const std::string& path, const Summary& summary) {
  return write_file_atomically(path, summary_json(summary));
}

// Counts get thousands separators, real numbers the four decimals of summary.json.
std::string value_text(const NamedValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, bool>) {
          return held ? "yes" : "no";
        } else if constexpr (std::is_same_v<Held, std::uint64_t>) {
          return count_text(held);
        } else if constexpr (std::is_same_v<Held, std::int64_t>) {
          // Negation in unsigned arithmetic: -INT64_MIN is not an int64_t.
          const auto size = held < 0 ? -static_cast<std::uint64_t>(held) : static_cast<std::uint64_t>(held);
          return fmt::format("{}{}", held < 0 ? "-" : "", count_text(size));
        } else if constexpr (std::is_same_v<Held, double>) {
          return fmt::format("{:.4f}", held);
        } else {
          return held;
        }
      },
      value.value);
}

}  // namespace paraprint::inline report
