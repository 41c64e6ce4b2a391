// A line reader over zlib's gzread(), which also passes plain files through. Fields are views into the line buffer,
// valid during the call of `visit` only, so reading a table allocates nothing per row.
#include "profile/table_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "base/propagate.h"
#include "base/system_error.h"

namespace paraprint::inline profile {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
// Includes '\r', so files with Windows line ends read the same.
constexpr std::string_view kBlank = " \t\r\n";

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Empty fields between tabs are kept, because columns are found by position; runs of spaces are one separator.
void split(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  while (true) {
    const std::size_t end = line.find(separator);
    const std::string_view field = trimmed(line.substr(0, end));
    if (separator == '\t' || !field.empty()) fields.push_back(field);
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

Status read_table(const std::string& path,
                  const std::function<Status(std::uint64_t line, std::span<const std::string_view> fields)>& visit) {
  // gzopen() sets errno only if the file could not be opened.
  errno = 0;
  // gzopen() reads files that are not gzip unchanged.
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (file == nullptr) return tl::unexpected<Error>(system_error("open", path, errno));
  std::string pending;
  std::vector<std::string_view> fields;
  std::uint64_t line_number = 0;
  const auto take_line = [&](std::string_view line) -> Status {
    ++line_number;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (line_number == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (trimmed(line).empty() || line.starts_with('#')) return {};
    split(line, line.find('\t') == std::string_view::npos ? ' ' : '\t', fields);
    return visit(line_number, fields);
  };
  std::vector<char> buffer(kReadBytes);
  while (true) {
    const int count = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
    if (count < 0) {
      int code = 0;
      const std::string reason = gzerror(file.get(), &code);
      // zlib reports failed system calls with this code; all others mean damaged data.
      if (code == Z_ERRNO) return tl::unexpected<Error>(system_error("read", path, errno));
      return failure(ErrorCode::kCorruptData, fmt::format("{}: {}", path, reason));
    }
    pending.append(buffer.data(), static_cast<std::size_t>(count));
    // Take all complete lines and keep the rest for the next block, so memory stays below a block and a line.
    std::size_t begin = 0;
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', begin)) {
      PARAPRINT_TRY(take_line(std::string_view(pending).substr(begin, end - begin)));
      begin = end + 1;
    }
    pending.erase(0, begin);
    if (pending.size() > kTableLineBytesMaximum) {
      return failure(ErrorCode::kLimitExceeded,
                     fmt::format("{}: line {} is longer than {} bytes", path, line_number + 1, kTableLineBytesMaximum));
    }
    if (count == 0) break;
  }
  int code = 0;
  const std::string reason = gzerror(file.get(), &code);
  // At the end of the file, Z_BUF_ERROR means that the gzip stream is incomplete.
  if (code == Z_BUF_ERROR) return failure(ErrorCode::kCorruptData, fmt::format("{}: truncated gzip data", path));
  return pending.empty() ? Status{} : take_line(pending);
}

}  // namespace paraprint::inline profile
