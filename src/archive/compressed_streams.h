// The content of compressed files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "archive/content_stream.h"

namespace paraprint::inline archive {

// gzip files of any number of members (RFC 1952). Small members, the rule in web archives, are decoded at once by
// libdeflate; members larger than the buffers are decoded in pieces by zlib.
std::unique_ptr<ContentStream> make_gzip_stream(InputWindow window, const ReadOptions& options, DefectSink sink);

inline constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";

// zstd files of any number of frames (RFC 8878), including the dictionary that .warc.zst files may contain in a
// skippable frame at their start (iipc/warc-specifications, warc-zstd).
std::unique_ptr<ContentStream> make_zstd_stream(InputWindow window, const ReadOptions& options, DefectSink sink);

// The length of the dictionary frame at the start of a file, or 0 if there is none. `bytes` must contain the file's
// first kSkippableHeaderBytes.
inline constexpr std::size_t kSkippableHeaderBytes = 8;
std::uint64_t dictionary_frame_bytes(std::string_view bytes);

// Whether `bytes` starts with a zstd frame or a skippable frame.
bool is_zstd(std::string_view bytes);

}  // namespace paraprint::inline archive
