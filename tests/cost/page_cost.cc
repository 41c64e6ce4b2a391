// Counts the instructions that hostile pages cost (instruction_meter.h); page_cost_test.py runs it and judges.
//
//   valgrind --tool=callgrind --instr-atstart=no paraprint_page_cost [SIZE | FAMILY]...
//
// Families named limit it to them. Before each page of a family, a harmless page of its size and number of tags is
// measured as `harmless family/size`. Then the same for what `extract` does with a page, in parts: `extract family`,
// and after it `metadata family` and `markdown family`. Pairs of pages are kPairFactor times as large, so that they
// have many paragraphs; they are measured with reading them and, as `compare family`, without it. `search family` asks
// the search tables of an index with kVersions of the one for the other.
#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "hostile_pages.h"
#include "index/page_keys.h"
#include "instruction_meter.h"
#include "online/candidate_search.h"
#include "online/search_tables.h"
#include "profile/page_profiler.h"
#include "temporary_folder.h"
#include "verify/paragraph_matching.h"

namespace paraprint {
namespace {

constexpr int kCandidateDistanceBits = 6;
constexpr std::size_t kPairFactor = 4;
constexpr std::uint64_t kVersions = 40;
constexpr std::size_t kFlipsMaximum = 3;  // by which the paragraphs of a version differ

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

  // Reads both pages and compares them; then compares them again, as an index does that has read them before.
  void measure_pair(std::string_view family, std::size_t size_bytes, const PagePair& pair) {
    Page page;
    page.id = "p";
    page.content_type = "text/html";
    Profile a;
    Profile b;
    {
      const InstructionMeter meter(family, size_bytes);
      page.body = pair.a;
      a = profiler_.profile(page);
      page.body = pair.b;
      b = profiler_.profile(page);
      compare(a, b);
    }
    {
      const InstructionMeter meter(fmt::format("compare {}", family), size_bytes);
      compare(a, b);
    }
    measure_search(family, size_bytes, a, b);
  }

 private:
  // Half of the versions are in a segment on disk, the others in the head.
  void measure_search(std::string_view family, std::size_t size_bytes, const Profile& known, const Profile& asked) {
    std::mt19937 random(1);
    const auto add_versions = [&](SearchHead& head, std::uint64_t first, std::uint64_t end) {
      TextKeys keys;
      collect_text_keys(known, {}, keys);
      const std::vector<Fingerprint128> fingerprints = keys.fingerprints;
      for (std::uint64_t text = first; text < end; ++text) {
        keys.fingerprints = fingerprints;
        for (Fingerprint128& fingerprint : keys.fingerprints) {
          for (std::size_t flips = random() % (kFlipsMaximum + 1); flips > 0; --flips)
            (random() % 2 == 0 ? fingerprint.low : fingerprint.high) ^= std::uint64_t{1} << random() % 64;
        }
        head.add(text, keys);
      }
    };
    const std::string path = folder_ / "tables";
    SearchHead sealed(0, kVersions);
    add_versions(sealed, 0, kVersions / 2);
    SearchView view;
    view.head = std::make_shared<SearchHead>(kVersions / 2, kVersions);
    add_versions(*view.head, kVersions / 2, kVersions);
    const Status written = sealed.write_segment(path, kVersions / 2);
    auto segment = SearchSegment::open(path, SegmentMemory::kReadIfSmall);
    PARAPRINT_ASSERT(written && segment);
    view.segments.push_back(*segment);
    collect_page_keys(asked, {}, {}, keys_a_);
    keys_a_.make_distinct();
    std::vector<NearQuery> near;
    for (const NearKey& key : keys_a_.near) near.push_back({key.fingerprint, key.weight});
    std::vector<ExactQuery> exact;
    for (const ExactKey& key : keys_a_.exact) exact.push_back({key.key, key.weight});
    collector_.hits.clear();
    const InstructionMeter meter(fmt::format("search {}", family), size_bytes);
    view.find_exact(exact, collector_);
    view.find_near(near, collector_);
  }

  // What a look-up does with a candidate.
  void compare(const Profile& a, const Profile& b) {
    collect_page_keys(a, {}, {}, keys_a_);
    collect_page_keys(b, {}, {}, keys_b_);
    keys_a_.make_distinct();
    keys_b_.make_distinct();
    (void)may_have_keys_in_common(keys_a_, b, kCandidateDistanceBits);
    (void)keys_in_common(keys_a_, keys_b_, kCandidateDistanceBits);
    matcher_.score(a, b, {}, {}, &evidence_);
  }

  PageProfiler& profiler_;
  PageProfiler& reader_;
  ParagraphMatcher matcher_;
  PageKeys keys_a_;
  PageKeys keys_b_;
  std::vector<MatchedSpan> evidence_;
  TemporaryFolder folder_;
  HitCollector collector_;
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
