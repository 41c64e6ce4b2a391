// Multi-byte charsets are tried first: random bytes are rarely valid in them and even more rarely common characters, so
// a good score is conclusive. Single-byte charsets accept nearly any bytes, so they are compared with each other, with
// small priors for their frequency on the web.
#include "html/charset_detect.h"

#include <algorithm>

#include "html/charset_ratings.h"
#include "html/utf8_repair.h"
#include "text/utf8.h"

namespace paraprint::inline html {
namespace {

// Penalty for an invalid sequence, in characters: one in a hundred lowers the score by 0.12.
constexpr double kInvalidCost = 12.0;
// A multi-byte charset with at least this score is not compared with single-byte ones, in which random letters can
// score well.
constexpr double kSureIdeographic = 0.30;
constexpr double kMinimumScore = 0.05;
// All charsets except windows-1252 lose this divided by the number of characters: a page with three non-ASCII
// characters is too little evidence for a rare charset and nearly always windows-1252.
constexpr double kSparseCost = 3.0;
// Share of that penalty for multi-byte charsets, whose characters are stronger evidence.
constexpr double kSparseIdeographicShare = 0.1;
// ASCII bytes included before a non-ASCII one, so that letters keep their neighbours.
constexpr std::size_t kContextBytes = 24;

struct IdeographicCandidate {
  Charset charset;
  RatedLanguage language;
};

constexpr IdeographicCandidate kIdeographic[] = {
    {LXB_ENCODING_GB18030, RatedLanguage::kSimplifiedChinese},
    {LXB_ENCODING_GB18030, RatedLanguage::kTraditionalChinese},
    {LXB_ENCODING_BIG5, RatedLanguage::kTraditionalChinese},
    {LXB_ENCODING_SHIFT_JIS, RatedLanguage::kJapanese},
    {LXB_ENCODING_EUC_JP, RatedLanguage::kJapanese},
    {LXB_ENCODING_EUC_KR, RatedLanguage::kKorean},
};

constexpr Charset kIdeographicCharsets[] = {LXB_ENCODING_GB18030, LXB_ENCODING_BIG5, LXB_ENCODING_SHIFT_JIS,
                                            LXB_ENCODING_EUC_JP, LXB_ENCODING_EUC_KR};

struct AlphabeticCandidate {
  Charset charset;
  double prior;  // added to the score; rarer charsets must be clearly better
};

constexpr AlphabeticCandidate kAlphabetic[] = {
    {LXB_ENCODING_WINDOWS_1252, 0.03},   {LXB_ENCODING_WINDOWS_1251, 0.02},  {LXB_ENCODING_KOI8_R, 0.0},
    {LXB_ENCODING_WINDOWS_1250, 0.0},    {LXB_ENCODING_ISO_8859_2, 0.005},   {LXB_ENCODING_IBM866, -0.05},
    {LXB_ENCODING_ISO_8859_5, -0.02},    {LXB_ENCODING_WINDOWS_1253, -0.01}, {LXB_ENCODING_ISO_8859_7, -0.02},
    {LXB_ENCODING_WINDOWS_1254, -0.005}, {LXB_ENCODING_WINDOWS_1255, -0.02}, {LXB_ENCODING_WINDOWS_1256, -0.02},
    {LXB_ENCODING_WINDOWS_874, -0.02},   {LXB_ENCODING_ISO_8859_15, -0.02},
};

// The mean rating per character. Invalid sequences count as characters, with a negative rating.
double mean_rating(double sum, std::size_t characters, std::size_t invalid) {
  if (characters == 0) return -1;
  return (sum - kInvalidCost * static_cast<double>(invalid)) / static_cast<double>(characters + invalid);
}

double sparse_cost(const std::vector<std::uint32_t>& code_points) {
  const auto is_beyond_ascii = [](std::uint32_t c) { return c >= 0x80; };
  const auto characters = std::count_if(code_points.begin(), code_points.end(), is_beyond_ascii);
  return kSparseCost / static_cast<double>(std::max<std::ptrdiff_t>(characters, 1));
}

double score_ideographic(RatedLanguage language, const std::vector<std::uint32_t>& code_points) {
  double sum = 0;
  std::size_t characters = 0;
  std::size_t invalid = 0;
  for (const std::uint32_t c : code_points) {
    if (c < 0x80) continue;
    if (c >= kInvalidSequence) {
      ++invalid;
      continue;
    }
    sum += rate_ideographic(language, c);
    ++characters;
  }
  return mean_rating(sum, characters, invalid);
}

double score_alphabetic(const std::vector<std::uint32_t>& code_points) {
  double sum = 0;
  std::size_t characters = 0;
  std::size_t invalid = 0;
  for (std::size_t i = 0; i < code_points.size(); ++i) {
    const std::uint32_t c = code_points[i];
    if (c < 0x80) continue;
    if (c >= kInvalidSequence) {
      ++invalid;
      continue;
    }
    sum += rate_alphabetic(i == 0 ? 0 : code_points[i - 1], c, i + 1 == code_points.size() ? 0 : code_points[i + 1]);
    ++characters;
  }
  return mean_rating(sum, characters, invalid);
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

}  // namespace

// Collects runs with non-ASCII bytes, each with a little context, until the sample is full. Runs begin and end at ASCII
// bytes that are not trail bytes in any multi-byte charset (space, newline, '<', '>', '"' ...). No character is split.
void CharsetDetector::take_sample(std::string_view body) {
  sample_.clear();
  // Bytes from 0x30 to 0x39 are trail bytes in GB18030; '<' and '>' are not.
  const auto is_border = [](char c) { return static_cast<unsigned char>(c) < 0x30 || c == '<' || c == '>'; };
  std::size_t i = 0;
  while (i < body.size() && sample_.size() < kSampleBytes) {
    while (i < body.size() && is_ascii(body[i])) ++i;
    if (i == body.size()) break;
    std::size_t begin = i;
    while (begin > 0 && i - begin < kContextBytes && !is_border(body[begin - 1])) --begin;
    std::size_t end = i;
    while (end < body.size() && !is_border(body[end]) && end - begin < kSampleBytes) ++end;
    sample_.append(body, begin, end - begin);
    sample_.push_back(' ');
    i = end;
  }
}

// The best score over the languages written in the charset.
double CharsetDetector::score_sample_as_ideographic(Charset charset) {
  double best = -1;
  decoder_.decode_code_points(charset, sample_, code_points_);
  for (const IdeographicCandidate& candidate : kIdeographic) {
    if (candidate.charset != charset) continue;
    best = std::max(best, score_ideographic(candidate.language, code_points_));
  }
  return best - kSparseIdeographicShare * sparse_cost(code_points_);
}

double CharsetDetector::score(std::string_view body, Charset charset) {
  take_sample(body);
  return sample_.empty() ? -1 : score_sample_as_ideographic(charset);
}

DetectedCharset CharsetDetector::detect(std::string_view body) {
  take_sample(body);
  DetectedCharset best;
  if (sample_.empty()) return best;
  best.score = kMinimumScore;
  const Utf8Repair utf8 = repair_utf8(sample_, nullptr);
  // UTF-8 with a few damaged bytes: each valid multi-byte character rates 1, because the encoding is evidence.
  if (utf8.multibyte_characters > 0) {
    const double score =
        mean_rating(static_cast<double>(utf8.multibyte_characters), utf8.multibyte_characters, utf8.dropped_bytes);
    if (score > best.score) best = {LXB_ENCODING_UTF_8, score};
  }
  for (const Charset charset : kIdeographicCharsets) {
    const double score = score_sample_as_ideographic(charset);
    if (score > best.score) best = {charset, score};
  }
  if (best.score >= kSureIdeographic) return best;
  for (const AlphabeticCandidate& candidate : kAlphabetic) {
    decoder_.decode_code_points(candidate.charset, sample_, code_points_);
    double score = score_alphabetic(code_points_) + candidate.prior;
    if (candidate.charset != LXB_ENCODING_WINDOWS_1252) score -= sparse_cost(code_points_);
    if (score > best.score) best = {candidate.charset, score};
  }
  return best;
}

Charset detect_wide_charset(std::string_view body) {
  constexpr std::size_t kProbeBytes = 2048;
  constexpr std::size_t kMinimumBytes = 8;
  const std::string_view probe = body.substr(0, std::min(kProbeBytes, body.size() & ~std::size_t{3}));
  if (probe.size() < kMinimumBytes || probe.find('\0') == std::string_view::npos) return kCharsetUnknown;
  std::size_t zeros[4] = {};
  for (std::size_t i = 0; i < probe.size(); ++i) zeros[i % 4] += probe[i] == '\0';
  // Counts zero bytes by position modulo 4. Beyond ASCII, UTF-16 has few zero bytes, hence the generous thresholds.
  const std::size_t quarter = probe.size() / 4;
  const auto many = [&](std::size_t count) { return count * 10 >= quarter * 3; };  // markup is mostly ASCII
  const auto few = [&](std::size_t count) { return count * 50 <= quarter; };
  if (many(zeros[0]) && many(zeros[1]) && many(zeros[2]) && few(zeros[3])) return kCharsetUtf32Be;
  if (few(zeros[0]) && many(zeros[1]) && many(zeros[2]) && many(zeros[3])) return kCharsetUtf32Le;
  if (many(zeros[0]) && many(zeros[2]) && few(zeros[1]) && few(zeros[3])) return LXB_ENCODING_UTF_16BE;
  if (many(zeros[1]) && many(zeros[3]) && few(zeros[0]) && few(zeros[2])) return LXB_ENCODING_UTF_16LE;
  return kCharsetUnknown;
}

bool has_iso_2022_jp_escapes(std::string_view body) {
  for (std::size_t at = body.find('\x1B'); at != std::string_view::npos; at = body.find('\x1B', at + 1)) {
    const std::string_view escape = body.substr(at + 1, 2);
    if (escape == "$B" || escape == "$@" || escape == "(J" || escape == "(I") return true;
  }
  return false;
}

}  // namespace paraprint::inline html
