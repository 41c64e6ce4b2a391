// The file "format" is written when an index is first complete, so its presence means a usable index. Its first line is
// the version of the folder; the second one tells older programs which release reads it.
#include "online/index_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/assert.h"
#include "base/atomic_file.h"
#include "base/propagate.h"
#include "paraprint/engine.h"

namespace paraprint::inline online {
namespace {

constexpr std::string_view kFormatName = "paraprint index ";   // persisted
constexpr std::string_view kReleaseLine = "needs paraprint ";  // persisted

struct FormatFile {
  std::uint32_t version = 0;
  std::string release;  // empty if it names none
};

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

Result<FormatFile> read_format_file(const std::string& folder) {
  const std::string path = folder + "/format";
  const Result<std::string> read = read_whole_file(path);
  if (!read && read.error().code == ErrorCode::kNotFound) {
    return failure(ErrorCode::kNotFound, fmt::format("{} does not contain an index", folder));
  }
  if (!read) return tl::unexpected<Error>(read.error());
  std::string_view rest = *read;
  std::string_view line = take_line(rest);
  const std::string_view first = line;
  FormatFile format;
  const bool is_named = line.starts_with(kFormatName);
  if (is_named) line.remove_prefix(kFormatName.size());
  const auto number = std::from_chars(line.data(), line.data() + line.size(), format.version);
  if (!is_named || number.ec != std::errc() || number.ptr != line.data() + line.size() || format.version == 0) {
    return failure(ErrorCode::kUnsupported, fmt::format("{} is '{}', which is not a format of paraprint; restore a "
                                                        "backup ('paraprint index restore')",
                                                        path, first));
  }
  line = take_line(rest);
  if (line.starts_with(kReleaseLine)) format.release = line.substr(kReleaseLine.size());
  return format;
}

}  // namespace

Result<std::uint32_t> read_index_format(const std::string& folder) {
  PARAPRINT_ASSIGN(const FormatFile format, read_format_file(folder));
  return format.version;
}

Status write_index_format(const std::string& folder, std::uint32_t version) {
  const auto format = std::find_if(kIndexFormats.begin(), kIndexFormats.end(),
                                   [&](const IndexFormat& known) { return known.version == version; });
  PARAPRINT_ASSERT(format != kIndexFormats.end());
  std::string text = fmt::format("{}{}\n", kFormatName, version);
  if (!format->release.empty()) text += fmt::format("{}{}\n", kReleaseLine, format->release);
  return write_file_atomically(folder + "/format", text);
}

Status check_index_format(const std::string& folder) {
  PARAPRINT_ASSIGN(const FormatFile format, read_format_file(folder));
  if (format.version == kIndexFormat.version) return {};
  std::string advice;
  if (format.version > kIndexFormat.version) {
    advice = fmt::format("it needs paraprint {}, and this is {}",
                         format.release.empty() ? std::string("of a later version") : format.release + " or later",
                         version());
  } else if (format.version >= kOldestIndexFormat) {
    advice = fmt::format("run 'paraprint index migrate {}', which converts it in place", folder);
  } else {
    advice =
        "it is from before the first release, and what it stores of texts can only be made again from their pages: add "
        "them to a new index with 'paraprint index add'";
  }
  return failure(ErrorCode::kUnsupported,
                 fmt::format("the index {} has format {}, and this build works with format {}: {}", folder,
                             format.version, kIndexFormat.version, advice));
}

}  // namespace paraprint::inline online
