// The service under load: pages per second and latencies through HTTP, compared with the same pages given to the same
// kind of index in this process, without HTTP; before that, a bare lexbor parse and the profile alone, on the same
// number of threads. The cost of a step is its processor time minus that of the step before.
//
//   bench_serve_load INPUT... [--connections N] [--threads N] [--pages N] [--sync MODE] [--call add|lookup]
//                    [--feed]
//
// INPUT are WARC or JSONL files of full HTML pages. All pages are held in memory and sent once, over N open
// connections, each on its own thread, which waits for the answer before it sends the next page. Service and clients
// share the machine; the processor time of each is printed.
#include <fmt/format.h>
#include <lexbor/html/html.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "archive/http_payload.h"
#include "archive/input_files.h"
#include "archive/record_reader.h"
#include "html/charset.h"
#include "paraprint/client.h"
#include "paraprint/serve.h"
#include "serve/plain_http_client.h"

namespace paraprint {
namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  std::vector<std::string> inputs;
  std::string folder = "serve-load";
  std::string call = "add";
  SyncMode sync = SyncMode::kInterval;
  unsigned connections = 8;
  unsigned threads = 2;
  std::size_t pages = 20000;
  bool has_feed = false;
};

[[noreturn]] void fail(const std::string& message) {
  fmt::print(stderr, "bench_serve_load: {}\n", message);
  std::exit(1);
}

template <class Value>
Value must(Result<Value> result) {
  if (!result) fail(result.error().message);
  return std::move(*result);
}

double processor_seconds(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::vector<Page> read_pages(const Settings& settings) {
  const ReadOptions options;
  std::vector<Page> pages;
  for (const InputFile& input : must(expand_inputs(settings.inputs, options))) {
    auto reader = must(open_records(input, options, [](const Defect&) {}));
    while (pages.size() < settings.pages) {
      std::optional<RawRecord> record = must(reader->next());
      if (!record) break;
      DecodedRecord decoded = decode_page(std::move(*record), options, input.path);
      if (decoded.outcome != PageOutcome::kAccepted || decoded.page.body.empty()) continue;
      decoded.page.id = fmt::format("page-{}", pages.size());
      pages.push_back(std::move(decoded.page));
    }
  }
  if (pages.empty()) fail("no pages in the input");
  return pages;
}

struct Measured {
  double seconds = 0;
  double client_processor_seconds = 0;
  double processor_seconds = 0;  // of service and clients together
  std::vector<float> latencies_ms;
  std::uint64_t refused = 0;
};

// Calls `work(thread, page number)` for every page on `threads` threads and measures each call.
Measured run_threads(unsigned threads, std::size_t pages,
                     const std::function<std::function<bool(std::size_t)>(unsigned)>& make_worker) {
  Measured measured;
  std::atomic<std::size_t> next{0};
  std::vector<Measured> of_thread(threads);
  const double processor_begin = processor_seconds(RUSAGE_SELF);
  const auto begin = Clock::now();
  std::vector<std::thread> running;
  for (unsigned t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      const auto work = make_worker(t);
      for (std::size_t page = next++; page < pages; page = next++) {
        const auto call_begin = Clock::now();
        if (!work(page)) ++of_thread[t].refused;
        of_thread[t].latencies_ms.push_back(
            std::chrono::duration<float, std::milli>(Clock::now() - call_begin).count());
      }
      of_thread[t].client_processor_seconds = processor_seconds(RUSAGE_THREAD);
    });
  }
  for (std::thread& thread : running) thread.join();
  measured.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  measured.processor_seconds = processor_seconds(RUSAGE_SELF) - processor_begin;
  for (const Measured& part : of_thread) {
    measured.client_processor_seconds += part.client_processor_seconds;
    measured.refused += part.refused;
    measured.latencies_ms.insert(measured.latencies_ms.end(), part.latencies_ms.begin(), part.latencies_ms.end());
  }
  std::sort(measured.latencies_ms.begin(), measured.latencies_ms.end());
  return measured;
}

void print(std::string_view what, const Measured& measured, double bytes) {
  const auto at = [&](double share) {
    const auto last = measured.latencies_ms.size() - 1;
    return measured.latencies_ms[std::min(
        last, static_cast<std::size_t>(share * static_cast<double>(measured.latencies_ms.size())))];
  };
  const auto pages = static_cast<double>(measured.latencies_ms.size());
  fmt::print(
      "{:<10} {:7.0f} pages/s {:6.1f} MB/s   p50 {:6.2f}  p90 {:6.2f}  p99 {:6.2f}  p99.9 {:6.2f}  max {:7.2f} ms; "
      "processor {:.0f} us per page\n",
      what, pages / measured.seconds, bytes / measured.seconds / 1e6, at(0.5), at(0.9), at(0.99), at(0.999),
      measured.latencies_ms.back(), (measured.processor_seconds - measured.client_processor_seconds) / pages * 1e6);
}

Measured measure_service(const Settings& settings, const std::vector<Page>& pages) {
  ServeOptions options;
  options.data = settings.folder + "/service";
  options.port = 0;
  options.threads = settings.threads;
  options.index.sync = settings.sync;
  if (settings.has_feed) options.feed.feed = FeedScope::kAdds;
  std::atomic<bool> stop{false};
  std::promise<std::uint16_t> ready;
  RunControl control;
  control.stop = &stop;
  ServeEvents events;
  events.ready = [&](std::uint16_t port) { ready.set_value(port); };
  std::thread service([&] {
    if (const Status served = serve(options, control, events); !served) fail(served.error().message);
  });
  const std::uint16_t port = ready.get_future().get();
  const std::string path = settings.call == "add" ? "/v1/pages?id=" : "/v1/lookup?id=";
  const Measured measured = run_threads(settings.connections, pages.size(), [&](unsigned) {
    return [&, client = std::make_shared<PlainHttpClient>(port)](std::size_t number) {
      const Page& page = pages[number];
      const std::string target = path + page.id + "&url=" + Client::percent_encode(page.url);
      const std::string type = page.content_type.empty() ? "text/html" : page.content_type;
      return client->exchange(PlainHttpClient::request("POST", target, type, page.body)).status == 200;
    };
  });
  stop = true;
  service.join();
  return measured;
}

// Pages are decoded before the measurement, as in page_profile.
Measured measure_bare_parse(const Settings& settings, const std::vector<Page>& pages) {
  std::vector<std::string> texts;
  PageDecoder decoder;
  for (const Page& page : pages) {
    texts.emplace_back(decoder.decode(page.body, page.content_type, page.format, page.body_is_utf8).text);
  }
  Measured measured = run_threads(settings.threads, pages.size(), [&](unsigned) {
    const std::shared_ptr<lxb_html_document_t> document(lxb_html_document_create(), lxb_html_document_destroy);
    return [&, document](std::size_t number) {
      lxb_html_document_clean(document.get());
      const auto* text = reinterpret_cast<const lxb_char_t*>(texts[number].data());
      return lxb_html_document_parse(document.get(), text, texts[number].size()) == LXB_STATUS_OK;
    };
  });
  measured.client_processor_seconds = 0;  // no HTTP clients
  return measured;
}

Measured measure_profiles(const Settings& settings, const std::vector<Page>& pages) {
  Measured measured = run_threads(settings.threads, pages.size(), [&](unsigned) {
    return [&, profiler = std::make_shared<Profiler>(must(Profiler::create({})))](std::size_t number) {
      profiler->profile(pages[number]);
      return true;
    };
  });
  measured.client_processor_seconds = 0;
  return measured;
}

// The same work without HTTP, on the same number of threads as the service.
Measured measure_library(const Settings& settings, const std::vector<Page>& pages) {
  const std::string identity = must(Profiler::create({})).settings_identity();
  IndexOptions options;
  options.identity = identity;
  options.sync = settings.sync;
  const auto index = must(PageIndex::open(settings.folder + "/library", options));
  Measured measured = run_threads(settings.threads, pages.size(), [&](unsigned) {
    return [&, profiler = std::make_shared<Profiler>(must(Profiler::create({})))](std::size_t number) {
      const Page& page = pages[number];
      IndexPageInput input;
      input.id = page.id;
      input.url = page.url;
      input.profile = &profiler->profile(page);
      if (settings.call == "add") return index->lookup_or_add(input, {}).has_value();
      return index->lookup(input, {}).has_value();
    };
  });
  measured.client_processor_seconds = 0;
  return measured;
}

int run(const Settings& settings) {
  const std::vector<Page> pages = read_pages(settings);
  double bytes = 0;
  for (const Page& page : pages) bytes += static_cast<double>(page.body.size());
  fmt::print("{} pages of {:.0f} bytes on average; {} connections, {} worker threads\n", pages.size(),
             bytes / static_cast<double>(pages.size()), settings.connections, settings.threads);
  print("bare parse", measure_bare_parse(settings, pages), bytes);
  print("profile", measure_profiles(settings, pages), bytes);
  const Measured library = measure_library(settings, pages);
  print("library", library, bytes);
  const Measured service = measure_service(settings, pages);
  print("service", service, bytes);
  const auto count = static_cast<double>(pages.size());
  const double of_service = service.processor_seconds - service.client_processor_seconds;
  fmt::print(
      "service at {:.2f} of the library; processor time per page: library {:.0f} us, service {:.0f} us, clients "
      "{:.0f} us; {} refused\n",
      library.seconds / service.seconds, library.processor_seconds / count * 1e6, of_service / count * 1e6,
      service.client_processor_seconds / count * 1e6, service.refused);
  std::filesystem::remove_all(settings.folder);
  return service.refused == 0 ? 0 : 1;
}

}  // namespace
}  // namespace paraprint

int main(int argc, char** argv) {
  using paraprint::SyncMode;
  paraprint::Settings settings;
  CLI::App app("Load the service with pages, and compare with the same pages without HTTP");
  app.add_option("inputs", settings.inputs, "WARC or JSONL files")->required();
  app.add_option("--folder", settings.folder, "Scratch folder, removed at the end")->capture_default_str();
  app.add_option("--call", settings.call, "add or lookup")
      ->check(CLI::IsMember({"add", "lookup"}))
      ->capture_default_str();
  app.add_option("--sync", settings.sync, "always, interval or none")
      ->transform(CLI::CheckedTransformer(std::map<std::string, SyncMode>{
          {"always", SyncMode::kAlways}, {"interval", SyncMode::kInterval}, {"none", SyncMode::kNone}}))
      ->default_str("interval");
  app.add_option("--connections", settings.connections, "Connections, each with one request at a time")
      ->capture_default_str();
  app.add_option("--threads", settings.threads, "Worker threads of the service")->capture_default_str();
  app.add_option("--pages", settings.pages, "Maximum number of pages")->capture_default_str();
  app.add_flag("--feed", settings.has_feed, "Keep the verdicts of added pages as events");
  CLI11_PARSE(app, argc, argv);
  return paraprint::run(settings);
}
