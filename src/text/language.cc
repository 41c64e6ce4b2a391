// Languages are identified by CLD2, from the sequences of letters that are common in each. It reads a few megabytes per
// second, so that whole pages would take longer than parsing them; a beginning that is clearly in one language is
// enough. Scripts of one language need no more than their letters.
#include "text/language.h"

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace paraprint::inline text {
namespace {

constexpr std::size_t kLettersMinimum = 2;
constexpr std::size_t kLettersMaximum = 3;
constexpr unsigned kLetterBits = 5;

// Of 1,779 pages whose language was known, 9 got another or none from their first 256 bytes and, where those are in
// doubt, 4 KiB; 7 from their whole text, for which a hundred times as much is read (docs/measurements/quality.md).
constexpr std::size_t kSampleBytes = 256;
constexpr std::size_t kDoubtfulSampleBytes = 4096;
// Share of the sample that is in its language, below which more is read: headings and bylines are often in another one.
constexpr int kClearPercent = 95;

// Codes of ISO 639 that were replaced. CLD2 and old pages still have them.
struct ReplacedCode {
  std::string_view old_code;
  std::string_view code;
};
constexpr std::array kReplacedCodes = {ReplacedCode{"iw", "he"}, ReplacedCode{"in", "id"}, ReplacedCode{"ji", "yi"},
                                       ReplacedCode{"jw", "jv"}, ReplacedCode{"mo", "ro"}};

char lower_case_letter(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// The text up to `size_bytes`, without the part of a character at its end.
std::string_view beginning_of(std::string_view text, std::size_t size_bytes) {
  if (text.size() <= size_bytes) return text;
  while (size_bytes > 0 && (static_cast<unsigned char>(text[size_bytes]) & 0xC0) == 0x80) --size_bytes;
  return text.substr(0, size_bytes);
}

// "und" for what is no language: no answer, letters of a script that no text was trained with, and jokes.
LanguageCode code_of(CLD2::Language language) {
  const std::string_view code = CLD2::LanguageCode(language);
  if (code == "un" || code == "tlh" || code.starts_with("xx") || code.starts_with("zz")) return {};
  return LanguageCode::of_tag(code).value_or(LanguageCode());
}

bool is_identifiable(LanguageCode wanted) {
  for (int number = 0; number < CLD2::NUM_LANGUAGES; ++number) {
    if (code_of(static_cast<CLD2::Language>(number)) == wanted) return true;
  }
  return false;
}

struct Identified {
  LanguageCode language;
  bool is_clear = false;
};

// The form of the call that takes hints and gives all that is known. It takes text for valid UTF-8, as ours is.
Identified identify_sample(std::string_view sample) {
  const CLD2::CLDHints no_hints = {nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  std::array<CLD2::Language, 3> languages{};
  std::array<int, 3> percents{};
  std::array<double, 3> scores{};
  int letters_bytes = 0;
  bool is_reliable = false;
  const CLD2::Language language = CLD2::ExtDetectLanguageSummary(sample.data(), static_cast<int>(sample.size()), true,
                                                                 &no_hints, 0, languages.data(), percents.data(),
                                                                 scores.data(), nullptr, &letters_bytes, &is_reliable);
  const LanguageCode code = is_reliable ? code_of(language) : LanguageCode();
  return {code, code.is_known() && percents[0] >= kClearPercent};
}

}  // namespace

std::optional<LanguageCode> LanguageCode::of_tag(std::string_view tag) {
  std::string code(tag.substr(0, std::min(tag.find_first_of("-_"), tag.size())));
  if (code.size() < kLettersMinimum || code.size() > kLettersMaximum) return std::nullopt;
  std::transform(code.begin(), code.end(), code.begin(), lower_case_letter);
  const auto* const replaced = std::find_if(kReplacedCodes.begin(), kReplacedCodes.end(),
                                            [&](const ReplacedCode& known) { return known.old_code == code; });
  if (replaced != kReplacedCodes.end()) code = replaced->code;
  LanguageCode language;
  if (code == "und") return language;
  for (std::size_t i = 0; i < kLettersMaximum; ++i) {
    unsigned letter = 0;
    if (i < code.size()) {
      if (code[i] < 'a' || code[i] > 'z') return std::nullopt;
      letter = static_cast<unsigned>(code[i] - 'a' + 1);
    }
    language.number_ = static_cast<std::uint16_t>(language.number_ << kLetterBits | letter);
  }
  return language;
}

std::optional<LanguageCode> LanguageCode::of_number(std::uint64_t number) {
  LanguageCode language;
  if (number == 0) return language;
  if (number >> (kLetterBits * kLettersMaximum) != 0) return std::nullopt;
  language.number_ = static_cast<std::uint16_t>(number);
  // Whatever has other bits than its own letters give is not a code.
  const std::optional<LanguageCode> same = of_tag(language.text());
  return same == language ? same : std::nullopt;
}

std::string LanguageCode::text() const {
  if (!is_known()) return "und";
  std::string code;
  for (std::size_t i = kLettersMaximum; i-- > 0;) {
    const unsigned letter = static_cast<unsigned>(number_) >> (i * kLetterBits) & ((1U << kLetterBits) - 1);
    if (letter != 0) code += static_cast<char>('a' + letter - 1);
  }
  return code;
}

// A tag with a script or a region would promise more than is identified.
Result<LanguageSet> LanguageSet::parse(std::span<const std::string> codes) {
  LanguageSet set;
  for (const std::string& text : codes) {
    const std::optional<LanguageCode> code = LanguageCode::of_tag(text);
    if (!code || text.size() > kLettersMaximum || !is_identifiable(*code)) {
      return failure(
          ErrorCode::kInvalidArgument,
          fmt::format("languages: '{}' is not the code of a language that can be identified; write en, zh or "
                      "ja (codes of ISO 639, not of countries), and und for pages in no known language",
                      text));
    }
    set.languages_.push_back(*code);
  }
  std::sort(set.languages_.begin(), set.languages_.end());
  set.languages_.erase(std::unique(set.languages_.begin(), set.languages_.end()), set.languages_.end());
  return set;
}

bool LanguageSet::admits(LanguageCode language) const {
  return languages_.empty() || std::binary_search(languages_.begin(), languages_.end(), language);
}

std::string LanguageSet::text() const {
  std::string codes;
  for (const LanguageCode language : languages_) codes += (codes.empty() ? "" : ",") + language.text();
  return codes;
}

LanguageCode identify_language(std::string_view text) {
  const std::string_view sample = beginning_of(text, kSampleBytes);
  const Identified identified = identify_sample(sample);
  if (identified.is_clear || sample.size() == text.size()) return identified.language;
  return identify_sample(beginning_of(text, kDoubtfulSampleBytes)).language;
}

}  // namespace paraprint::inline text
