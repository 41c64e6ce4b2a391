// zstd files of any number of frames (RFC 8878), with the dictionary that .warc.zst files may carry in a skippable
// frame at their start (the convention of iipc/warc-specifications, warc-zstd).
#pragma once

#include <memory>

#include "archive/content_stream.h"

namespace paraprint {

std::unique_ptr<ContentStream> make_zstd_stream(InputWindow window, const ReadOptions& options, DefectSink sink);

// A zstd frame or a skippable frame starts here.
bool is_zstd(std::string_view bytes);

}  // namespace paraprint
