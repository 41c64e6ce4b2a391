// Counts the instructions that hostile pages cost (instruction_meter.h); page_cost_test.py runs it and judges.
//
//   valgrind --tool=callgrind --instr-atstart=no paraprint_page_cost [SIZE | FAMILY]...
//
// Families named limit it to them. Before each page of a family, a harmless page of its size and number of tags is
// measured as `harmless family/size`. Then the same for what `extract` does with a page, in parts: `extract family`,
// and after it `metadata family` and `markdown family`. Pairs of pages are kPairFactor times as large, so that they
// have many paragraphs.
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

Page page_with(std::string body) {
  Page page;
  page.id = "p";
  page.url = "http://a.example/b";
  page.body = std::move(body);
  page.content_type = "text/html";
  return page;
}

class PageCost {
 public:
  // `reader` has ExtractDetail.
  PageCost(PageProfiler& profiler, PageProfiler& reader)
      : profiler_(profiler), reader_(reader), matcher_(MatchOptions{}) {}

  // `prefix`: of the names of its measurements.
  void measure_page(std::string_view prefix, std::string_view family, std::size_t size_bytes, std::string body) {
    const Page page = page_with(std::move(body));
    const auto name = [&](std::string_view part) { return fmt::format("{}{}{}", prefix, part, family); };
    StopCheck never;
    {
      const InstructionMeter meter(name(""), size_bytes);
      profiler_.profile(page);
    }
    {
      const InstructionMeter meter(name("extract "), size_bytes);
      reader_.extract(page);
    }
    {
      const InstructionMeter meter(name("metadata "), size_bytes);
      (void)reader_.metadata(never);
    }
    const InstructionMeter meter(name("markdown "), size_bytes);
    (void)reader_.markdown(never);
  }

  // A harmless page of the size and the number of tags, then that of the family.
  void measure_beside_harmless(const PageFamily& family, std::size_t size_bytes) {
    std::string page = page_of(family, size_bytes);
    const auto tags = static_cast<std::size_t>(std::count(page.begin(), page.end(), '<'));
    measure_page("harmless ", family.name, size_bytes, harmless_page(size_bytes * family.growth, tags));
    measure_page("", family.name, size_bytes, std::move(page));
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
  PageProfiler& reader_;
  ParagraphMatcher matcher_;
  PageKeys keys_a_;
  PageKeys keys_b_;
  std::vector<MatchedSpan> evidence_;
};

int run(const CostArguments& arguments) {
  auto profiler = PageProfiler::create(ProfileOptions{}, WordWeights::bundled());
  auto reader = PageProfiler::create(ProfileOptions{}, WordWeights::bundled(), {.markdown = true, .metadata = true});
  if (!profiler || !reader) return 1;
  PageCost cost(**profiler, **reader);
  CALLGRIND_START_INSTRUMENTATION;
  for (const std::size_t size_bytes : arguments.sizes) {
    // Once before it is measured, because buffers grow to the size of the page.
    cost.measure_page("first ", "page", size_bytes, harmless_page(size_bytes));
    for (const PageFamily& family : hostile_page_families()) {
      if (arguments.has(family.name)) cost.measure_beside_harmless(family, size_bytes);
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
