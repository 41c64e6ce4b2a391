// Titles and texts are those of the extractors. For titles alone the simplest one does.
#include "wacz/wacz_pages.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "archive/http_payload.h"
#include "archive/wacz_input.h"
#include "base/ordered_parallel.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "http/header_block.h"
#include "profile/page_profiler.h"
#include "profile/record_batches.h"
#include "text/word_weights.h"

namespace paraprint::inline wacz {
namespace {

namespace fs = std::filesystem;

// A page with texts of its own, because it travels between threads.
struct PageTitleText {
  std::string url;
  std::string date;
  std::string title;
  std::string text;
};

ReadOptions page_reading() {
  ReadOptions reading;
  reading.content_type = {"text/html", "application/xhtml+xml"};
  return reading;
}

Result<std::vector<PageTitleText>> texts_of(RecordBatch&& batch, const InputFile& input, const ReadOptions& reading,
                                            bool with_text, PageProfiler& profiler) {
  StopCheck stop(StopScope::current());
  std::vector<PageTitleText> texts;
  for (RawRecord& record : batch.records) {
    if (record.source == PageSource::kConversion) continue;  // players show their originals
    DecodedRecord decoded = decode_page(std::move(record), reading, input.path);
    if (decoded.outcome != PageOutcome::kAccepted || decoded.page.format != PageFormat::kHtml) continue;
    PARAPRINT_ASSIGN(const MainContent* const content, profiler.extract(decoded.page, stop));
    PageTitleText& page = texts.emplace_back();
    page.url = std::move(decoded.page.url);
    page.date = std::move(decoded.page.date);
    page.title = content->title;
    if (with_text) page.text = content->text;
  }
  return texts;
}

// In a WACZ file or in a folder with its unpacked content. That a list is damaged is reported when its file is read.
Result<std::optional<InputWindow>> open_list(const std::string& wacz, std::string_view name) {
  std::error_code ignored;
  if (!fs::is_directory(wacz, ignored))
    return open_wacz_member(wacz, name, ReadOptions{}, nullptr, [](const Defect&) {});
  const std::string path = wacz + "/" + std::string(name);
  if (!fs::is_regular_file(path, ignored)) return std::optional<InputWindow>{};
  PARAPRINT_ASSIGN(InputWindow window, InputWindow::open(path));
  return std::optional(std::move(window));
}

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string_view wacz_above(std::string_view path) {
  const std::string lower = to_lower(path);
  const std::size_t at = lower.rfind(std::string(kWaczEnding) + "/archive/");
  if (at != std::string::npos) return path.substr(0, at + kWaczEnding.size());
  return lower.ends_with(kWaczEnding) ? path : std::string_view();
}

Result<ListedWacz> ListedWacz::read(const std::vector<InputFile>& inputs, PageList& pages) {
  ListedWacz listed;
  std::set<std::string, std::less<>> seen;
  for (const InputFile& input : inputs) {
    const std::string wacz(input.wacz ? std::string_view(input.wacz->file) : wacz_above(input.path));
    if (wacz.empty() || !seen.insert(wacz).second) continue;
    for (const std::string_view name : kWaczPageLists) {
      const bool is_extra = name == kWaczPageLists[1];
      PARAPRINT_ASSIGN(std::optional<InputWindow> list, open_list(wacz, name));
      if (!list) continue;
      PARAPRINT_TRY(pages.add_listed(*list, is_extra ? PageListKind::kExtra : PageListKind::kPages));
      listed.paths_.insert(wacz);
      listed.names_.emplace(name_of(wacz));
    }
  }
  return listed;
}

bool ListedWacz::has_list(std::string_view path) const {
  return paths_.contains(path);
}

bool ListedWacz::has_list_of_name(std::string_view path) const {
  const std::string_view wacz = wacz_above(path);
  return !wacz.empty() && names_.contains(name_of(wacz));
}

Status find_pages(const std::vector<InputFile>& inputs, const PageSearch& search, PageList& pages,
                  ProgressReporter& progress) {
  ProfileOptions options;
  if (!search.with_text) options.extractor = "whole-page";
  std::vector<std::unique_ptr<PageProfiler>> profilers;
  for (unsigned worker = 0; worker < search.threads; ++worker) {
    PARAPRINT_ASSIGN(std::unique_ptr<PageProfiler> profiler, PageProfiler::create(options, WordWeights::bundled()));
    profilers.push_back(std::move(profiler));
  }
  const ReadOptions reading = page_reading();
  RecordBatchSource source(inputs, reading, LogPosition{}, search.budget.target_bytes());
  progress.begin("pages", source.stored_bytes_total(), "bytes");
  struct Found {
    std::vector<PageTitleText> texts;
    std::uint64_t stored_bytes_done = 0;
  };
  PARAPRINT_TRY(run_in_order<RecordBatch, Result<Found>>(
      search.threads, [&] { return source.next(); },
      [&](unsigned worker, RecordBatch&& batch) -> Result<Found> {
        const std::uint64_t done = batch.stored_bytes_done;
        const InputFile& input = inputs[batch.file_index];
        PARAPRINT_ASSIGN(std::vector<PageTitleText> texts,
                         texts_of(std::move(batch), input, reading, search.with_text, *profilers[worker]));
        return Found{std::move(texts), done};
      },
      [&](Result<Found>&& found) -> Status {
        PARAPRINT_TRY(found);
        for (const PageTitleText& page : found->texts) {
          PARAPRINT_TRY(pages.add_found({page.url, page.date, page.title, page.text}));
        }
        progress.update(found->stored_bytes_done);
        return {};
      }));
  progress.end();
  return {};
}

}  // namespace paraprint::inline wacz
