// Workers turn records into captures, which is nearly all of the work; a single thread keeps the latest of each
// address. Links are counted at the end, when it is known which addresses there are and which captures stayed.
#include "audit/site_reader.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "archive/http_payload.h"
#include "archive/record.h"
#include "audit/header_statements.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "html/charset.h"
#include "memory/seeded_hash.h"
#include "profile/page_profiler.h"
#include "profile/record_batches.h"
#include "text/normalise.h"
#include "web/links.h"
#include "web/sitemap.h"
#include "web/url.h"
#include "web/url_shape.h"

namespace paraprint::inline audit {
namespace {

// Addresses beyond max_pages are counted up to here, with some 40 bytes each.
constexpr std::size_t kCountedMaximum = 10'000'000;

// Directives that name a crawler are not about all.
constexpr std::string_view kNoCrawler = "";

bool is_of_site(std::string_view host, std::string_view site) {
  if (host == site) return true;
  return host.size() > site.size() && host.ends_with(site) && host[host.size() - site.size() - 1] == '.';
}

std::uint64_t hash_of_address(std::string_view url) {
  return sip_hash(url, process_hash_seed());
}

// What a worker makes of a record.
struct SiteCapture {
  SitePage page;
  std::string body;  // UTF-8, if page.has_text
  PageFormat format = PageFormat::kHtml;
  std::vector<std::uint64_t> links;          // hashes of addresses
  std::vector<std::string> sitemap_entries;  // if the record is a sitemap
};

struct SiteCaptures {
  std::vector<SiteCapture> captures;
  std::vector<Defect> defects;
  std::uint64_t stored_bytes_done = 0;
};

// One per thread.
class CaptureReader {
 public:
  static Result<std::unique_ptr<CaptureReader>> create(const AuditOptions& options) {
    auto reader = std::unique_ptr<CaptureReader>(new CaptureReader(options));
    PARAPRINT_ASSIGN(reader->main_, PageProfiler::create(options.run.profile, WordWeights::bundled()));
    ProfileOptions whole = options.run.profile;
    whole.extractor = "whole-page";
    PARAPRINT_ASSIGN(reader->whole_, PageProfiler::create(whole, WordWeights::bundled()));
    return reader;
  }

  // Empty for records of other sites, and for those that are no responses.
  std::optional<SiteCapture> read(RawRecord&& record, const std::string& file, std::vector<Defect>& defects) {
    if (record.kind != RecordKind::kPage || record.source == PageSource::kConversion) return std::nullopt;
    const std::optional<Url> url = parser_.parse(record.url);
    if (!url || !is_of_site(url->host, options_.site)) return std::nullopt;
    SiteCapture capture;
    capture.page.url = url->href;
    capture.page.date = record.date;
    capture.page.shape = url_shape(*url);
    const HeaderStatements header = record.is_http ? read_header_statements(record.payload) : HeaderStatements{};
    capture.page.status = header.status;
    capture.page.is_noindex = std::any_of(header.robots.begin(), header.robots.end(), [](const std::string& value) {
      return parse_robots_directives(value, kNoCrawler).is_noindex;
    });
    parser_.set_base(url->href);
    if (header.status >= 300 && header.status < 400) {
      if (const std::optional<Url> target = parser_.parse(header.location)) capture.page.location = target->href;
    } else if (is_sitemap(*url, header)) {
      read_sitemap(record, capture);
    } else {
      if (const std::optional<Url> target = parser_.parse(header.canonical); target && !header.canonical.empty()) {
        capture.page.canonical = target->href;
      }
      read_text(std::move(record), *url, file, defects, capture);
    }
    parser_.clear_base();
    return capture;
  }

 private:
  explicit CaptureReader(const AuditOptions& options) : options_(options), reading_(options.run.reading) {
    // The bodies of error pages tell what a page looks like that is not there.
    reading_.status = {{200, 299}, {404, 404}, {410, 410}};
  }

  static bool is_sitemap(const Url& url, const HeaderStatements& header) {
    if (header.status >= 400) return false;
    const std::string_view path = std::string_view(url.target).substr(0, url.target.find('?'));
    return path.find("sitemap") != std::string_view::npos &&
           (path.ends_with(".xml") || path.ends_with(".xml.gz") || path.ends_with(".txt"));
  }

  void read_sitemap(const RawRecord& record, SiteCapture& capture) {
    Sitemap sitemap = parse_sitemap(body_of_response(record.payload, record.is_http));
    for (const std::string& entry : sitemap.pages) {
      const std::optional<Url> page = parser_.parse(entry);
      if (page && is_of_site(page->host, options_.site)) capture.sitemap_entries.push_back(page->href);
    }
  }

  void read_text(RawRecord&& record, const Url& url, const std::string& file, std::vector<Defect>& defects,
                 SiteCapture& capture) {
    DecodedRecord decoded = decode_page(std::move(record), reading_, file);
    std::move(decoded.defects.begin(), decoded.defects.end(), std::back_inserter(defects));
    if (decoded.outcome != PageOutcome::kAccepted) return;
    const Page& page = decoded.page;
    capture.page.has_text = true;
    capture.page.text_characters = count_content_characters(whole_->extract(page).text);
    capture.page.content_characters = count_content_characters(main_->extract(page).text);
    const DecodedPage& text = decoder_.decode(page.body, page.content_type, page.format, page.body_is_utf8);
    capture.body = text.text;
    capture.format = page.format;
    if (page.format == PageFormat::kHtml) read_markup(capture.body, text.charset, url, capture);
  }

  void read_markup(std::string_view body, std::string_view charset, const Url& url, SiteCapture& capture) {
    SitePage& page = capture.page;
    PageLinks links = links_.extract(body, url.href, charset, kNoCrawler, true);
    if (page.canonical.empty()) page.canonical = std::move(links.canonical);
    page.alternates = std::move(links.alternates);
    page.is_paginated = links.is_paginated;
    page.is_noindex = page.is_noindex || links.is_noindex;
    if (links.refresh != page.url) page.location = std::move(links.refresh);
    for (const Url& link : links.urls) {
      const bool is_statement = link.href == page.canonical || link.href == page.location;
      if (!is_statement && link.href != page.url && is_of_site(link.host, options_.site)) {
        capture.links.push_back(hash_of_address(link.href));
      }
    }
  }

  const AuditOptions& options_;
  ReadOptions reading_;
  UrlParser parser_;
  LinkExtractor links_;
  PageDecoder decoder_;
  std::unique_ptr<PageProfiler> main_;
  std::unique_ptr<PageProfiler> whole_;
};

// Keeps the latest capture of each address.
class SiteCollector {
 public:
  SiteCollector(const AuditOptions& options, PageStore& store) : options_(options), store_(store) {}

  Status add(SiteCapture&& capture) {
    for (std::string& entry : capture.sitemap_entries) {
      if (sitemap_addresses_.size() < options_.max_pages) sitemap_addresses_.insert(std::move(entry));
    }
    const auto known = places_.find(capture.page.url);
    if (known != places_.end()) {
      ++content_.repeated_captures;
      if (capture.page.date <= content_.pages[known->second].date) return {};
      return store(std::move(capture), known->second);
    }
    if (content_.pages.size() >= options_.max_pages) {
      if (beyond_.size() < kCountedMaximum) beyond_.insert(hash_of_address(capture.page.url));
      return {};
    }
    const auto place = static_cast<std::uint32_t>(content_.pages.size());
    places_.emplace(capture.page.url, place);
    content_.pages.emplace_back();
    content_.stored.emplace_back();
    return store(std::move(capture), place);
  }

  SiteContent& content() { return content_; }

  Result<SiteContent> finish() {
    sort_by_address();
    std::unordered_map<std::uint64_t, std::uint32_t, SeededHash> places;
    for (std::uint32_t p = 0; p < content_.pages.size(); ++p) {
      SitePage& page = content_.pages[p];
      places.emplace(hash_of_address(page.url), p);
      page.is_in_sitemap = sitemap_addresses_.contains(page.url);
    }
    content_.sitemap_addresses = sitemap_addresses_.size();
    content_.beyond_limit = beyond_.size();
    for (std::uint32_t p = 0; p < content_.pages.size(); ++p) {
      if (!content_.pages[p].has_text || content_.stored[p].links == 0) continue;
      PARAPRINT_ASSIGN(const std::vector<std::uint64_t> links, store_.links(content_.stored[p]));
      for (const std::uint64_t link : links) {
        const auto target = places.find(link);
        if (target == places.end()) continue;
        SitePage& page = content_.pages[target->second];
        if (page.linking_pages++ == 0) page.linking_example = content_.pages[p].url;  // the first is the smallest
      }
    }
    return std::move(content_);
  }

 private:
  Status store(SiteCapture&& capture, std::uint32_t place) {
    if (capture.page.has_text) {
      PARAPRINT_ASSIGN(content_.stored[place], store_.add(capture.body, capture.format, capture.links));
    }
    content_.pages[place] = std::move(capture.page);
    return {};
  }

  void sort_by_address() {
    std::vector<std::uint32_t> order(content_.pages.size());
    for (std::uint32_t p = 0; p < order.size(); ++p) order[p] = p;
    std::sort(order.begin(), order.end(),
              [this](std::uint32_t a, std::uint32_t b) { return content_.pages[a].url < content_.pages[b].url; });
    std::vector<SitePage> pages;
    std::vector<StoredPage> stored;
    for (const std::uint32_t p : order) {
      pages.push_back(std::move(content_.pages[p]));
      stored.push_back(content_.stored[p]);
    }
    content_.pages = std::move(pages);
    content_.stored = std::move(stored);
    places_.clear();
  }

  const AuditOptions& options_;
  PageStore& store_;
  SiteContent content_;
  std::unordered_map<std::string, std::uint32_t, SeededHash> places_;
  std::unordered_set<std::string, SeededHash> sitemap_addresses_;
  std::unordered_set<std::uint64_t, SeededHash> beyond_;
};

void note_defects(const std::vector<Defect>& defects, SiteContent& content, const ProgressReporter& progress) {
  for (const Defect& defect : defects) {
    if (defect.kind == DefectKind::kUnreadableFile) {
      content.unreadable_inputs += defect.count;
      content.unreadable_reasons.push_back(defect.message);
    } else {
      content.broken_records += defect.count;
    }
    if (progress.wants_warnings()) progress.warn(describe(defect));
  }
}

}  // namespace

Result<SiteContent> read_site(const std::vector<InputFile>& inputs, const AuditOptions& options, unsigned threads,
                              PageStore& store, ProgressReporter& progress) {
  std::vector<std::unique_ptr<CaptureReader>> readers;
  for (unsigned worker = 0; worker < threads; ++worker) {
    PARAPRINT_ASSIGN(std::unique_ptr<CaptureReader> reader, CaptureReader::create(options));
    readers.push_back(std::move(reader));
  }
  SiteCollector collector(options, store);
  RecordBatchSource source(inputs, options.run.reading, LogPosition{}, options.run.resources.memory);
  progress.begin("read", source.stored_bytes_total(), "bytes");
  std::uint64_t pages = 0;
  PARAPRINT_TRY(run_in_order<RecordBatch, SiteCaptures>(
      threads, [&] { return source.next(); },
      [&](unsigned worker, RecordBatch&& batch) {
        SiteCaptures made;
        made.defects = std::move(batch.defects);
        made.stored_bytes_done = batch.stored_bytes_done;
        for (RawRecord& record : batch.records) {
          std::optional<SiteCapture> capture =
              readers[worker]->read(std::move(record), inputs[batch.file_index].path, made.defects);
          if (capture) made.captures.push_back(std::move(*capture));
        }
        return made;
      },
      [&](SiteCaptures&& made) -> Status {
        PARAPRINT_TRY(check_stop());
        note_defects(made.defects, collector.content(), progress);
        pages += made.captures.size();
        for (SiteCapture& capture : made.captures) PARAPRINT_TRY(collector.add(std::move(capture)));
        progress.update(made.stored_bytes_done, pages);
        return {};
      }));
  progress.end();
  return collector.finish();
}

}  // namespace paraprint::inline audit
