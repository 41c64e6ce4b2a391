#include "plan/held_records.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "plan/sample_files.h"

namespace paraprint::inline plan {
namespace {

constexpr std::size_t kExamplesMaximum = 5;

}  // namespace

void note_defect(const Defect& defect, RecordSample& sample) {
  if (defect.kind == DefectKind::kUnreadableFile) {
    ++sample.unreadable_inputs;
    if (sample.unreadable_reasons.size() < kExamplesMaximum) sample.unreadable_reasons.push_back(describe(defect));
    return;
  }
  sample.broken_records += defect.count;
  if (sample.broken_examples.size() < kExamplesMaximum) sample.broken_examples.push_back(describe(defect));
}

std::optional<RecordForm> form_of(ArchiveFormat format, Compression compression, const RawRecord& record) {
  if (record.location.length_bytes == 0 || compression == Compression::kZstd) return std::nullopt;
  if (format == ArchiveFormat::kWarc) {
    return compression == Compression::kGzip ? RecordForm::kWarcMembers : RecordForm::kWarc;
  }
  if (format == ArchiveFormat::kJsonLines) {
    return compression == Compression::kGzip ? RecordForm::kJsonMembers : RecordForm::kJsonLines;
  }
  return std::nullopt;
}

Status write_sample(const std::vector<InputFile>& inputs, std::vector<HeldRecord>& held, const std::string& folder,
                    RecordSample& sample) {
  std::sort(held.begin(), held.end(), [](const HeldRecord& a, const HeldRecord& b) {
    return std::tie(a.input, a.ordinal, a.offset_bytes) < std::tie(b.input, b.ordinal, b.offset_bytes);
  });
  SampleFiles files(folder);
  std::optional<RecordFile> open;
  std::uint32_t open_input = 0;
  for (const HeldRecord& record : held) {
    PARAPRINT_TRY(check_stop());
    sample.page_records += record.has_page ? 1 : 0;
    if (!record.bytes.empty()) {
      sample.stored_bytes += record.bytes.size();
      PARAPRINT_TRY(files.add(record.form, record.bytes));
      continue;
    }
    if (!open || open_input != record.input) {
      open.reset();
      PARAPRINT_ASSIGN(RecordFile file, RecordFile::open(inputs[record.input].path, record.form));
      open.emplace(std::move(file));
      open_input = record.input;
    }
    PARAPRINT_ASSIGN(const std::string bytes, open->read(record.offset_bytes, record.length_bytes));
    sample.stored_bytes += bytes.size();
    PARAPRINT_TRY(files.add(record.form, bytes));
  }
  PARAPRINT_ASSIGN(sample.files, files.finish());
  return {};
}

}  // namespace paraprint::inline plan
