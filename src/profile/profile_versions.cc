// An identity is a list of words, NAME=VALUE after the first one. The text tables appear twice: by themselves, and as
// the version of the bundled weights of words, which are a part of them.
#include "profile/profile_versions.h"

#include <fmt/format.h>

#include <charconv>

#include "text/normalise.h"
#include "text/word_segmenter.h"

namespace paraprint::inline profile {
namespace {

constexpr std::string_view kBundledWeights = "idf=bundled/";

// Removes the first word from `rest` and returns it.
std::string_view take_word(std::string_view& rest) {
  const std::size_t end = rest.find(' ');
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return word;
}

bool names_rules(std::string_view word) {
  return word.starts_with("text-data=") || word.starts_with("rules=") || word.starts_with("icu=");
}

// The identity without what names rules and data.
std::string settings_of(std::string_view identity) {
  std::string settings;
  while (!identity.empty()) {
    std::string_view word = take_word(identity);
    if (names_rules(word)) continue;
    if (word.starts_with(kBundledWeights)) word = word.substr(0, kBundledWeights.size());
    settings.append(word).push_back(' ');
  }
  return settings;
}

}  // namespace

std::string rules_identity() {
  return fmt::format(" text-data={:016x} rules={} icu={}", WordSegmenter::shared().data_version(), kProfileRulesVersion,
                     unicode_rules_version());
}

std::uint32_t profile_format_of(std::string_view identity) {
  if (!identity.starts_with(kProfileFormatName)) return 0;
  std::string_view word = take_word(identity);
  word.remove_prefix(kProfileFormatName.size());
  std::uint32_t version = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), version);
  return read.ec == std::errc() && read.ptr == word.data() + word.size() ? version : 0;
}

IdentityDifference compare_identities(std::string_view one, std::string_view other) {
  if (one == other) return IdentityDifference::kNone;
  if (profile_format_of(one) != profile_format_of(other)) return IdentityDifference::kFormat;
  return settings_of(one) == settings_of(other) ? IdentityDifference::kRules : IdentityDifference::kSettings;
}

}  // namespace paraprint::inline profile
