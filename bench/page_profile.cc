// Measures the path from HTML bytes to finished profile, as a multiple of a bare lexbor parse of the same decoded pages
// in the same run, and the share of each stage.
//
// usage: page_profile [--extractor NAME] [--rounds N] [--threads N] [--pages N] crawl.warc.gz ...
//
// Pages are read, HTTP-decoded and charset-decoded into memory first, untimed. Rounds alternate between the contenders,
// so that a slow moment of the machine affects both; the median round counts. On a busy machine the ratio of the sums
// of each page's minimum time over the rounds is more stable, because few pages are disturbed in every round.
// The pipeline starts from the page's own bytes (charset detection included), the bare parse from decoded text.
#include <fmt/format.h>
#include <lexbor/html/html.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <limits>
#include <numeric>
#include <thread>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "archive/record_reader.h"
#include "html/charset.h"
#include "profile/page_profiler.h"
#include "text/word_weights.h"

namespace {

using namespace paraprint;

struct Corpus {
  std::vector<Page> pages;
  std::vector<std::string> decoded;
  double body_megabytes = 0;
};

Corpus load(const std::vector<std::string>& paths, std::size_t limit) {
  Corpus corpus;
  const ReadOptions options;
  Result<std::vector<InputFile>> inputs = expand_inputs(paths, options);
  if (!inputs) throw std::runtime_error(inputs.error().message);
  PageDecoder decoder;
  for (const InputFile& input : *inputs) {
    auto reader = open_records(input, options, [](const Defect&) {});
    if (!reader) throw std::runtime_error(reader.error().message);
    while (corpus.pages.size() < limit) {
      auto record = (*reader)->next();
      if (!record || !record->has_value()) break;
      DecodedRecord decoded = decode_page(std::move(**record), options, input.path);
      if (decoded.outcome != PageOutcome::kAccepted) continue;
      const Page& page = corpus.pages.emplace_back(std::move(decoded.page));
      corpus.decoded.emplace_back(decoder.decode(page.body, page.content_type, page.format, page.body_is_utf8).text);
      corpus.body_megabytes += static_cast<double>(page.body.size()) / 1e6;
    }
  }
  return corpus;
}

double processor_seconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double begin = now();
  work();
  return now() - begin;
}

double wall_seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The minimum wall-clock time of each page, in seconds.
class PageTimes {
 public:
  explicit PageTimes(std::size_t pages) : least_seconds_(pages, std::numeric_limits<double>::infinity()) {}
  void measure(std::size_t page, const auto& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    least_seconds_[page] = std::min(least_seconds_[page], seconds);
  }
  double sum_seconds() const { return std::accumulate(least_seconds_.begin(), least_seconds_.end(), 0.0); }

 private:
  std::vector<double> least_seconds_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void parse_bare(const Corpus& corpus, PageTimes& times) {
  lxb_html_document_t* document = lxb_html_document_create();
  for (std::size_t i = 0; i < corpus.decoded.size(); ++i) {
    const std::string& text = corpus.decoded[i];
    times.measure(i, [&] {
      lxb_html_document_clean(document);
      lxb_html_document_parse(document, reinterpret_cast<const lxb_char_t*>(text.data()), text.size());
    });
  }
  lxb_html_document_destroy(document);
}

// Distributes all pages over `threads` threads; each takes the next page not yet taken.
void run_threads(unsigned threads, const Corpus& corpus, const std::string& extractor, bool with_profile,
                 PageTimes& times) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    ProfileOptions options;
    options.extractor = extractor;
    auto profiler = PageProfiler::create(options, WordWeights::bundled());
    if (!profiler) throw std::runtime_error(profiler.error().message);
    for (std::size_t i = next++; i < corpus.pages.size(); i = next++) {
      times.measure(i, [&] {
        if (with_profile) {
          (*profiler)->profile(corpus.pages[i]);
        } else {
          (*profiler)->extract(corpus.pages[i]);
        }
      });
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < threads; ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("HTML to profile against a bare lexbor parse");
  std::vector<std::string> paths;
  std::string extractor = ProfileOptions{}.extractor;
  int rounds = 5;
  unsigned threads = 2;
  std::size_t pages = 100'000;
  app.add_option("paths", paths)->required();
  app.add_option("--extractor", extractor);
  app.add_option("--rounds", rounds);
  app.add_option("--threads", threads);
  app.add_option("--pages", pages);
  CLI11_PARSE(app, argc, argv);
  const Corpus corpus = load(paths, pages);
  std::vector<double> bare;
  std::vector<double> extraction;
  std::vector<double> profile;
  std::vector<double> single;
  std::vector<double> parallel;
  PageTimes bare_pages(corpus.pages.size());
  PageTimes extraction_pages(corpus.pages.size());
  PageTimes profile_pages(corpus.pages.size());
  PageTimes parallel_pages(corpus.pages.size());
  parse_bare(corpus, bare_pages);  // warm-up
  for (int round = 0; round < rounds; ++round) {
    bare.push_back(processor_seconds([&] { parse_bare(corpus, bare_pages); }));
    extraction.push_back(processor_seconds([&] { run_threads(1, corpus, extractor, false, extraction_pages); }));
    profile.push_back(processor_seconds(
        [&] { single.push_back(wall_seconds([&] { run_threads(1, corpus, extractor, true, profile_pages); })); }));
    if (threads > 1) {
      parallel.push_back(wall_seconds([&] { run_threads(threads, corpus, extractor, true, parallel_pages); }));
    }
  }
  const double megabytes = corpus.body_megabytes;
  const auto count = static_cast<double>(corpus.pages.size());
  fmt::print("{} pages, {:.1f} MB, extractor {}\n", corpus.pages.size(), megabytes, extractor);
  const auto line = [&](std::string_view name, double time) {
    fmt::print("{:<36} {:8.3f} s {:8.1f} MB/s {:9.0f} pages/s {:6.2f} x bare\n", name, time, megabytes / time,
               count / time, time / median(bare));
  };
  line("bare lexbor parse", median(bare));
  line("decode, parse, extract", median(extraction));
  line("decode to profile", median(profile));
  const double bare_sum = bare_pages.sum_seconds();
  fmt::print("minimum time of each page: bare 1, decode, parse, extract {:.2f}, decode to profile {:.2f}\n",
             extraction_pages.sum_seconds() / bare_sum, profile_pages.sum_seconds() / bare_sum);
  if (threads < 2) return 0;
  fmt::print("wall clock: one thread {:.3f} s, {} threads {:.3f} s: {:.2f} times one\n", median(single), threads,
             median(parallel), median(single) / median(parallel));
}
