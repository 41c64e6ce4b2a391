// zstd files of any number of frames (RFC 8878), with the dictionary that .warc.zst files may carry in a skippable
// frame at their start (the convention of iipc/warc-specifications, warc-zstd).
#pragma once

#include <memory>

#include "archive/content_stream.h"

namespace paraprint {

std::unique_ptr<ContentStream> make_zstd_stream(InputWindow window, const ReadOptions& options, DefectSink sink);

// The length of the dictionary frame that a file starting with `bytes` has; 0 if it has none. Needs its first
// kSkippableHeaderBytes.
inline constexpr std::size_t kSkippableHeaderBytes = 8;
std::uint64_t dictionary_frame_bytes(std::string_view bytes);

// A zstd frame or a skippable frame starts here.
bool is_zstd(std::string_view bytes);

}  // namespace paraprint
