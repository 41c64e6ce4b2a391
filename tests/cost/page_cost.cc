// Counts the instructions that hostile pages cost, under valgrind's callgrind, which counts them exactly; page_cost.py
// runs it and judges. Each measurement ends with a dump of the counters under the name `family/size`.
//
//   valgrind --tool=callgrind --instr-atstart=no paraprint_page_cost [SIZE | FAMILY]...
//
// Families named limit it to them. Before each page of a family, a harmless page of its size and number of tags is
// measured as `harmless family/size`. Pairs of pages are kPairFactor times as large, so that they have many paragraphs.
//
// Outside valgrind it prints processor time instead, which is only meant to be read: times are too noisy to be judged.
#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hostile_pages.h"
#include "index/page_keys.h"
#include "profile/page_profiler.h"
#include "verify/paragraph_matching.h"

namespace paraprint {
namespace {

constexpr int kCandidateDistanceBits = 6;
constexpr std::size_t kPairFactor = 4;

class Meter {
 public:
  explicit Meter(std::string name) : name_(std::move(name)) {
    began_ = std::clock();
    CALLGRIND_ZERO_STATS;
  }
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  ~Meter() {
    const auto seconds = static_cast<double>(std::clock() - began_) / CLOCKS_PER_SEC;
    CALLGRIND_DUMP_STATS_AT(name_.c_str());
    if (RUNNING_ON_VALGRIND == 0) fmt::print("{:40} {:10.3f} ms\n", name_, seconds * 1000);
  }

 private:
  std::string name_;
  std::clock_t began_;
};

class PageCost {
 public:
  explicit PageCost(PageProfiler& profiler) : profiler_(profiler), matcher_(MatchOptions{}) {}

  void measure_page(std::string_view family, std::size_t size_bytes, std::string body) {
    Page page;
    page.id = "p";
    page.body = std::move(body);
    page.content_type = "text/html";
    const Meter meter(fmt::format("{}/{}", family, size_bytes));
    profiler_.profile(page);
  }

  // Reads both pages and does with them what a look-up does with a candidate, in both directions.
  void measure_pair(std::string_view family, std::size_t size_bytes, const PagePair& pair) {
    Page page;
    page.id = "p";
    page.content_type = "text/html";
    const Meter meter(fmt::format("{}/{}", family, size_bytes));
    page.body = pair.a;
    const Profile a = profiler_.profile(page);
    page.body = pair.b;
    const Profile b = profiler_.profile(page);
    collect_page_keys(a, {}, {}, keys_a_);
    collect_page_keys(b, {}, {}, keys_b_);
    keys_a_.make_distinct();
    keys_b_.make_distinct();
    (void)may_have_keys_in_common(keys_a_, b, kCandidateDistanceBits);
    (void)keys_in_common(keys_a_, keys_b_, kCandidateDistanceBits);
    matcher_.score(a, b, {}, {}, &evidence_);
  }

 private:
  PageProfiler& profiler_;
  ParagraphMatcher matcher_;
  PageKeys keys_a_;
  PageKeys keys_b_;
  std::vector<MatchedSpan> evidence_;
};

int run(const std::vector<std::size_t>& sizes, const std::set<std::string_view>& chosen) {
  auto profiler = PageProfiler::create(ProfileOptions{}, WordWeights::bundled());
  if (!profiler) return 1;
  PageCost cost(**profiler);
  const auto is_chosen = [&](std::string_view family) { return chosen.empty() || chosen.contains(family); };
  CALLGRIND_START_INSTRUMENTATION;
  for (const std::size_t size_bytes : sizes) {
    // Once before it is measured, because buffers grow to the size of the page.
    cost.measure_page("first_page", size_bytes, harmless_page(size_bytes));
    for (const PageFamily& family : hostile_page_families()) {
      if (!is_chosen(family.name)) continue;
      std::string page = page_of(family, size_bytes);
      const auto tags = static_cast<std::size_t>(std::count(page.begin(), page.end(), '<'));
      cost.measure_page(fmt::format("harmless {}", family.name), size_bytes,
                        harmless_page(size_bytes * family.growth, tags));
      cost.measure_page(family.name, size_bytes, std::move(page));
    }
    for (const PairFamily& family : pair_families()) {
      if (is_chosen(family.name)) cost.measure_pair(family.name, size_bytes, family.pages(kPairFactor * size_bytes));
    }
  }
  return 0;
}

}  // namespace
}  // namespace paraprint

int main(int count, char** arguments) {
  std::vector<std::size_t> sizes;
  std::set<std::string_view> families;
  for (const std::string_view argument : std::span(arguments, static_cast<std::size_t>(count)).subspan(1)) {
    std::size_t size_bytes = 0;
    const auto parsed = std::from_chars(argument.data(), argument.data() + argument.size(), size_bytes);
    if (parsed.ptr == argument.data() + argument.size()) {
      sizes.push_back(size_bytes);
    } else {
      families.insert(argument);
    }
  }
  return paraprint::run(sizes, families);
}
