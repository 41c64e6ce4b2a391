// The index of known pages under load: the cost of an add and of a lookup as the index grows, its memory and disk use,
// and the time it takes to open.
//
//   bench_page_index FOLDER [PAGES [SYNC [PARAGRAPHS [LOOKUPS [ALGORITHM]]]]]
//                                                             default 1000000, interval, 10, 20000, paragraph
//
// Pages are artificial (page_load.h): articles of about PARAGRAPHS paragraphs with two and a half sentences each on
// sites of 50 pages; a tenth of them are edited or exact copies of earlier ones. One thread adds, another merges in the
// background. Latencies are wall times of calls, without making the profiles. FOLDER is not removed: another run with
// it adds further pages to the index.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "page_load.h"
#include "paraprint/index.h"

namespace paraprint {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// "VmRSS", "RssAnon" or "RssFile" of this process, in bytes.
std::uint64_t memory_of(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":")) return std::stoull(line.substr(field.size() + 1)) * 1024;
  }
  return 0;
}

struct Latencies {
  std::vector<float> wall_us;
  double processor_us = 0;

  void print(std::string_view what) {
    if (wall_us.empty()) return;
    std::sort(wall_us.begin(), wall_us.end());
    const auto at = [&](double share) {
      return wall_us[std::min(wall_us.size() - 1,
                              static_cast<std::size_t>(share * static_cast<double>(wall_us.size())))];
    };
    fmt::print("  {:<16} p50 {:7.1f}  p90 {:7.1f}  p99 {:8.1f}  p99.9 {:8.1f}  max {:9.1f} us; processor {:.1f} us\n",
               what, at(0.5), at(0.9), at(0.99), at(0.999), wall_us.back(),
               processor_us / static_cast<double>(wall_us.size()));
    wall_us.clear();
    processor_us = 0;
  }
};

struct Work {
  std::uint64_t pages = 0;
  std::uint64_t hits = 0;
  std::uint64_t read = 0;
  std::uint64_t compared = 0;
  std::uint64_t found = 0;
  std::uint64_t copies = 0;
};

void print_state(const PageIndex& index, const Work& work) {
  const IndexStatistics statistics = must(index.statistics());
  const auto per_page = [&](std::uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(statistics.pages);
  };
  const auto per_lookup = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, work.pages));
  };
  fmt::print(
      "{} pages, {} texts: segments {} with {:.0f} B per page, head {:.0f}, site templates {:.0f}; database {:.0f}; "
      "{} merges\n",
      statistics.pages, statistics.texts, statistics.segments, per_page(statistics.segment_bytes),
      per_page(statistics.head_bytes), per_page(statistics.template_bytes), per_page(statistics.database_bytes),
      statistics.merges);
  fmt::print(
      "  process: resident {} MB, of it anonymous {} MB; per lookup: {:.1f} table hits, {:.2f} profiles read, "
      "{:.2f} compared; {} of {} copies found\n",
      memory_of("VmRSS") >> 20, memory_of("RssAnon") >> 20, per_lookup(work.hits), per_lookup(work.read),
      per_lookup(work.compared), work.found, work.copies);
  for (const std::string& warning : statistics.warnings) fmt::print("  warning: {}\n", warning);
}

int run(const std::string& folder, std::uint64_t pages, const std::string& sync, std::size_t paragraphs,
        std::uint64_t lookups, const std::string& algorithm) {
  IndexOptions options;
  options.identity = "bench " + algorithm;
  options.algorithm = algorithm.substr(0, algorithm.rfind(PageLoad::kTextSuffix));
  options.sync = sync == "always" ? SyncMode::kAlways : sync == "none" ? SyncMode::kNone : SyncMode::kInterval;
  auto index = must(PageIndex::open(folder, options));
  PageLoad load(paragraphs, must(index->statistics()).pages, algorithm);
  Latencies latencies;
  Work work;
  const std::uint64_t step = std::max<std::uint64_t>(1, pages / 10);
  const auto ask = [&](bool adds) {
    const PageLoad::Page page = load.next(adds);
    IndexPageInput input;
    input.url = page.url;
    input.profile = &page.profile;
    input.fingerprint = &page.fingerprint;
    const auto begin = Clock::now();
    const double processor_begin = processor_seconds();
    LookupOutcome answer;
    if (adds) {
      answer = std::move(must(index->lookup_or_add(input, {})).lookup);
    } else {
      answer = must(index->lookup(input, {}));
    }
    latencies.processor_us += (processor_seconds() - processor_begin) * 1e6;
    latencies.wall_us.push_back(static_cast<float>(seconds_since(begin) * 1e6));
    ++work.pages;
    work.hits += answer.work.table_hits;
    work.read += answer.work.profiles_read;
    work.compared += answer.work.pairs_compared;
    work.copies += page.is_copy ? 1 : 0;
    work.found += page.is_copy && answer.verdict != Verdict::kDistinct ? 1 : 0;
  };
  const auto begin = Clock::now();
  for (std::uint64_t done = 0; done < pages; ++done) {
    ask(true);
    if ((done + 1) % step != 0) continue;
    print_state(*index, work);
    latencies.print("look up or add");
    work = {};
    std::fflush(stdout);
  }
  fmt::print("{} pages in {:.0f} s, including their generation\n", pages, seconds_since(begin));
  for (std::uint64_t i = 0; i < lookups; ++i) ask(false);
  latencies.print("look up");
  const auto closing = Clock::now();
  index.reset();
  fmt::print("closed in {:.2f} s\n", seconds_since(closing));
  const auto opening = Clock::now();
  index = must(PageIndex::open(folder, options));
  fmt::print("opened in {:.2f} s\n", seconds_since(opening));
  for (std::uint64_t i = 0; i < lookups; ++i) ask(false);
  print_state(*index, work);
  latencies.print("look up");
  const auto compacting = Clock::now();
  if (const Status compacted = index->compact(); !compacted) {
    fmt::print(stderr, "bench_page_index: {}\n", compacted.error().message);
    return 1;
  }
  fmt::print("compacted in {:.1f} s\n", seconds_since(compacting));
  work = {};
  for (std::uint64_t i = 0; i < lookups; ++i) ask(false);
  print_state(*index, work);
  latencies.print("look up");
  return 0;
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr,
               "usage: bench_page_index FOLDER [PAGES [always|interval|none [PARAGRAPHS [LOOKUPS [ALGORITHM]]]]]\n");
    return 2;
  }
  return paraprint::run(argv[1], argc > 2 ? std::stoull(argv[2]) : 1000000, argc > 3 ? argv[3] : "interval",
                        argc > 4 ? std::stoul(argv[4]) : 10, argc > 5 ? std::stoull(argv[5]) : 20000,
                        argc > 6 ? argv[6] : "paragraph");
}
