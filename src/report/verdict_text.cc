// Names and sentences of verdicts, and numbers for readers. Names returned by verdict_name() are part of the output
// formats; sentences are not. All formatting is independent of the locale.
#include "report/verdict_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "base/verdict.h"

namespace paraprint {

// Persisted in tables, JSON and databases of callers: never change or reuse a name.
std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kDistinct:
      return "distinct";
    case Verdict::kSame:
      return "same";
    case Verdict::kNear:
      return "near";
    case Verdict::kContained:
      return "contained";
    case Verdict::kContains:
      return "contains";
    case Verdict::kOverlap:
      return "overlap";
  }
  return "unknown";
}

}  // namespace paraprint

namespace paraprint::inline report {

// Resemblance and matched characters are symmetric.
Match reversed(Match match) {
  std::swap(match.page_a, match.page_b);
  std::swap(match.containment_a, match.containment_b);
  match.verdict = reversed(match.verdict);
  return match;
}

std::string percent_text(double share) {
  // Negated, so that NaN prints as 0 %.
  if (!(share > 0)) return "0 %";
  if (share >= 1) return "100 %";
  // Rounding must not turn "almost" into "all", nor "a little" into "nothing".
  const auto rounded = static_cast<int>(std::lround(share * 100));
  if (rounded == 0) return "<1 %";
  if (rounded == 100) return ">99 %";
  return fmt::format("{} %", rounded);
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

// Two units at most, so that times stay short and precise to about 1 %.
std::string duration_text(double seconds) {
  constexpr double kSecondsAMinute = 60;
  constexpr double kSecondsAnHour = 3600;
  if (!(seconds > 0)) return "0 s";
  // Limits half a unit lower than the next unit, so that rounding never prints 1000 ms, 60.0 s or 60 min.
  if (seconds < 0.0005) return "<1 ms";
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < kSecondsAMinute - 0.05) return fmt::format("{:.1f} s", seconds);
  if (seconds < kSecondsAnHour - 0.5) {
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  const auto minutes = static_cast<std::uint64_t>(std::llround(seconds / kSecondsAMinute));
  return fmt::format("{} h {} min", count_text(minutes / 60), minutes % 60);
}

std::string bytes_text(std::uint64_t size_bytes) {
  constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (size_bytes < 1000) return fmt::format("{} B", size_bytes);
  double value = static_cast<double>(size_bytes) / 1000;
  std::size_t unit = 0;
  // From 999.95 on one decimal would print "1000.0".
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string_view verdict_headline(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame:
      return "A and B have the same text";
    case Verdict::kNear:
      return "A and B are near copies";
    case Verdict::kContained:
      return "A is contained in B";
    case Verdict::kContains:
      return "A contains B";
    case Verdict::kOverlap:
      return "A and B share passages";
    case Verdict::kDistinct:
      return "A and B are different texts";
  }
  return "unknown verdict";
}

std::string verdict_sentence(const Match& match) {
  return fmt::format("{}: {} of A is in B, {} of B is in A.", verdict_headline(match.verdict),
                     percent_text(match.containment_a), percent_text(match.containment_b));
}

}  // namespace paraprint::inline report
