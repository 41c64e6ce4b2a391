// The reader of JSON lines finds lines and ids, reports broken JSON, and keeps each line; the fields that only gold
// pages have are parsed here, on the threads that judge them.
#include "lab/evaluate/gold_pages.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <filesystem>
#include <span>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "memory/release_memory.h"
#include "report/text_safety.h"
#include "text/script_name.h"

namespace paraprint::inline lab::inline evaluation {
namespace {

namespace fs = std::filesystem;

// Large enough to make handing over cheap, small enough for a dozen batches of large pages to need little memory.
constexpr std::size_t kBatchLines = 32;
constexpr std::size_t kBatchBytes = std::size_t{2} << 20;

constexpr std::string_view kLanguageFields[] = {"language", "lang"};
constexpr std::string_view kTypeFields[] = {"page_type", "type"};
constexpr std::string_view kSourceFields[] = {"dataset"};
constexpr std::string_view kTierFields[] = {"tier"};
constexpr std::string_view kToolMade = "tool-snapshot";

// "a/gold.jsonl.gz" -> "gold"
std::string name_of(const InputFile& input) {
  const std::string name = fs::path(input.path).filename().string();
  return name.substr(0, name.find('.'));
}

bool is_path(std::string_view html) {
  return !html.empty() && html.size() <= kPagePathBytesMaximum &&
         html.find_first_of(std::string_view("<\n\r\0", 4)) == std::string_view::npos;
}

// Gold pages may come from strangers, so a path may not name the way out of the folder of its file. Symbolic links in
// the folder are followed: caches of downloads consist of them.
Result<std::string> read_page_file(const InputFile& input, std::string_view path, std::uint64_t bytes_maximum) {
  const fs::path relative{std::string(path)};
  for (const fs::path& part : relative) {
    if (relative.is_absolute() || part == "..") {
      return failure(ErrorCode::kInvalidArgument, fmt::format("'{}' is not a path below the folder of the file", path));
    }
  }
  const fs::path whole = fs::path(input.stored_path()).parent_path() / relative;
  std::error_code failed;
  if (!fs::is_regular_file(whole, failed)) {
    return failure(ErrorCode::kNotFound, fmt::format("'{}' is neither HTML nor a file", path));
  }
  if (fs::file_size(whole, failed) > bytes_maximum || failed) {
    return failure(ErrorCode::kLimitExceeded,
                   fmt::format("'{}' is larger than {} bytes (max_body_bytes)", path, bytes_maximum));
  }
  return read_whole_file(whole.string());
}

// The first of the fields that is a string; "" if there is none.
std::string_view first_text(const simdjson::dom::object& object, std::span<const std::string_view> fields) {
  std::string_view text;
  for (const std::string_view field : fields) {
    if (object.at_key(field).get(text) == simdjson::SUCCESS && !text.empty()) return text;
  }
  return {};
}

std::string group_name(std::string_view text, std::string_view otherwise) {
  return std::string(text.empty() ? otherwise : utf8_prefix(text, kGroupNameBytesMaximum));
}

}  // namespace

GoldSource::GoldSource(const std::vector<InputFile>& inputs, const ReadOptions& reading)
    : inputs_(inputs), reading_(reading) {
  for (const InputFile& input : inputs_) stored_bytes_total_ += input.size_bytes;
}

Result<std::optional<GoldBatch>> GoldSource::next() {
  if (file_index_ >= inputs_.size()) return std::optional<GoldBatch>{};
  GoldBatch batch;
  batch.file_index = file_index_;
  if (reader_ == nullptr) PARAPRINT_TRY(open_file());
  std::size_t bytes = 0;
  while (reader_ != nullptr && batch.lines.size() < kBatchLines && bytes < kBatchBytes) {
    Result<std::optional<RawRecord>> line = reader_->next();
    if (!line) report_unreadable(line.error());
    if (!line || !line->has_value()) {
      end_file();
      break;
    }
    bytes += (*line)->header.size();
    release_memory((*line)->payload);
    batch.lines.push_back(std::move(**line));
  }
  batch.defects = std::exchange(defects_, {});
  batch.stored_bytes_done = stored_bytes_before_ + (reader_ ? reader_->stored_bytes_read() : 0);
  return batch;
}

Status GoldSource::open_file() {
  const InputFile& input = inputs_[file_index_];
  Result<std::unique_ptr<RecordReader>> reader =
      open_records(input, reading_, [this](Defect defect) { defects_.push_back(std::move(defect)); });
  if (!reader) {
    report_unreadable(reader.error());
    end_file();
    return {};
  }
  // An empty or unrecognised file has no lines, and its defect says so.
  if ((*reader)->format() != ArchiveFormat::kJsonLines && defects_.empty()) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: not JSON lines", input.path));
  }
  reader_ = std::move(*reader);
  reader_->keep_everything();
  return {};
}

void GoldSource::end_file() {
  stored_bytes_before_ += inputs_[file_index_].size_bytes;
  reader_.reset();
  ++file_index_;
}

void GoldSource::report_unreadable(const Error& error) {
  Defect defect;
  defect.kind = DefectKind::kUnreadableFile;
  defect.file = inputs_[file_index_].path;
  defect.offset_bytes = reader_ ? reader_->stored_bytes_read() : 0;
  defect.message = error.message;
  defects_.push_back(std::move(defect));
}

struct GoldParser::Json {
  simdjson::dom::parser parser;
};

GoldParser::GoldParser(const ReadOptions& reading) : reading_(reading), json_(std::make_unique<Json>()) {}
GoldParser::~GoldParser() = default;

PageLabels GoldParser::labels(const RawRecord& line) {
  simdjson::dom::object object;
  if (json_->parser.parse(line.header).get(object) != simdjson::SUCCESS) return {};
  return {group_name(first_text(object, kLanguageFields), ""), group_name(first_text(object, kTypeFields), "")};
}

std::optional<GoldPage> GoldParser::parse(const InputFile& input, RawRecord&& line, std::vector<Defect>& defects) {
  const auto refuse = [&](DefectKind kind, std::string message) -> std::optional<GoldPage> {
    defects.push_back({kind, input.path, line.location.offset_bytes, 0, line.line, std::move(message)});
    return std::nullopt;
  };
  simdjson::dom::object object;
  if (json_->parser.parse(line.header).get(object) != simdjson::SUCCESS) {
    return refuse(DefectKind::kBadJson, "not a JSON object");
  }
  std::string_view html;
  std::string_view text;
  for (const auto& [field, value] : {std::pair(&reading_.html_field, &html), std::pair(&reading_.text_field, &text)}) {
    simdjson::dom::element element;
    if (object.at_key(*field).get(element) != simdjson::SUCCESS) {
      return refuse(DefectKind::kMissingField, fmt::format("missing field \"{}\"", *field));
    }
    if (element.get(*value) != simdjson::SUCCESS) {
      return refuse(DefectKind::kWrongFieldType, fmt::format("not a string: field \"{}\"", *field));
    }
  }
  GoldPage gold;
  gold.page.body_is_utf8 = !is_path(html);
  if (gold.page.body_is_utf8) {
    gold.page.body = html;
  } else {
    Result<std::string> body = read_page_file(input, html, reading_.max_body_bytes);
    if (!body) return refuse(DefectKind::kMissingField, fmt::format("no page: {}", body.error().message));
    gold.page.body = std::move(*body);
  }
  gold.page.id = std::move(line.id);
  gold.page.url = std::move(line.url);
  gold.text = text;
  gold.source = group_name(first_text(object, kSourceFields), name_of(input));
  gold.page_type = group_name(first_text(object, kTypeFields), kUnknownName);
  gold.language = group_name(first_text(object, kLanguageFields), script_name(text));
  gold.is_tool_made = first_text(object, kTierFields) == kToolMade;
  gold.line = line.line;
  return gold;
}

}  // namespace paraprint::inline lab::inline evaluation
