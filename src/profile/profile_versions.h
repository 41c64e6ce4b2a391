// What decides whether two profiles can be compared, in addition to the options: versions of formats, rules and data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paraprint::inline profile {

// The rules by which a page becomes a profile: extraction with its model, paragraphs, normalisation, words, weights,
// fingerprints. Increment it with every change that gives some page another profile under the same options;
// tests/golden fails until it is. Tables of words and characters have a version of their own, made of their content.
inline constexpr std::uint32_t kProfileRulesVersion = 2;  // persisted

// What a settings identity (page_profiler.h) begins with, before the version of the byte form.
inline constexpr std::string_view kProfileFormatName = "paraprint-profile/";

// The part of a settings identity that names rules and data: " text-data=... rules=... icu=...".
std::string rules_identity();

enum class IdentityDifference : std::uint8_t {
  kNone,
  // Made by another version of the rules, the text tables or ICU under the same options. Such profiles can be compared:
  // equal texts stay equal, and copies are missed only where the rules differ about their pages.
  kRules,
  kSettings,  // other options: not comparable
  kFormat,    // another byte form or other hashes: not comparable
};

IdentityDifference compare_identities(std::string_view one, std::string_view other);

// The version of the byte form that an identity names; 0 if it names none.
std::uint32_t profile_format_of(std::string_view identity);

}  // namespace paraprint::inline profile
