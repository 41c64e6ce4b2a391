// Items of equal words are searched for once. Benchmarks are read in the order of the names that are shown, so that the
// place where a file was made changes nothing.
#include "api/benchmark_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string_view>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "contamination/benchmark_reader.h"
#include "contamination/spanned_words.h"
#include "profile/page_profiler.h"

namespace paraprint::inline api {
namespace {

constexpr std::uint64_t kBenchmarkWordsMaximum = std::uint64_t{1} << 31;

ItemRules rules_of(const ContaminationOptions& options) {
  ItemRules rules;
  rules.whole_share = options.whole;
  rules.passage_score = options.passage_score;
  rules.passage_documents = options.passage_documents;
  return rules;
}

Result<std::vector<InputFile>> benchmark_files(const ContaminationOptions& options) {
  PARAPRINT_ASSIGN(std::vector<InputFile> files, expand_inputs(options.against, options.reading));
  std::stable_sort(files.begin(), files.end(), [&](const InputFile& a, const InputFile& b) {
    return shown_name(options, a.path) < shown_name(options, b.path);
  });
  for (std::uint32_t index = 0; index < files.size(); ++index) files[index].index = index;
  return files;
}

std::string words_key(std::span<const SpannedWord> words) {
  std::string bytes;
  for (const SpannedWord& word : words) bytes.append(reinterpret_cast<const char*>(&word.hash), sizeof word.hash);
  return bytes;
}

}  // namespace

const std::string& shown_name(const ContaminationOptions& options, const std::string& path) {
  const auto found = options.shown_names.find(path);
  return found == options.shown_names.end() ? path : found->second;
}

Defect shown_defect(const ContaminationOptions& options, const Defect& defect) {
  Defect shown = defect;
  shown.file = shown_name(options, defect.file);
  return shown;
}

Result<Benchmarks> read_benchmarks(const ContaminationOptions& options, ProgressReporter& progress) {
  Benchmarks read(rules_of(options));
  PARAPRINT_ASSIGN(read.files, benchmark_files(options));
  PARAPRINT_ASSIGN(const std::unique_ptr<PageProfiler> profiler,
                   PageProfiler::create(options.profile, WordWeights::bundled()));
  SpannedWords reader(options.profile.fold_traditional);
  std::vector<SpannedWord> words;
  std::map<Fingerprint128, std::uint32_t> first_with;  // the record with these words
  StopCheck stop(StopScope::current());
  std::uint64_t words_total = 0;
  progress.begin("items", read.files.size(), "files");
  const DefectSink sink = [&](const Defect& defect) {
    const Defect shown = shown_defect(options, defect);
    read.defects.add(shown);
    if (progress.wants_warnings()) progress.warn(describe(shown));
  };
  for (const InputFile& file : read.files) {
    PARAPRINT_TRY(read_benchmark(
        file, options.item_fields, options.reading, *profiler,
        [&](BenchmarkItem&& item) -> Status {
          reader.read(item.text, words, stop);
          PARAPRINT_TRY(stop.status());
          words_total += words.size();
          if (words_total > kBenchmarkWordsMaximum) {
            return failure(ErrorCode::kLimitExceeded, "the benchmarks have more than 2^31 words; search in parts");
          }
          const auto number = static_cast<std::uint32_t>(read.records.size());
          ItemRecord& record = read.records.emplace_back();
          record.id = std::move(item.id);
          record.benchmark = item.file;
          record.line = item.line;
          record.text = std::move(item.text);
          record.same_as = first_with.try_emplace(blake2b128(words_key(words)), number).first->second;
          if (record.same_as != number) {
            record.is_too_short = read.records[record.same_as].is_too_short;
          } else if (read.items.add(words)) {
            read.record_of_item.push_back(number);
          } else {
            record.is_too_short = true;
          }
          return {};
        },
        sink));
    progress.update(file.index + 1);
  }
  progress.end();
  if (read.records.empty()) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: no item was found in the benchmarks; name the fields of their lines with item_fields",
                    shown_name(options, options.against.front())));
  }
  read.items.prepare();
  return read;
}

void share_finds(Benchmarks& benchmarks) {
  for (ItemRecord& record : benchmarks.records) {
    const ItemRecord& first = benchmarks.records[record.same_as];
    record.documents_exact = first.documents_exact;
    record.documents_whole = first.documents_whole;
    record.documents_part = first.documents_part;
    record.documents_common = first.documents_common;
  }
}

Status write_items(const Benchmarks& benchmarks, const ContaminationOptions& options) {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(fmt::format("{}/{}", options.out, kItemsName)));
  JsonWriter json;
  for (std::uint32_t number = 0; number < benchmarks.records.size(); ++number) {
    const ItemRecord& record = benchmarks.records[number];
    const std::string_view same_as =
        record.same_as == number ? std::string_view() : std::string_view(benchmarks.records[record.same_as].id);
    write_item(json, record, shown_name(options, benchmarks.files[record.benchmark].path), same_as);
    PARAPRINT_TRY(file.write(json.take() + "\n"));
  }
  return file.commit();
}

std::vector<BenchmarkTotals> totals_of(const Benchmarks& benchmarks, const ContaminationOptions& options) {
  std::vector<BenchmarkTotals> totals(benchmarks.files.size());
  for (const InputFile& file : benchmarks.files) totals[file.index].name = shown_name(options, file.path);
  for (const ItemRecord& record : benchmarks.records) {
    BenchmarkTotals& row = totals[record.benchmark];
    ++row.items;
    if (record.is_too_short) ++row.too_short;
    if (record.documents_exact > 0) {
      ++row.found_exact;
    } else if (record.documents_whole > 0) {
      ++row.found_whole;
    } else if (record.documents_part > 0) {
      ++row.found_part;
    }
  }
  return totals;
}

}  // namespace paraprint::inline api
