// Decoding of HTTP captures. Crawlers often store a decoded body under the original header, so a header is a claim that
// the body may contradict: each step keeps what it can and records a defect instead of dropping the page. Filters run
// before decoding, because most filtered captures are images and scripts that are not worth inflating.
#include "archive/http_payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "http/content_coding.h"
#include "http/header_block.h"
#include "text/xml_kind.h"

namespace paraprint::inline archive {
namespace {

constexpr std::array<std::string_view, kPageOutcomeCount> kOutcomeNames = {
    "accepted", "not-a-page", "status-filtered", "type-filtered", "empty-body", "too-large", "broken"};

constexpr std::size_t kSniffBytes = 1024;

// The inputs and the result of decoding one record.
struct PayloadContext {
  const ReadOptions& options;
  std::string_view file;
  DecodedRecord& result;

  void report(DefectKind kind, std::string message) const {
    const RecordLocation& place = result.page.location;
    result.defects.push_back({kind, std::string(file), place.offset_bytes, 0, line, std::move(message)});
  }
  std::uint64_t line = 0;
};

// Sniffs the media type of a body without Content-Type: the part of the WHATWG MIME sniffing standard that matters for
// pages.
std::string sniff_type(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  const std::string start = to_lower(trim(body.substr(0, kSniffBytes)));
  // Before tags are searched: feeds have a <title> as well.
  if (const XmlKind kind = xml_kind_of(body, false); kind != XmlKind::kNone) {
    return kind == XmlKind::kHtml ? "text/html" : "text/xml";
  }
  static constexpr std::array<std::string_view, 8> kTags = {"<!doctype html", "<html", "<head", "<body",
                                                            "<title",         "<div",  "<p>",   "<meta"};
  for (const std::string_view tag : kTags) {
    if (start.find(tag) != std::string::npos) return "text/html";
  }
  if (start.starts_with("<?xml")) return "text/xml";
  if (start.starts_with("%pdf")) return "application/pdf";
  if (!is_text_like(body)) return "application/octet-stream";
  return start.starts_with("<") ? "text/html" : "text/plain";
}

bool is_listed_status(const ReadOptions& options, int status) {
  return std::any_of(options.status.begin(), options.status.end(),
                     [&](const StatusRange& range) { return status >= range.first && status <= range.last; });
}

bool is_listed_type(const ReadOptions& options, std::string_view type) {
  return std::any_of(options.content_type.begin(), options.content_type.end(),
                     [&](const std::string& listed) { return equals_ignoring_case(listed, type); });
}

// All values of a list header, in order; the header may occur several times.
std::vector<std::string> list_values(const HeaderBlock& header, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [field, value] : header.fields) {
    if (!equals_ignoring_case(field, name)) continue;
    for (std::string_view rest = value;;) {
      const std::size_t comma = rest.find(',');
      values.push_back(to_lower(trim(rest.substr(0, comma))));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return values;
}

// Undoes one encoding. Returns false if no usable body remains; the outcome is then set.
bool undo(const PayloadContext& context, ContentCoding coding, std::string_view name, std::string& body) {
  if (coding == ContentCoding::kIdentity || body.empty()) return true;
  if (coding == ContentCoding::kUnknown) {
    context.report(DefectKind::kUnknownContentEncoding,
                   fmt::format("unsupported content encoding \"{}\"", name.substr(0, 40)));
    context.result.outcome = PageOutcome::kBroken;
    return is_text_like(body);
  }
  Decoded decoded = decode_content(coding, body, context.options.max_body_bytes);
  if (decoded.state == Decoded::Outcome::kTooLarge) {
    context.report(DefectKind::kBodyTooLarge,
                   fmt::format("the body expands beyond {} bytes (max_body_bytes)", context.options.max_body_bytes));
    context.result.outcome = PageOutcome::kTooLarge;
    return false;
  }
  if (decoded.state == Decoded::Outcome::kDamaged) {
    context.result.outcome = PageOutcome::kBroken;
    const bool is_plain = decoded.bytes.empty() && is_text_like(body);
    context.report(DefectKind::kBrokenContentEncoding,
                   is_plain ? fmt::format("the header declares {} but the body is not compressed", name)
                            : fmt::format("decoding the body as {} fails after {} bytes", name, decoded.bytes.size()));
    if (is_plain) return true;
    if (decoded.bytes.empty()) return false;
    context.result.is_partial = true;
  }
  body = std::move(decoded.bytes);
  return true;
}

// Undoes transfer coding and content encodings, outermost first, and checks the length. Returns false if no usable body
// remains.
bool undo_encodings(const PayloadContext& context, const HeaderBlock& header, bool is_truncated, std::string& body) {
  std::vector<std::string> transfer = list_values(header, "Transfer-Encoding");
  const bool is_chunked = std::find(transfer.begin(), transfer.end(), "chunked") != transfer.end();
  if (is_chunked && !body.empty()) {
    Decoded decoded = decode_chunked(body);
    const bool is_damaged = decoded.state == Decoded::Outcome::kDamaged;
    if (is_damaged) {
      context.report(DefectKind::kBrokenChunks, decoded.bytes.empty()
                                                    ? "the header declares a chunked body but the body is not chunked"
                                                    : "the body's chunks are broken");
    }
    // Damaged and empty: the body was never chunked and is kept as it is.
    if (!is_damaged || !decoded.bytes.empty()) {
      context.result.is_partial = is_damaged;
      body = std::move(decoded.bytes);
    }
    // Content-Length does not apply to a chunked body (RFC 9112, 6.3).
  } else if (const std::string* stated = header.find("Content-Length")) {
    const std::optional<std::uint64_t> length = parse_number(*stated);
    if (length && *length > body.size() && !is_truncated) {
      context.report(DefectKind::kWrongHttpContentLength,
                     fmt::format("body truncated: {} of {} bytes present", body.size(), *length));
    }
  }
  // Transfer codings other than chunked were applied after the content encodings.
  std::vector<std::string> codings = list_values(header, "Content-Encoding");
  for (std::string& coding : transfer) {
    if (coding != "chunked") codings.push_back(std::move(coding));
  }
  constexpr std::size_t kMaxCodings = 8;  // each may expand the body; real servers stack at most two
  if (codings.size() > kMaxCodings) {
    context.report(DefectKind::kBrokenContentEncoding,
                   fmt::format("{} content encodings in one header", codings.size()));
    context.result.outcome = PageOutcome::kBroken;
    return false;
  }
  for (auto name = codings.rbegin(); name != codings.rend(); ++name) {
    if (!undo(context, content_coding(*name), *name, body)) return false;
  }
  return true;
}

// Separates the HTTP header from `record.payload` and applies filters and encodings. If it returns false, the outcome
// is set.
bool decode_http(const PayloadContext& context, RawRecord& record, std::string& body) {
  // Ignore blank lines before the status line (RFC 9112, 2.2).
  record.payload.erase(0, record.payload.find_first_not_of("\r\n"));
  const std::string_view message = record.payload;
  std::size_t header_bytes = header_block_bytes(message.substr(0, context.options.max_http_header_bytes));
  // Without a body, the blank line after the header may be missing.
  const bool is_cut = header_bytes == std::string_view::npos;
  if (is_cut) header_bytes = std::min<std::size_t>(message.size(), context.options.max_http_header_bytes);
  const HeaderBlock header = parse_header_block(message.substr(0, header_bytes));
  record.http_status = parse_status_line(header.first_line);
  context.result.outcome = PageOutcome::kBroken;
  if (!record.http_status) {
    context.report(DefectKind::kBadHttpHeader, "the payload does not start with an HTTP status line");
    return false;
  }
  if (is_cut && header_bytes < message.size()) {
    context.report(DefectKind::kBadHttpHeader,
                   fmt::format("the HTTP header is larger than {} bytes (max_http_header_bytes)",
                               context.options.max_http_header_bytes));
    return false;
  }
  if (const std::string* type = header.find("Content-Type")) context.result.page.content_type = *type;
  if (!is_listed_status(context.options, *record.http_status)) {
    context.result.outcome = PageOutcome::kStatusFiltered;
    return false;
  }
  // A missing type is decided later, from the decoded body.
  const std::string type = media_type(context.result.page.content_type);
  if (!type.empty() && !is_listed_type(context.options, type)) {
    context.result.outcome = PageOutcome::kTypeFiltered;
    return false;
  }
  if (record.is_oversized) return true;  // there is no body to decode; the caller sets the outcome
  record.payload.erase(0, header_bytes);
  body = std::move(record.payload);
  return undo_encodings(context, header, record.is_truncated, body);
}

// Determines the format of a decoded body. Returns false if the type filter rejects it.
bool settle_format(const PayloadContext& context, const RawRecord& record, std::string_view body) {
  Page& page = context.result.page;
  if (record.format_is_known) return true;
  std::string type = media_type(page.content_type);
  // ARC files give "no-type" or "unknown" if the server sent no type.
  if (type.empty() || type == "no-type" || type == "unknown") type = sniff_type(body);
  if (!is_listed_type(context.options, type)) return false;
  // Many feeds and sitemaps are sent as generic XML. They list pages, and are no copies of them.
  if (is_xml_type(type) && xml_kind_of(body, true) == XmlKind::kListing) return false;
  const bool is_markup = type.find("html") != std::string::npos || type.find("xml") != std::string::npos;
  page.format = is_markup ? PageFormat::kHtml : PageFormat::kPlainText;
  return true;
}

// White space only. Such pages are counted separately from broken ones.
bool is_blank(std::string_view body) {
  return trim(body).empty();
}

}  // namespace

std::string_view page_outcome_name(PageOutcome outcome) {
  return kOutcomeNames[static_cast<std::size_t>(outcome)];
}

bool is_text_like(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) return true;  // UTF-16
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b';  // ESC: ISO-2022
  };
  return std::none_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), kSniffBytes)),
                      is_control);
}

DecodedRecord decode_page(RawRecord&& record, const ReadOptions& options, std::string_view file) {
  // Everything but the body is filled in first, because it is returned for rejected pages too.
  DecodedRecord result;
  Page& page = result.page;
  page.id = std::move(record.id);
  page.url = std::move(record.url);
  page.date = std::move(record.date);
  page.score = record.score;
  page.has_id_of_place = record.has_id_of_place && !record.is_place_lasting;
  if (record.source == PageSource::kConversion) page.made_from = std::move(record.refers_to);
  page.content_type = std::move(record.content_type);
  page.format = record.format;
  page.body_is_utf8 = record.body_is_utf8;
  page.location = record.location;
  const PayloadContext context{options, file, result, record.line};
  result.outcome = PageOutcome::kNotAPage;
  if (record.kind != RecordKind::kPage || (record.segment && !record.segment->is_joined)) return result;

  std::string body;
  if (record.is_http) {
    if (!decode_http(context, record, body)) return result;
  } else {
    body = std::move(record.payload);
  }
  // Cheap checks precede the type filter, which may have to sniff the body.
  if (record.is_oversized) {
    result.outcome = PageOutcome::kTooLarge;
  } else if (is_blank(body)) {
    result.outcome = PageOutcome::kEmptyBody;
  } else if (body.size() > options.max_body_bytes) {
    context.report(DefectKind::kBodyTooLarge,
                   fmt::format("the body is larger than {} bytes (max_body_bytes)", options.max_body_bytes));
    result.outcome = PageOutcome::kTooLarge;
  } else if (!settle_format(context, record, body)) {
    result.outcome = PageOutcome::kTypeFiltered;
  } else {
    result.outcome = PageOutcome::kAccepted;
    page.body = std::move(body);
  }
  return result;
}

}  // namespace paraprint::inline archive
