// File: a header of three lines (format, boot id, time), then for each batch its hash, length and bytes
// (docs/formats/crawl-state.md). Batches are never synced: the journal only has to survive a kill of the process, for
// which written is enough. Replaying a batch that the database already has changes nothing, because batches contain
// absolute values.
#include "crawl/crawl_journal.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <utility>

#include "base/atomic_file.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline crawler {
namespace {

constexpr std::string_view kFormat = "paraprint crawl journal 1";  // persisted

struct Header {
  std::string boot;
  std::int64_t begun_at_seconds = 0;
  std::size_t size_bytes = 0;
};

// Empty if the header is incomplete or of another format.
std::optional<Header> read_header(std::string_view bytes) {
  std::string_view rest = bytes;
  const auto next_line = [&rest]() -> std::optional<std::string_view> {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return line;
  };
  const auto format = next_line();
  const auto boot = next_line();
  const auto time = next_line();
  if (!time || *format != kFormat) return std::nullopt;
  Header header;
  header.boot = *boot;
  const auto read = std::from_chars(time->data(), time->data() + time->size(), header.begun_at_seconds);
  if (read.ec != std::errc() || read.ptr != time->data() + time->size()) return std::nullopt;
  header.size_bytes = bytes.size() - rest.size();
  return header;
}

// Empty if there is no such file.
Result<std::optional<std::string>> read_journal(const std::string& path) {
  Result<std::string> bytes = read_whole_file(path);
  if (bytes) return std::move(*bytes);
  if (bytes.error().code == ErrorCode::kNotFound) return std::nullopt;
  return tl::unexpected<Error>(bytes.error());
}

}  // namespace

Result<CrawlJournal> CrawlJournal::open(const std::string& path, const Boot& boot,
                                        const std::function<Status(std::string_view batch)>& replay) {
  PARAPRINT_ASSIGN(const std::optional<std::string> found, read_journal(path));
  CrawlJournal journal(path, boot.id);
  if (!found) return journal;
  const std::string& bytes = *found;
  const std::optional<Header> header = read_header(bytes);
  if (!header || boot.id.empty() || header->boot != boot.id) {
    journal.lost_.emplace();
    if (header) journal.lost_->since_seconds = header->begun_at_seconds;
    // A boot before the journal was created did not end it (the clock may have been set back).
    if (boot.began_at_seconds > journal.lost_->since_seconds) journal.lost_->until_seconds = boot.began_at_seconds;
    return journal;
  }
  // A kill can leave at most the last batch incomplete; its hash or length does not fit then.
  journal.header_bytes_ = header->size_bytes;
  journal.begun_at_seconds_ = header->begun_at_seconds;
  std::size_t valid_bytes = header->size_bytes;
  ByteReader reader(std::string_view(bytes).substr(valid_bytes));
  while (!reader.at_end()) {
    const auto hash = reader.fixed<std::uint64_t>();
    const std::string_view batch = reader.text();
    if (!reader.ok() || hash64(batch) != hash) break;
    PARAPRINT_TRY(replay(batch));
    valid_bytes = bytes.size() - reader.left_bytes();
  }
  PARAPRINT_ASSIGN(AppendingFile file, AppendingFile::open(path, valid_bytes));
  journal.file_.emplace(std::move(file));
  return journal;
}

// Before the first clear() of a new journal, the only changes are those of opening the crawl, which the next run would
// make again. Writing them next to a journal of another boot would destroy what lost() is made of.
Status CrawlJournal::append(std::string_view batch) {
  if (!file_) return {};
  std::string record;
  ByteWriter writer(record);
  writer.fixed(hash64(batch));
  writer.text(batch);
  return file_->append(record);
}

// The header is written atomically and only once; afterwards the file is just truncated to it.
Status CrawlJournal::clear(std::int64_t now_seconds) {
  if (file_) return file_->cut(header_bytes_);
  const std::string header = fmt::format("{}\n{}\n{}\n", kFormat, boot_id_, now_seconds);
  PARAPRINT_TRY(write_file_atomically(path_, header));
  PARAPRINT_ASSIGN(AppendingFile file, AppendingFile::open(path_, header.size()));
  file_.emplace(std::move(file));
  header_bytes_ = header.size();
  begun_at_seconds_ = now_seconds;
  return {};
}

// A finished run leaves no journal, so its absence means that nothing was lost.
Status CrawlJournal::remove() {
  std::error_code failed;
  std::filesystem::remove(path_, failed);
  if (failed) return tl::unexpected<Error>(system_error("remove", path_, failed.value()));
  return {};
}

}  // namespace paraprint::inline crawler
