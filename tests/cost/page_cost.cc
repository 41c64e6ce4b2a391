// Counts the instructions that hostile pages cost (instruction_meter.h); page_cost_test.py runs it and judges.
//
//   valgrind --tool=callgrind --instr-atstart=no paraprint_page_cost [SIZE | FAMILY]...
//
// Families named limit it to them. Before each page of a family, a harmless page of its size and number of tags is
// measured as `harmless family/size`. Then the same for what `extract --format json` does with a page, as `metadata
// family`. Pairs of pages are kPairFactor times as large, so that they have many paragraphs.
#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hostile_pages.h"
#include "index/page_keys.h"
#include "instruction_meter.h"
#include "profile/page_profiler.h"
#include "verify/paragraph_matching.h"

namespace paraprint {
namespace {

constexpr int kCandidateDistanceBits = 6;
constexpr std::size_t kPairFactor = 4;

class PageCost {
 public:
  // `reads_metadata`: pages are not profiled, but extracted with what they say of themselves.
  PageCost(PageProfiler& profiler, bool reads_metadata)
      : profiler_(profiler), reads_metadata_(reads_metadata), matcher_(MatchOptions{}) {}

  void measure_page(std::string_view family, std::size_t size_bytes, std::string body) {
    Page page;
    page.id = "p";
    page.url = "http://a.example/b";
    page.body = std::move(body);
    page.content_type = "text/html";
    StopCheck never;
    const InstructionMeter meter(family, size_bytes);
    if (reads_metadata_) {
      profiler_.extract(page);
      (void)profiler_.metadata(never);
    } else {
      profiler_.profile(page);
    }
  }

  // A harmless page of the size and the number of tags, then that of the family.
  void measure_beside_harmless(std::string_view prefix, const PageFamily& family, std::size_t size_bytes) {
    std::string page = page_of(family, size_bytes);
    const auto tags = static_cast<std::size_t>(std::count(page.begin(), page.end(), '<'));
    measure_page(fmt::format("harmless {}{}", prefix, family.name), size_bytes,
                 harmless_page(size_bytes * family.growth, tags));
    measure_page(fmt::format("{}{}", prefix, family.name), size_bytes, std::move(page));
  }

  // Reads both pages and does with them what a look-up does with a candidate, in both directions.
  void measure_pair(std::string_view family, std::size_t size_bytes, const PagePair& pair) {
    Page page;
    page.id = "p";
    page.content_type = "text/html";
    const InstructionMeter meter(family, size_bytes);
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
  bool reads_metadata_;
  ParagraphMatcher matcher_;
  PageKeys keys_a_;
  PageKeys keys_b_;
  std::vector<MatchedSpan> evidence_;
};

int run(const CostArguments& arguments) {
  auto profiler = PageProfiler::create(ProfileOptions{}, WordWeights::bundled());
  auto reader = PageProfiler::create(ProfileOptions{}, WordWeights::bundled(), {.metadata = true});
  if (!profiler || !reader) return 1;
  PageCost cost(**profiler, false);
  PageCost metadata_cost(**reader, true);
  CALLGRIND_START_INSTRUMENTATION;
  for (const std::size_t size_bytes : arguments.sizes) {
    // Once before it is measured, because buffers grow to the size of the page.
    cost.measure_page("first_page", size_bytes, harmless_page(size_bytes));
    metadata_cost.measure_page("first_page", size_bytes, harmless_page(size_bytes));
    for (const PageFamily& family : hostile_page_families()) {
      if (!arguments.has(family.name)) continue;
      cost.measure_beside_harmless("", family, size_bytes);
      metadata_cost.measure_beside_harmless("metadata ", family, size_bytes);
    }
    for (const PairFamily& family : pair_families()) {
      if (arguments.has(family.name))
        cost.measure_pair(family.name, size_bytes, family.pages(kPairFactor * size_bytes));
    }
  }
  return 0;
}

}  // namespace
}  // namespace paraprint

int main(int count, char** arguments) {
  return paraprint::run(paraprint::CostArguments(count, arguments));
}
