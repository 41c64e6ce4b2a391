// zstd files of any number of frames (RFC 8878), including the dictionary that .warc.zst files may contain in a
// skippable frame at their start (iipc/warc-specifications, warc-zstd).
#pragma once

#include <memory>

#include "archive/content_stream.h"

namespace paraprint::inline archive {

std::unique_ptr<ContentStream> make_zstd_stream(InputWindow window, const ReadOptions& options, DefectSink sink);

// The length of the dictionary frame at the start of a file, or 0 if there is none. `bytes` must contain the file's
// first kSkippableHeaderBytes.
inline constexpr std::size_t kSkippableHeaderBytes = 8;
std::uint64_t dictionary_frame_bytes(std::string_view bytes);

// Whether `bytes` starts with a zstd frame or a skippable frame.
bool is_zstd(std::string_view bytes);

}  // namespace paraprint::inline archive
