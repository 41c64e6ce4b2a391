// Writes log lines. Members that do not apply are left out; those that are there keep their names and order, because
// other programs read the log.
#include "crawl/crawl_log.h"

#include "report/json_writer.h"
#include "report/verdict_text.h"

namespace paraprint::inline crawler {
namespace {

// Bytes are those received, with header and before decompression: what the request cost.
void write_fetch(JsonWriter& json, const FetchResult& fetch) {
  if (fetch.http_status != 0) json.member("http_status", fetch.http_status);
  if (const std::string type = fetch.content_type(); !type.empty()) json.member("content_type", type);
  json.member("received_bytes", fetch.response_header.size() + fetch.body.size());
  json.member("seconds", Real{fetch.seconds, 3});
  if (!fetch.address.empty()) json.member("address", fetch.address);
  if (!fetch.failure_words.empty()) json.member("error", fetch.failure_words);
}

// The verdict of a page that was not compared (a refused one) is absent, not "distinct".
void write_judgement(JsonWriter& json, const PageJudgement& judgement) {
  json.member("verdict", verdict_name(judgement.verdict));
  json.member("content_characters", judgement.content_characters);
  if (!judgement.known_url.empty()) {
    json.member("known_url", judgement.known_url);
    json.member("resemblance", Real{judgement.resemblance});
  }
  if (judgement.is_noindex) json.member("noindex", true);
  if (judgement.is_known) json.member("has_changed", judgement.has_changed);
}

// Enough to read the record from its archive file without searching.
void write_capture(JsonWriter& json, const CaptureRecord& capture) {
  json.member("record_id", capture.record_id);
  json.member("file", capture.file);
  json.member("offset_bytes", capture.offset_bytes);
  json.member("length_bytes", capture.length_bytes);
}

}  // namespace

std::string crawl_log_line(const CrawlLogEntry& entry, std::int64_t now_seconds) {
  JsonWriter json;
  json.begin_object();
  json.member("time", utc_date(now_seconds));
  json.member("url", entry.url);
  json.member("status", url_status_name(entry.status));
  if (entry.reason != CrawlReason::kNone) json.member("reason", crawl_reason_info(entry.reason).name);
  json.member("depth", entry.depth);
  if (!entry.referrer.empty()) json.member("referrer", entry.referrer);
  if (entry.attempts > 1) json.member("attempts", entry.attempts);
  if (!entry.redirect_target.empty()) json.member("redirect_target", entry.redirect_target);
  if (!entry.sitemap_defect.empty()) json.member("sitemap_defect", entry.sitemap_defect);
  if (entry.fetch != nullptr) write_fetch(json, *entry.fetch);
  if (entry.judgement != nullptr) write_judgement(json, *entry.judgement);
  if (entry.capture != nullptr) write_capture(json, *entry.capture);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace paraprint::inline crawler
