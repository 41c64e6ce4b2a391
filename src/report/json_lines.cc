// Rows of removed.jsonl and matches.jsonl. A row is written when it is added, to a temporary file that finish() moves
// into place, so memory does not grow with the output and a file that exists is complete.
#include "report/json_lines.h"

#include <utility>

#include "base/propagate.h"
#include "report/row_order.h"
#include "report/verdict_text.h"

namespace paraprint::inline report {
namespace {

// take() leaves the writer empty but keeps its buffer for the next row.
Status write_line(AtomicFile& file, JsonWriter& json) {
  std::string line = json.take();
  line += '\n';
  return file.write(line);
}

}  // namespace

void write_span(JsonWriter& json, std::string_view name, TextSpan span) {
  json.key(name);
  json.begin_array();
  json.value(span.begin_bytes);
  json.value(span.end_bytes);
  json.end_array();
}

// The order of members is part of the format: rows of equal runs are equal bytes.
void write_removed(JsonWriter& json, const RemovedRow& row) {
  json.begin_object();
  json.member("id", row.id);
  json.member("url", row.url);
  if (!row.date.empty()) json.member("date", row.date);
  if (row.other_language.empty()) {
    json.member("verdict", verdict_name(row.verdict));
    json.member("kept_id", row.kept_id);
    json.member("kept_url", row.kept_url);
    if (!row.kept_date.empty()) json.member("kept_date", row.kept_date);
    json.member("resemblance", Real{row.resemblance});
    json.member("containment_removed", Real{row.containment_removed});
    json.member("containment_kept", Real{row.containment_kept});
  } else {
    json.member("language", row.other_language);
  }
  json.member("reason", row.reason);
  if (!row.canonical.empty()) json.member("canonical", row.canonical);
  json.member("cluster", row.cluster);
  // Pages from memory have no file; both members are left out together.
  if (!row.file.empty()) {
    json.member("file", row.file);
    json.member("offset_bytes", row.offset_bytes);
  }
  json.end_object();
}

void write_spans(JsonWriter& json, std::span<const MatchedSpan> spans) {
  json.begin_array();
  for (const MatchedSpan& span : spans) {
    json.begin_object();
    json.member("paragraph_a", span.paragraph_a);
    json.member("paragraph_b", span.paragraph_b);
    write_span(json, "span_a", span.a);
    write_span(json, "span_b", span.b);
    json.member("distance_bits", span.distance_bits);
    json.member("is_sentence", span.is_sentence);
    json.end_object();
  }
  json.end_array();
}

// The optional word_resemblance comes directly after resemblance, which it refines.
void write_evidence(JsonWriter& json, const EvidenceRow& row) {
  json.begin_object();
  json.member("id_a", row.id_a);
  json.member("id_b", row.id_b);
  json.member("verdict", verdict_name(row.match.verdict));
  json.member("resemblance", Real{row.match.resemblance});
  if (row.word_resemblance) json.member("word_resemblance", Real{*row.word_resemblance});
  json.member("containment_a", Real{row.match.containment_a});
  json.member("containment_b", Real{row.match.containment_b});
  json.member("matched_characters", Real{row.match.matched_characters, kCharactersDecimals});
  if (!row.canonical.empty()) json.member("canonical", row.canonical);
  json.key("passages");
  write_spans(json, row.spans);
  json.end_object();
}

void write_trimmed(JsonWriter& json, const TrimmedRow& row) {
  json.begin_object();
  json.member("id", row.id);
  json.member("kind", row.kind);
  write_span(json, "span", row.span);
  json.member("content_characters", row.content_characters);
  json.member("kept_id", row.kept_id);
  write_span(json, "kept_span", row.kept_span);
  json.member("distance_bits", row.distance_bits);
  json.member("places", row.places);
  json.end_object();
}

Result<RemovedWriter> RemovedWriter::create(std::string path) {
  return AtomicFile::create(std::move(path)).map([](AtomicFile&& file) { return RemovedWriter(std::move(file)); });
}

Status RemovedWriter::add(const RemovedRow& row) {
  // Checked before anything is written, so a rejected row leaves no trace.
  PARAPRINT_TRY(check_ascending(file_, rows_, last_id_, row.id));
  last_id_ = row.id;
  ++rows_;
  write_removed(json_, row);
  return write_line(file_, json_);
}

Status RemovedWriter::finish() {
  return file_.commit();
}

Result<EvidenceWriter> EvidenceWriter::create(std::string path) {
  return AtomicFile::create(std::move(path)).map([](AtomicFile&& file) { return EvidenceWriter(std::move(file)); });
}

Status EvidenceWriter::add(const EvidenceRow& row) {
  PARAPRINT_TRY(check_pair_ascending(file_, rows_, last_id_a_, last_id_b_, row.id_a, row.id_b));
  last_id_a_ = row.id_a;
  last_id_b_ = row.id_b;
  ++rows_;
  write_evidence(json_, row);
  return write_line(file_, json_);
}

Status EvidenceWriter::finish() {
  return file_.commit();
}

}  // namespace paraprint::inline report
