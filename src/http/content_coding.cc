// Decoders for HTTP bodies. Well-formed gzip and deflate bodies take a fast path through libdeflate, which needs the
// whole output in one buffer; everything else is decoded in pieces, which stops at the limit and keeps the content
// before damage. Decoders running out of memory throw std::bad_alloc: that must not be mistaken for a damaged body.
#include "http/content_coding.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "http/header_block.h"
#include "memory/per_thread.h"
#include "memory/require_memory.h"

namespace paraprint::inline http {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr std::size_t kFirstRatio = 8;  // HTML rarely compresses better, so the first buffer is nearly always enough

// One call of a decoder: bytes read from the input and written to the output, and whether it is done.
struct Step {
  std::size_t read = 0;
  std::size_t written = 0;
  enum class State { kMore, kEnd, kError } state = State::kMore;
};

// Runs any of the decoders below. The limit is checked per piece, so a compression bomb costs at most one piece beyond
// it. A step that neither reads nor writes means that the input ended too early. Room that a step leaves is used by the
// next one: a body can consist of millions of empty members, and zeroing a piece for each would take minutes.
template <class Stepper>
Decoded decode_in_pieces(std::string_view body, std::uint64_t limit_bytes, Stepper step) {
  Decoded result;
  std::size_t used = 0;
  while (true) {
    if (used == result.bytes.size()) result.bytes.resize(used + kPieceBytes);
    const Step done = step(body, result.bytes.data() + used, result.bytes.size() - used);
    used += done.written;
    body.remove_prefix(done.read);
    if (used > limit_bytes) {
      result.bytes.resize(static_cast<std::size_t>(limit_bytes));
      result.state = Decoded::Outcome::kTooLarge;
      return result;
    }
    const bool is_stuck = done.read == 0 && done.written == 0;
    const bool is_damaged = done.state == Step::State::kError || (is_stuck && done.state != Step::State::kEnd);
    if (done.state != Step::State::kEnd && !is_damaged) continue;
    result.bytes.resize(used);
    if (is_damaged) result.state = Decoded::Outcome::kDamaged;
    return result;
  }
}

enum class DeflateFraming { kGzip, kZlib, kRaw };

Decoded inflate_in_pieces(DeflateFraming framing, std::string_view body, std::uint64_t limit_bytes) {
  constexpr int kGzipWindow = MAX_WBITS + 16;
  z_stream stream{};
  const int window = framing == DeflateFraming::kGzip   ? kGzipWindow
                     : framing == DeflateFraming::kZlib ? MAX_WBITS
                                                        : -MAX_WBITS;
  // With valid arguments, running out of memory is the only way to fail.
  if (::inflateInit2(&stream, window) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&::inflateEnd)> owner(&stream, ::inflateEnd);
  return decode_in_pieces(body, limit_bytes, [&](std::string_view input, char* output, std::size_t room) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(input.size(), 1u << 30));  // zlib counts in 32 bits
    const uInt given = stream.avail_in;
    stream.next_out = reinterpret_cast<Bytef*>(output);
    stream.avail_out = static_cast<uInt>(room);
    const int code = ::inflate(&stream, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();  // zlib allocates its window on first use
    Step step{given - stream.avail_in, room - stream.avail_out, Step::State::kMore};
    const std::string_view rest = input.substr(step.read);
    if (code == Z_STREAM_END) {
      // Concatenated gzip members are decoded as one body; any other bytes after the end are ignored.
      const bool is_member = framing == DeflateFraming::kGzip && rest.starts_with("\x1f\x8b\x08");
      step.state = is_member && ::inflateReset(&stream) == Z_OK ? Step::State::kMore : Step::State::kEnd;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      step.state = Step::State::kError;
    }
    return step;
  });
}

// The fast path for the common case of one well-formed member; nullopt for anything else. The output size is unknown,
// so the buffer grows fourfold until the output fits; beyond `limit_bytes` the caller decodes in pieces to decide.
std::optional<Decoded> inflate_at_once(DeflateFraming framing, std::string_view body, std::uint64_t limit_bytes) {
  struct Deleter {
    void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
  };
  // One per thread: decompressors are reusable but not thread-safe.
  static PerThread<libdeflate_decompressor, Deleter> decompressors;
  libdeflate_decompressor& decompressor = decompressors.get([] {
    return std::unique_ptr<libdeflate_decompressor, Deleter>(require_memory(libdeflate_alloc_decompressor()));
  });
  Decoded result;
  std::size_t room = std::max(body.size() * kFirstRatio, kPieceBytes);
  while (room <= limit_bytes) {
    result.bytes.resize(room);
    std::size_t read = 0;
    std::size_t written = 0;
    const auto decompress = framing == DeflateFraming::kGzip   ? libdeflate_gzip_decompress_ex
                            : framing == DeflateFraming::kZlib ? libdeflate_zlib_decompress_ex
                                                               : libdeflate_deflate_decompress_ex;
    const libdeflate_result code =
        decompress(&decompressor, body.data(), body.size(), result.bytes.data(), room, &read, &written);
    if (code == LIBDEFLATE_SUCCESS) {
      if (body.substr(read).starts_with("\x1f\x8b\x08")) return std::nullopt;  // another member follows
      result.bytes.resize(written);
      return result;
    }
    if (code != LIBDEFLATE_INSUFFICIENT_SPACE) return std::nullopt;
    room *= 4;
  }
  return std::nullopt;
}

Decoded inflate(DeflateFraming framing, std::string_view body, std::uint64_t limit_bytes) {
  if (std::optional<Decoded> whole = inflate_at_once(framing, body, limit_bytes)) return std::move(*whole);
  return inflate_in_pieces(framing, body, limit_bytes);
}

// "deflate" means zlib (RFC 9110), but many servers send raw deflate. If both fail, the longer result is more likely
// right.
Decoded inflate_deflate(std::string_view body, std::uint64_t limit_bytes) {
  Decoded zlib = inflate(DeflateFraming::kZlib, body, limit_bytes);
  if (zlib.state != Decoded::Outcome::kDamaged) return zlib;
  Decoded raw = inflate(DeflateFraming::kRaw, body, limit_bytes);
  const bool is_raw_better = raw.state != Decoded::Outcome::kDamaged || raw.bytes.size() > zlib.bytes.size();
  return is_raw_better ? raw : zlib;
}

// Brotli reports allocation failures as a range of error codes, with negative values.
bool has_no_memory(const BrotliDecoderState* state) {
  const BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(state);
  return code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES && code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
}

Decoded decode_brotli(std::string_view body, std::uint64_t limit_bytes) {
  const std::unique_ptr<BrotliDecoderState, decltype(&BrotliDecoderDestroyInstance)> state(
      require_memory(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)), BrotliDecoderDestroyInstance);
  return decode_in_pieces(body, limit_bytes, [&](std::string_view input, char* output, std::size_t room) {
    std::size_t input_left = input.size();
    std::size_t room_left = room;
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    auto* next_out = reinterpret_cast<std::uint8_t*>(output);
    const BrotliDecoderResult code =
        BrotliDecoderDecompressStream(state.get(), &input_left, &next_in, &room_left, &next_out, nullptr);
    if (code == BROTLI_DECODER_RESULT_ERROR && has_no_memory(state.get())) throw std::bad_alloc();
    return Step{input.size() - input_left, room - room_left,
                code == BROTLI_DECODER_RESULT_SUCCESS ? Step::State::kEnd
                : code == BROTLI_DECODER_RESULT_ERROR ? Step::State::kError
                                                      : Step::State::kMore};
  });
}

Decoded decode_zstd(std::string_view body, std::uint64_t limit_bytes) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(require_memory(ZSTD_createDCtx()), ZSTD_freeDCtx);
  // NOLINTNEXTLINE(readability-non-const-parameter): the library writes through a void pointer.
  return decode_in_pieces(body, limit_bytes, [&](std::string_view input, char* output, std::size_t room) {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output, room, 0};
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    // Zero means the end of a frame; another frame may follow (RFC 8878, 3.1).
    const bool is_end = left == 0 && in.pos == in.size;
    return Step{in.pos, out.pos,
                ZSTD_isError(left) ? Step::State::kError
                : is_end           ? Step::State::kEnd
                                   : Step::State::kMore};
  });
}

// A chunk's size, and the offset at which its data begins.
struct ChunkHead {
  std::uint64_t size_bytes = 0;
  std::size_t data_at = 0;
};

// Parses the size line at `at`; nullopt if it is malformed.
std::optional<ChunkHead> read_chunk_head(std::string_view body, std::size_t at) {
  constexpr std::size_t kMaxDigits = 15;       // 60 bits: sizes cannot overflow
  constexpr std::size_t kMaxLineBytes = 4096;  // extensions are rare and short
  const std::string_view line = body.substr(at, kMaxLineBytes);
  std::size_t i = line.find_first_not_of(" \t");
  ChunkHead head;
  std::size_t digits = 0;
  for (; i < line.size() && digits <= kMaxDigits; ++i, ++digits) {
    const char c = line[i];
    const int value = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (value < 0) break;
    head.size_bytes = head.size_bytes * 16 + static_cast<unsigned>(value);
  }
  if (digits == 0 || digits > kMaxDigits) return std::nullopt;
  while (i < line.size() && (line[i] == ' ' || line[i] == '\t')) ++i;
  if (i >= line.size() || (line[i] != '\r' && line[i] != '\n' && line[i] != ';')) return std::nullopt;
  const std::size_t end = line.find('\n', i);
  if (end == std::string_view::npos) return std::nullopt;
  head.data_at = at + end + 1;
  return head;
}

}  // namespace

// After damage the rest of the body is kept as it is: a few size lines within the text do less harm than losing the
// page. The first size line must be valid, which is how a body that was never chunked is recognised.
Decoded decode_chunked(std::string_view body) {
  Decoded result;
  std::size_t at = 0;
  while (true) {
    const std::optional<ChunkHead> head = read_chunk_head(body, at);
    if (!head) {
      result.state = Decoded::Outcome::kDamaged;
      if (at > 0) result.bytes.append(body.substr(std::min(at, body.size())));
      return result;
    }
    if (head->size_bytes == 0) return result;
    const std::string_view data = body.substr(head->data_at);
    // The last chunk is cut off: its available part is still text of the page.
    if (head->size_bytes > data.size()) {
      result.state = Decoded::Outcome::kDamaged;
      result.bytes.append(data);
      return result;
    }
    result.bytes.append(data.substr(0, static_cast<std::size_t>(head->size_bytes)));
    at = head->data_at + static_cast<std::size_t>(head->size_bytes);
    // The line end after a chunk's data may be missing; the next size line then follows at once.
    if (body.substr(at).starts_with("\r\n")) {
      at += 2;
    } else if (body.substr(at).starts_with('\n')) {
      at += 1;
    }
  }
}

ContentCoding content_coding(std::string_view name) {
  const std::string lower = to_lower(trim(name));
  if (lower == "gzip" || lower == "x-gzip") return ContentCoding::kGzip;
  if (lower == "deflate" || lower == "x-deflate") return ContentCoding::kDeflate;
  if (lower == "br") return ContentCoding::kBrotli;
  if (lower == "zstd") return ContentCoding::kZstd;
  // Wrong but harmless values seen in Content-Encoding: they describe a body that is not compressed.
  if (lower.empty() || lower == "identity" || lower == "none" || lower == "binary" || lower == "8bit" ||
      lower == "utf-8" || lower == "utf8" || lower == "text" || lower == "chunked") {
    return ContentCoding::kIdentity;
  }
  return ContentCoding::kUnknown;
}

Decoded decode_content(ContentCoding coding, std::string_view body, std::uint64_t limit_bytes) {
  switch (coding) {
    case ContentCoding::kGzip:
      return inflate(DeflateFraming::kGzip, body, limit_bytes);
    case ContentCoding::kDeflate:
      return inflate_deflate(body, limit_bytes);
    case ContentCoding::kBrotli:
      return decode_brotli(body, limit_bytes);
    case ContentCoding::kZstd:
      return decode_zstd(body, limit_bytes);
    case ContentCoding::kIdentity:
    case ContentCoding::kUnknown:
      break;
  }
  return {Decoded::Outcome::kComplete, std::string(body)};
}

}  // namespace paraprint::inline http
