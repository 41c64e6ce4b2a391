// gzip files of any number of members (RFC 1952). Small members, the rule in web archives, are decoded at once by
// libdeflate; members larger than the buffers are decoded in pieces by zlib.
#pragma once

#include <memory>

#include "archive/content_stream.h"

namespace paraprint::inline archive {

std::unique_ptr<ContentStream> make_gzip_stream(InputWindow window, const ReadOptions& options, DefectSink sink);

inline constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";

}  // namespace paraprint::inline archive
