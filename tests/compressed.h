// gzip and Zstandard members, made by zlib and libzstd. For tests only.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <string>
#include <string_view>

#include "base/assert.h"

namespace paraprint {

inline std::string gzip(std::string_view content, int level = 6) {
  z_stream stream{};
  const int begun = ::deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  PARAPRINT_ASSERT(begun == Z_OK);
  std::string output(::deflateBound(&stream, static_cast<uLong>(content.size())) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  const int ended = ::deflate(&stream, Z_FINISH);
  PARAPRINT_ASSERT(ended == Z_STREAM_END);
  output.resize(stream.total_out);
  ::deflateEnd(&stream);
  return output;
}

inline std::string zstd(std::string_view content, std::string_view dictionary = {}) {
  std::string output(ZSTD_compressBound(content.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_loadDictionary(context, dictionary.data(), dictionary.size());
  const std::size_t size = ZSTD_compress2(context, output.data(), output.size(), content.data(), content.size());
  ZSTD_freeCCtx(context);
  PARAPRINT_ASSERT(!ZSTD_isError(size));
  output.resize(size);
  return output;
}

}  // namespace paraprint
