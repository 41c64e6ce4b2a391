// lexbor decodes into blocks of code points with a replacement for invalid sequences; our replacement lies beyond the
// last code point, so it cannot be confused with a U+FFFD in the text. UTF-8 takes a path of its own, because most
// pages are UTF-8 and copying valid runs is much faster.
#include "html/charset_decode.h"

#include <algorithm>
#include <cctype>

#include "html/utf8_repair.h"
#include "text/utf8.h"

namespace paraprint::inline html {
namespace {

constexpr std::size_t kBlockCodePoints = 4096;

struct LabelAlias {
  std::string_view label;
  Charset charset;
};

// Labels that occur on pages but are not in the standard.
constexpr LabelAlias kAliases[] = {
    {"gb312", LXB_ENCODING_GB18030},
    {"iso-1252", LXB_ENCODING_WINDOWS_1252},
    {"iso-1251", LXB_ENCODING_WINDOWS_1251},
    {"cp936", LXB_ENCODING_GB18030},
    {"ms936", LXB_ENCODING_GB18030},
    {"cp950", LXB_ENCODING_BIG5},
    {"cp932", LXB_ENCODING_SHIFT_JIS},
    {"cp949", LXB_ENCODING_EUC_KR},
    {"euckr", LXB_ENCODING_EUC_KR},
    {"eucjp", LXB_ENCODING_EUC_JP},
    {"gb-2312", LXB_ENCODING_GB18030},
    {"big-5", LXB_ENCODING_BIG5},
    {"utf-32", kCharsetUtf32Le},
    {"utf-32le", kCharsetUtf32Le},
    {"utf-32be", kCharsetUtf32Be},
    {"iso-10646-ucs-4", kCharsetUtf32Be},
};

// GBK becomes GB18030, of which it is a subset.
Charset lexbor_charset(std::string_view label) {
  const lxb_encoding_data_t* data =
      lxb_encoding_data_by_pre_name(reinterpret_cast<const lxb_char_t*>(label.data()), label.size());
  if (data == nullptr || data->encoding == LXB_ENCODING_REPLACEMENT || data->encoding == LXB_ENCODING_UNDEFINED) {
    return kCharsetUnknown;
  }
  return data->encoding == LXB_ENCODING_GBK ? Charset{LXB_ENCODING_GB18030} : Charset{data->encoding};
}

std::uint32_t read_utf32(const char* p, bool big_endian) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = (value << 8) | static_cast<unsigned char>(p[big_endian ? i : 3 - i]);
  }
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  return value > 0x10FFFF || is_surrogate ? kInvalidSequence : value;
}

}  // namespace

std::string_view charset_name(Charset charset) {
  struct Names {
    std::string names[LXB_ENCODING_LAST_ENTRY];
    Names() {
      for (Charset i = LXB_ENCODING_BIG5; i < LXB_ENCODING_LAST_ENTRY; ++i) {
        const lxb_encoding_data_t* data = lxb_encoding_data(static_cast<lxb_encoding_t>(i));
        if (data == nullptr || data->name == nullptr) continue;
        names[i] = reinterpret_cast<const char*>(data->name);
        std::transform(names[i].begin(), names[i].end(), names[i].begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      }
    }
  };
  static const Names kNames;
  if (charset == kCharsetUtf32Be) return "utf-32be";
  if (charset == kCharsetUtf32Le) return "utf-32le";
  return charset < LXB_ENCODING_LAST_ENTRY ? std::string_view(kNames.names[charset]) : std::string_view{};
}

Charset charset_of_label(std::string_view label) {
  constexpr std::size_t kMaxLabelBytes = 64;
  constexpr std::string_view kAround = " \t\r\n\f\"';";
  const std::size_t begin = label.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return kCharsetUnknown;
  label = label.substr(begin, label.find_last_not_of(kAround) + 1 - begin);
  if (label.size() > kMaxLabelBytes) return kCharsetUnknown;
  if (const Charset charset = lexbor_charset(label); charset != kCharsetUnknown) return charset;
  // Exact labels were tried first: some of the standard's contain underscores.
  std::string lower(label);
  for (char& c : lower) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const LabelAlias& alias : kAliases) {
    if (lower == alias.label) return alias.charset;
  }
  return lexbor_charset(lower);
}

// Lists the multi-byte charsets, of which there are fewer.
bool is_single_byte(Charset charset) {
  switch (charset) {
    case LXB_ENCODING_BIG5:
    case LXB_ENCODING_EUC_JP:
    case LXB_ENCODING_EUC_KR:
    case LXB_ENCODING_GB18030:
    case LXB_ENCODING_GBK:
    case LXB_ENCODING_ISO_2022_JP:
    case LXB_ENCODING_SHIFT_JIS:
    case LXB_ENCODING_UTF_16BE:
    case LXB_ENCODING_UTF_16LE:
    case LXB_ENCODING_UTF_8:
    case kCharsetUtf32Be:
    case kCharsetUtf32Le:
      return false;
    default:
      return true;
  }
}

CharsetDecoder::CharsetDecoder() : block_(kBlockCodePoints) {}

// Calls sink(begin, end) for consecutive blocks of code points.
template <class Sink>
void CharsetDecoder::decode_blocks(Charset charset, std::string_view bytes, Sink&& sink) {
  if (charset == kCharsetUtf32Be || charset == kCharsetUtf32Le) {
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      const std::uint32_t value = read_utf32(bytes.data() + i, charset == kCharsetUtf32Be);
      sink(&value, &value + 1);
    }
    const std::uint32_t rest = kInvalidSequence;
    if (bytes.size() % 4 != 0) sink(&rest, &rest + 1);
    return;
  }
  const lxb_encoding_data_t* data = lxb_encoding_data(static_cast<lxb_encoding_t>(charset));
  lxb_encoding_decode_t context;
  lxb_encoding_decode_init(&context, data, block_.data(), block_.size());
  const lxb_codepoint_t invalid = kInvalidSequence;
  lxb_encoding_decode_replace_set(&context, &invalid, 1);
  const auto* p = reinterpret_cast<const lxb_char_t*>(bytes.data());
  const lxb_char_t* const end = p + bytes.size();
  lxb_status_t status = LXB_STATUS_SMALL_BUFFER;
  while (status == LXB_STATUS_SMALL_BUFFER) {
    status = data->decode(&context, &p, end);
    sink(block_.data(), block_.data() + lxb_encoding_decode_buf_used(&context));
    lxb_encoding_decode_buf_used_set(&context, 0);
  }
  lxb_encoding_decode_finish(&context);  // replaces an unfinished sequence at the end
  sink(block_.data(), block_.data() + lxb_encoding_decode_buf_used(&context));
}

DecodeCounts CharsetDecoder::decode(Charset charset, std::string_view bytes, std::string& out) {
  out.clear();
  DecodeCounts counts;
  if (charset == LXB_ENCODING_UTF_8) {
    const Utf8Repair repair = repair_utf8(bytes, &out);
    return {repair.dropped_bytes, repair.multibyte_characters};
  }
  std::size_t size_bytes = 0;
  out.resize(bytes.size() + bytes.size() / 2);  // enough for two-byte characters that become three bytes
  decode_blocks(charset, bytes, [&](const std::uint32_t* p, const std::uint32_t* end) {
    constexpr std::size_t kMaximumCharacterBytes = 4;
    const std::size_t room_bytes = static_cast<std::size_t>(end - p) * kMaximumCharacterBytes;
    if (out.size() - size_bytes < room_bytes) out.resize(size_bytes + size_bytes / 2 + room_bytes);
    char* write = out.data() + size_bytes;
    for (; p != end; ++p) {
      if (*p < 0x80) {
        *write++ = static_cast<char>(*p);
      } else if (*p >= kInvalidSequence) {
        ++counts.dropped_sequences;
      } else {
        ++counts.non_ascii_characters;
        write += encode_character(*p, write);
      }
    }
    size_bytes = static_cast<std::size_t>(write - out.data());
  });
  out.resize(size_bytes);
  return counts;
}

void CharsetDecoder::decode_code_points(Charset charset, std::string_view bytes, std::vector<std::uint32_t>& out) {
  out.clear();
  decode_blocks(charset, bytes,
                [&](const std::uint32_t* p, const std::uint32_t* end) { out.insert(out.end(), p, end); });
}

}  // namespace paraprint::inline html
