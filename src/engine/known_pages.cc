// A sorted table with its names in one text array, both on the run's budget: with a large index nearly every page of a
// crawl can be known. The file is written and read as a whole, because one checksum covers all of it.
#include "engine/known_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/propagate.h"
#include "engine/added_pages.h"
#include "engine/work_folder.h"
#include "memory/checked_file.h"

namespace paraprint::inline engine {
namespace {

constexpr std::string_view kKnownPagesMagic = "paraprint known pages\n";
constexpr std::uint64_t kPageLimit = std::uint64_t{1} << 32;

// The views point into the bytes being read; add() copies them.
KnownPage read_known_page(ByteReader& reader) {
  KnownPage known;
  known.id = reader.text();
  known.url = reader.text();
  const auto verdict = reader.fixed<std::uint8_t>();
  if (verdict > static_cast<std::uint8_t>(Verdict::kOverlap)) reader.fail();
  known.verdict = static_cast<Verdict>(verdict);
  for (float* score : {&known.resemblance, &known.containment, &known.containment_known}) {
    *score = std::bit_cast<float>(reader.fixed<std::uint32_t>());
  }
  return known;
}

}  // namespace

// Ids and URLs are stored one after the other in names_, without separators: each row knows the lengths.
Status KnownPages::add(std::uint32_t page, const KnownPage& known) {
  PARAPRINT_ASSERT(rows_.empty() || page > rows_[rows_.size() - 1].page);
  KnownRow row;
  row.names_offset = names_.size();
  row.id_bytes = static_cast<std::uint32_t>(known.id.size());
  row.url_bytes = static_cast<std::uint32_t>(known.url.size());
  row.page = page;
  row.verdict = known.verdict;
  row.resemblance = known.resemblance;
  row.containment = known.containment;
  row.containment_known = known.containment_known;
  PARAPRINT_TRY(names_.append(known.id));
  PARAPRINT_TRY(names_.append(known.url));
  return rows_.push_back(row);
}

// Pages of equal text share one answer and its names: a mirror of a large known site costs 40 bytes per page, no text.
Status KnownPages::add_like(std::uint32_t page, std::size_t earlier) {
  PARAPRINT_ASSERT(page > rows_[rows_.size() - 1].page);
  KnownRow row = rows_[earlier];
  row.page = page;
  return rows_.push_back(row);
}

// Rows are in page order because add() requires it, so a lookup is a binary search.
const KnownPages::KnownRow* KnownPages::row_of(std::uint32_t page) const {
  tick(rows_.budget());
  const KnownRow* const found = std::lower_bound(rows_.begin(), rows_.end(), page,
                                                 [](const KnownRow& row, std::uint32_t p) { return row.page < p; });
  return found != rows_.end() && found->page == page ? found : nullptr;
}

std::optional<KnownPage> KnownPages::find(std::uint32_t page) const {
  const KnownRow* const row = row_of(page);
  return row != nullptr ? std::optional<KnownPage>(known_of(*row)) : std::nullopt;
}

KnownPage KnownPages::known_of(const KnownRow& row) const {
  const char* const names = names_.data() + row.names_offset;
  return {{names, row.id_bytes}, {names + row.id_bytes, row.url_bytes}, row.verdict, row.resemblance, row.containment,
          row.containment_known};
}

Status write_known_pages(const std::string& path, std::uint64_t log_bytes, const std::string& source,
                         const KnownPages& pages) {
  CheckedFile file(kKnownPagesMagic, kKnownPagesFormatVersion, pages.budget());
  ByteWriter writer(file.piece());
  writer.fixed(log_bytes);
  writer.text(source);
  writer.variable(pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const KnownPage known = pages.known(i);
    writer.variable(pages.page(i));
    writer.text(known.id);
    writer.text(known.url);
    writer.fixed(static_cast<std::uint8_t>(known.verdict));
    for (const float score : {known.resemblance, known.containment, known.containment_known}) {
      writer.fixed(std::bit_cast<std::uint32_t>(score));
    }
    PARAPRINT_TRY(file.next());
  }
  return file.commit(path);
}

// Page numbers must ascend, which lookups rely on.
Result<StoredKnownPages> read_known_pages(const std::string& path, MemoryBudget* budget) {
  PARAPRINT_ASSIGN(const CheckedBytes file,
                   CheckedBytes::read(path, kKnownPagesMagic, kKnownPagesFormatVersion, budget));
  const auto damaged = [&] { return failure(ErrorCode::kCorruptData, fmt::format("{} is damaged", path)); };
  ByteReader reader(file.content());
  StoredKnownPages stored{0, {}, KnownPages(budget)};
  stored.log_bytes = reader.fixed<std::uint64_t>();
  stored.source = reader.text();
  const std::uint64_t count = reader.variable();
  std::uint64_t least_page = 0;
  // The count is not used to reserve memory; a wrong one fails at the end of the bytes.
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    const std::uint64_t page = reader.variable_below(kPageLimit);
    const KnownPage known = read_known_page(reader);
    if (!reader.ok() || page < least_page) return damaged();
    least_page = page + 1;
    PARAPRINT_TRY(stored.pages.add(static_cast<std::uint32_t>(page), known));
  }
  if (!reader.ok() || !reader.at_end()) return damaged();
  return stored;
}

// Stored answers are those of this run only if the log has not grown since, and of this source only if it has the same
// name and settings. Reclustering has no source to ask and takes over what the run had.
Result<KnownPages> find_known_pages(const RunSetup& run, const PageLog& log, const PageTable& pages,
                                    const WorkFolder& work, KnownPagesSource* source) {
  const std::string path = work.known_pages_path();
  if (source == nullptr && run.mode != RunMode::kRecluster) {
    // Whatever an earlier run has left there, damaged or not, is not of this one.
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return KnownPages(&run.budget);
  }
  Result<StoredKnownPages> stored = read_known_pages(path, &run.budget);
  // Asking the index instead would find the pages that this run has added to it.
  if (!stored && stored.error().code != ErrorCode::kNotFound) return tl::unexpected<Error>(stored.error());
  const bool is_of_this_run = stored && stored->log_bytes == log.size_bytes();
  if (is_of_this_run && !stored->pages.empty() && stored->pages.page(stored->pages.size() - 1) >= pages.size()) {
    return failure(ErrorCode::kCorruptData, fmt::format("{}: a page that the run does not have", path));
  }
  if (run.mode == RunMode::kRecluster) return is_of_this_run ? std::move(stored->pages) : KnownPages(&run.budget);
  const std::string name = source->name();
  std::string asked = fmt::format("{}\n{}", name, source->settings());
  const std::string languages = log.compared_languages().text();
  if (!languages.empty()) asked += " languages=" + languages;
  if (is_of_this_run && stored->source == asked) return std::move(stored->pages);
  PARAPRINT_ASSIGN(const AddedPages own, read_added_pages(work.added_pages_path(), name, run));
  PARAPRINT_ASSIGN(KnownPages known, source->find(run.identity, log, pages, own));
  PARAPRINT_TRY(write_known_pages(path, log.size_bytes(), asked, known));
  return known;
}

}  // namespace paraprint::inline engine
