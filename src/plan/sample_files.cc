#include "plan/sample_files.h"

#include <utility>

#include "archive/warc_record.h"
#include "base/propagate.h"

namespace paraprint::inline plan {
namespace {

constexpr std::array<std::string_view, kRecordForms> kFileNames = {"sample.warc.gz", "sample.warc", "sample.jsonl.gz",
                                                                   "sample.jsonl"};

}  // namespace

Status SampleFiles::add(RecordForm form, std::string_view stored) {
  std::optional<AtomicFile>& file = files_[static_cast<std::size_t>(form)];
  if (!file) {
    PARAPRINT_ASSIGN(file, AtomicFile::create(folder_ + "/" + std::string(kFileNames[static_cast<std::size_t>(form)])));
  }
  PARAPRINT_TRY(file->write(stored));
  // The last record of a file may lack what separates it from the next one.
  if (form == RecordForm::kJsonLines && !stored.ends_with('\n')) return file->write("\n");
  if (form == RecordForm::kWarc && !stored.ends_with("\n\r\n") && !stored.ends_with("\n\n")) {
    return file->write("\r\n\r\n");
  }
  return {};
}

Result<std::vector<std::string>> SampleFiles::finish() {
  std::vector<std::string> paths;
  for (std::optional<AtomicFile>& file : files_) {
    if (!file) continue;
    PARAPRINT_TRY(file->commit());
    paths.push_back(file->path());
  }
  return paths;
}

std::string warc_record_of(const RawRecord& record) {
  std::string type = record.content_type;
  if (type.empty()) type = record.format == PageFormat::kHtml ? "text/html" : "text/plain";
  if (record.is_http) type = "application/http; msgtype=response";
  // A page without an address is no defect of the input.
  const std::string url = record.url.empty() ? "file:///" + record.id : record.url;
  const std::string id = "<" + uuid_from(record.id + "\n" + record.url) + ">";
  return make_warc_record(
      record.is_http ? "response" : "resource",
      {{"WARC-Record-ID", id}, {"WARC-Target-URI", url}, {"WARC-Date", record.date}, {"Content-Type", type}},
      record.payload);
}

}  // namespace paraprint::inline plan
