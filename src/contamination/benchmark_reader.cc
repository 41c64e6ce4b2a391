// The reader of JSON lines looks for pages; items have other fields, so the lines themselves are parsed here.
#include "contamination/benchmark_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "archive/http_payload.h"
#include "archive/record_reader.h"
#include "base/propagate.h"
#include "paraprint/contamination.h"

namespace paraprint::inline contamination {
namespace {

// Lists within lists, of which no benchmark has more than two.
constexpr int kDepthMaximum = 8;

// Appends the strings in a value, in their order: choices are often a list, or an object of lists.
void append_texts(const simdjson::dom::element& value, int depth, std::string& text) {
  if (depth > kDepthMaximum) return;
  std::string_view string;
  simdjson::dom::array array;
  simdjson::dom::object object;
  if (value.get(string) == simdjson::SUCCESS) {
    if (string.empty()) return;
    if (!text.empty()) text += '\n';
    text += string;
  } else if (value.get(array) == simdjson::SUCCESS) {
    for (const simdjson::dom::element element : array) append_texts(element, depth + 1, text);
  } else if (value.get(object) == simdjson::SUCCESS) {
    for (const auto& [key, element] : object) append_texts(element, depth + 1, text);
  }
}

class ItemLines {
 public:
  explicit ItemLines(const std::vector<std::string>& fields) : fields_(fields) {}

  // Empty if the line has no text in the fields.
  std::string text_of(std::string_view line) {
    std::string text;
    simdjson::dom::object object;
    padded_.assign(line);
    const simdjson::error_code error = parser_.parse(padded_).get(object);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error != simdjson::SUCCESS) return text;
    const auto append = [&](std::string_view field) {
      simdjson::dom::element value;
      if (object.at_key(field).get(value) == simdjson::SUCCESS) append_texts(value, 0, text);
    };
    for (const std::string& field : fields_) append(field);
    for (const std::string_view field : kUsualItemFields) {
      if (fields_.empty() && text.empty()) append(field);
    }
    return text;
  }

  std::string complaint() const {
    if (fields_.empty()) return fmt::format("no text in any of the fields {}", fmt::join(kUsualItemFields, ", "));
    return fmt::format("no text in the fields {}", fmt::join(fields_, ", "));
  }

 private:
  const std::vector<std::string>& fields_;
  simdjson::dom::parser parser_;
  std::string padded_;
};

// Of the fields of pages, which items need not have.
bool is_of_page_fields(const Defect& defect) {
  return defect.kind == DefectKind::kMissingField || defect.kind == DefectKind::kWrongFieldType;
}

}  // namespace

Status read_benchmark(const InputFile& input, const std::vector<std::string>& fields, const ReadOptions& options,
                      PageProfiler& profiler, const std::function<Status(BenchmarkItem&&)>& visit,
                      const DefectSink& sink) {
  bool is_json = false;
  const auto report = [&](const Defect& defect) {
    if (!is_json || !is_of_page_fields(defect)) sink(defect);
  };
  const auto unreadable = [&](const Error& error) {
    sink({DefectKind::kUnreadableFile, input.path, 0, 0, 0, error.message});
  };
  Result<std::unique_ptr<RecordReader>> reader = open_records(input, options, report);
  if (!reader) {
    unreadable(reader.error());
    return {};
  }
  is_json = (*reader)->format() == ArchiveFormat::kJsonLines;
  (*reader)->keep_everything();
  ItemLines lines(fields);
  StopCheck stop(StopScope::current());
  for (;;) {
    PARAPRINT_TRY(check_stop());
    Result<std::optional<RawRecord>> next = (*reader)->next();
    if (!next) {
      unreadable(next.error());
      return {};
    }
    if (!*next) return {};
    RawRecord& record = **next;
    BenchmarkItem item{record.id, input.index, record.line, {}};
    if (is_json) {
      item.text = lines.text_of(record.header);
      if (item.text.empty()) {
        sink({DefectKind::kMissingField, input.path, record.location.offset_bytes, 0, record.line, lines.complaint()});
        continue;
      }
    } else {
      DecodedRecord decoded = decode_page(std::move(record), options, input.path);
      for (const Defect& defect : decoded.defects) report(defect);
      if (decoded.outcome != PageOutcome::kAccepted) continue;
      PARAPRINT_ASSIGN(const MainContent* const content, profiler.extract(decoded.page, stop));
      item.text = content->text;
    }
    PARAPRINT_TRY(visit(std::move(item)));
  }
}

}  // namespace paraprint::inline contamination
