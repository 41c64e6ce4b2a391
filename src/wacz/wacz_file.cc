// The order: archives are copied, which also tells which of their records stand for pages; the pages and captures in
// what was written are found; then follow the small members, which describe the others.
#include "wacz/wacz_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "archive/record_reader.h"
#include "archive/record_writer.h"
#include "archive/wacz_input.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "cdx/index_archives.h"
#include "http/date.h"
#include "http/header_block.h"
#include "paraprint/engine.h"
#include "report/json_writer.h"
#include "report/text_safety.h"
#include "wacz/page_list.h"
#include "wacz/wacz_index.h"
#include "wacz/wacz_pages.h"
#include "zip/zip_writer.h"

namespace paraprint::inline wacz {
namespace {

constexpr std::string_view kWaczVersion = "1.1.1";
constexpr std::string_view kIndexName = "index.cdx.gz";
constexpr std::string_view kArchiveEnding = ".warc.gz";
constexpr std::array<std::string_view, 4> kReplacedEndings = {".gz", ".zst", ".zstd", ".warc"};
constexpr std::size_t kReasonsMaximum = 10;

// Half of the memory is for records and buffers of compression.
constexpr std::uint64_t kSortingShare = 4;

// The name of a member without its folder.
std::string archive_name(std::string name) {
  for (const std::string_view ending : kReplacedEndings) {
    if (to_lower(name).ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
  }
  return name + std::string(kArchiveEnding);
}

// Of a name that is too long, the beginning is kept.
std::string with_ending(std::string_view stem, std::string_view ending) {
  return fmt::format("{}{}", utf8_prefix(stem, kWaczNameBytesMaximum - ending.size()), ending);
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

class WaczFile {
 public:
  WaczFile(const WaczPlan& plan, std::unique_ptr<ZipWriter> zip, ProgressReporter& progress)
      : plan_(plan), zip_(std::move(zip)), progress_(progress), pages_(&plan.budget) {}

  Status write();
  const WaczOutcome& outcome() const { return outcome_; }

 private:
  Status refuse_arc_files() const;
  Status write_archives(const ListedWacz& listed);
  Status write_archive(const InputFile& input, const std::string& name, const ListedWacz& listed);
  Status see(const RawRecord& record, bool has_list);
  Status write_index();
  Status write_pages(PageListKind kind, const std::string& name);
  Status write_package();
  Status write_small(const std::string& name, std::string_view content);
  Status end_member();
  void note_defect(const Defect& defect);
  void note_unreadable(const InputFile& input, const Error& error);

  const WaczPlan& plan_;
  std::unique_ptr<ZipWriter> zip_;
  ProgressReporter& progress_;
  PageList pages_;
  WaczOutcome outcome_;
  std::vector<ZipWritten> members_;
  std::size_t warnings_of_input_ = 0;
  std::vector<InputFile> archives_;  // as written
  std::vector<InputFile> searched_;  // those whose pages no list has
  std::string newest_date_;
};

void WaczFile::note_defect(const Defect& defect) {
  outcome_.broken_records += defect.count;
  if (progress_.wants_warnings() && ++warnings_of_input_ <= kWarningsPerInput) progress_.warn(describe(defect));
}

void WaczFile::note_unreadable(const InputFile& input, const Error& error) {
  ++outcome_.unreadable_inputs;
  const std::string reason = fmt::format("{}: {}", input.path, error.message);
  if (outcome_.unreadable_reasons.size() < kReasonsMaximum) outcome_.unreadable_reasons.push_back(reason);
}

Status WaczFile::end_member() {
  PARAPRINT_ASSIGN(ZipWritten member, zip_->end());
  members_.push_back(std::move(member));
  return {};
}

Status WaczFile::write_small(const std::string& name, std::string_view content) {
  PARAPRINT_TRY(zip_->begin(name, ZipMethod::kDeflate));
  PARAPRINT_TRY(zip_->write(content));
  return end_member();
}

Status WaczFile::see(const RawRecord& record, bool has_list) {
  newest_date_ = std::max(newest_date_, record.date);
  if (record.kind != RecordKind::kPage) return pages_.see(record, has_list);
  return has_list ? pages_.add_place(record.url, record.date) : Status{};
}

Status WaczFile::write_archive(const InputFile& input, const std::string& name, const ListedWacz& listed) {
  const auto note = [&](const Defect& defect) { note_defect(defect); };
  warnings_of_input_ = 0;
  const Result<std::unique_ptr<RecordReader>> reader = open_records(input, ReadOptions{}, [&](const Defect& defect) {
    if (input.kind == InputKind::kWacz) note(defect);
  });
  if (!reader) {
    note_unreadable(input, reader.error());
    return {};
  }
  if (input.kind == InputKind::kWacz) return {};
  if ((*reader)->format() != ArchiveFormat::kWarc) {
    ++outcome_.inputs_passed_over;
    if (progress_.wants_warnings()) progress_.warn(input.path + ": is not a WARC file, so it is left out");
    return {};
  }
  const std::string_view wacz = input.wacz ? std::string_view(input.wacz->file) : wacz_above(input.path);
  const bool has_list = listed.has_list(wacz);
  PARAPRINT_TRY(zip_->begin("archive/" + name, ZipMethod::kStore));
  PARAPRINT_ASSIGN(const GzipCopy copy, write_gzip_records(
                                            input, *zip_, ReadOptions{},
                                            [&](const RawRecord& record) { return see(record, has_list); }, note));
  PARAPRINT_TRY(end_member());
  if (copy.read_error) note_unreadable(input, *copy.read_error);
  outcome_.records += copy.counts.records_kept;
  outcome_.records_rewritten += copy.counts.records_rewritten;
  InputFile written;
  written.path = fmt::format("{}/archive/{}", plan_.options.out, name);
  written.size_bytes = members_.back().place.stored_bytes;
  written.wacz = WaczPart{{}, members_.back().place};
  archives_.push_back(written);
  if (!has_list) searched_.push_back(std::move(written));
  return {};
}

// Before anything is written: an archive without them would look complete.
Status WaczFile::refuse_arc_files() const {
  for (const InputFile& input : plan_.inputs) {
    if (input.kind == InputKind::kWacz) continue;
    const Result<std::unique_ptr<RecordReader>> reader = open_records(input, ReadOptions{}, [](const Defect&) {});
    if (!reader || (*reader)->format() != ArchiveFormat::kArc) continue;
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("{0}: is an ARC file, but WACZ files hold WARC files. Convert it first, for example with: "
                    "warcio recompress {0} {1}",
                    input.path, archive_name(input.path)));
  }
  return {};
}

Status WaczFile::write_archives(const ListedWacz& listed) {
  const std::vector<std::string> names = names_in_wacz(plan_.inputs);
  std::uint64_t total_bytes = 0;
  for (const InputFile& input : plan_.inputs) total_bytes += input.size_bytes;
  progress_.begin("archive", total_bytes, "bytes");
  std::uint64_t done_bytes = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    PARAPRINT_TRY(write_archive(plan_.inputs[i], names[i], listed));
    progress_.update(done_bytes += plan_.inputs[i].size_bytes);
  }
  progress_.end();
  if (archives_.empty()) return failure(ErrorCode::kInvalidArgument, "none of the inputs is a WARC file");
  outcome_.archives = archives_.size();
  PARAPRINT_ASSIGN(const std::string path, zip_->readable_path());
  for (std::vector<InputFile>* inputs : {&archives_, &searched_}) {
    for (std::size_t i = 0; i < inputs->size(); ++i) {
      (*inputs)[i].index = static_cast<std::uint32_t>(i);
      (*inputs)[i].wacz->file = path;
    }
  }
  return {};
}

Status WaczFile::write_index() {
  std::vector<std::string> names;
  for (const InputFile& archive : archives_) names.emplace_back(file_name(archive.path));
  CdxRules rules;
  rules.threads = plan_.threads;
  rules.post_append = true;  // as py-wacz: players look up answers to POST requests by these keys
  rules.sorting = {plan_.budget.target_bytes() / kSortingShare, plan_.budget.spill_folder()};
  PARAPRINT_TRY(zip_->begin(fmt::format("indexes/{}", kIndexName), ZipMethod::kStore));
  BlockedIndex index(*zip_, kIndexName);
  PARAPRINT_ASSIGN(const CdxCounts counts, index_archives(archives_, names, rules, progress_,
                                                          [&](std::string_view line) { return index.add(line); }));
  PARAPRINT_ASSIGN(const std::string blocks, index.finish());
  PARAPRINT_TRY(end_member());
  outcome_.index_lines = counts.lines;
  outcome_.captures_not_indexed = counts.captures_without_date + counts.captures_not_addressable;
  return write_small("indexes/index.idx", blocks);
}

Status WaczFile::write_pages(PageListKind kind, const std::string& name) {
  PARAPRINT_TRY(zip_->begin(name, ZipMethod::kDeflate));
  PARAPRINT_TRY(pages_.write(kind, *zip_));
  return end_member();
}

Status WaczFile::write_package() {
  const WaczOptions& options = plan_.options;
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("profile", "data-package");
  json.member("wacz_version", kWaczVersion);
  if (!options.title.empty()) json.member("title", options.title);
  if (!options.description.empty()) json.member("description", options.description);
  if (!options.main_page.empty()) {
    // Both spellings are in use.
    json.member("mainPageUrl", options.main_page);
    json.member("mainPageURL", options.main_page);
  }
  const std::string created = options.created.empty() ? newest_date_ : normalise_date(options.created).value_or("");
  if (!created.empty()) json.member("created", created);
  json.member("software", fmt::format("paraprint {}", version()));
  json.key("resources");
  json.begin_array();
  for (const ZipWritten& member : members_) {
    json.begin_object();
    json.member("name", to_lower(file_name(member.name)));
    json.member("path", member.name);
    json.member("hash", "sha256:" + member.sha256);
    json.member("bytes", member.place.content_bytes);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  PARAPRINT_TRY(write_small("datapackage.json", json.take() + "\n"));
  json.begin_object();
  json.member("path", "datapackage.json");
  json.member("hash", "sha256:" + members_.back().sha256);
  json.end_object();
  return write_small("datapackage-digest.json", json.take() + "\n");
}

Status WaczFile::write() {
  PARAPRINT_TRY(refuse_arc_files());
  PARAPRINT_ASSIGN(const ListedWacz listed, ListedWacz::read(plan_.inputs, pages_));
  if (!plan_.removed_path.empty()) {
    PARAPRINT_TRY(
        pages_.read_removed(plan_.removed_path, [&](std::string_view file) { return listed.has_list_of_name(file); }));
  }
  PARAPRINT_TRY(write_archives(listed));
  PARAPRINT_TRY(find_pages(searched_, {plan_.options.text, plan_.threads, plan_.budget}, pages_, progress_));
  PARAPRINT_TRY(write_index());
  if (pages_.has_extra_pages()) PARAPRINT_TRY(write_pages(PageListKind::kExtra, "pages/extraPages.jsonl"));
  PARAPRINT_TRY(write_pages(PageListKind::kPages, "pages/pages.jsonl"));
  PARAPRINT_TRY(write_package());
  PARAPRINT_TRY(plan_.budget.status());
  outcome_.pages = pages_.counts().pages;
  outcome_.duplicates = pages_.counts().duplicates;
  outcome_.pages_left_out = pages_.counts().without_place + pages_.counts().broken_lines;
  PARAPRINT_ASSIGN(outcome_.bytes_written, zip_->commit());
  return {};
}

}  // namespace

std::vector<std::string> names_in_wacz(const std::vector<InputFile>& inputs) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  // Names without a folder, or paths if two archives have one name.
  for (const std::string& path : names_in_index(inputs, "")) {
    std::string name = archive_name(safe_wacz_name(path));
    name.resize(name.size() - kArchiveEnding.size());
    const std::string stem = std::exchange(name, with_ending(name, kArchiveEnding));
    for (int number = 2; !taken.insert(name).second; ++number) {
      name = with_ending(stem, fmt::format("-{}{}", number, kArchiveEnding));
    }
    names.push_back(std::move(name));
  }
  return names;
}

Result<WaczOutcome> write_wacz_file(const WaczPlan& plan, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(std::unique_ptr<ZipWriter> zip, ZipWriter::create(plan.options.out));
  WaczFile file(plan, std::move(zip), progress);
  PARAPRINT_TRY(file.write());
  return file.outcome();
}

}  // namespace paraprint::inline wacz
