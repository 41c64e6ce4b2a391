// paraprint.Profile: conversion from and to bytes, equality, hashing, pickling, and the comparison of two profiles.
// Equality compares the encoded bytes, because a profile has exactly one byte form.
#include "profiles.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "arguments.h"
#include "module.h"
#include "options.h"
#include "paraprint/memory_pages.h"

namespace paraprint::python {
namespace {

nb::bytes bytes_of(const HeldProfile& profile) {
  const std::string bytes = profile_bytes(profile.value);
  return nb::bytes(bytes.data(), bytes.size());
}

HeldProfile profile_of_bytes(const nb::bytes& bytes, std::string settings) {
  return {take(profile_from_bytes({static_cast<const char*>(bytes.data()), bytes.size()})), std::move(settings)};
}

// High half first, as in every printed 128-bit hash.
std::string hex(std::uint64_t high, std::uint64_t low) {
  return fmt::format("{:016x}{:016x}", high, low);
}

nb::list paragraphs_of(const HeldProfile& profile) {
  const nb::object fingerprint = nb::module_::import_("paraprint.pages").attr("ParagraphFingerprint");
  nb::list paragraphs;
  for (const ParagraphProfile& paragraph : profile.value.paragraphs) {
    nb::object simhash = nb::none();
    if (paragraph.has_simhash) simhash = text(hex(paragraph.simhash.high, paragraph.simhash.low));
    paragraphs.append(fingerprint(paragraph.span.begin_bytes, paragraph.span.end_bytes, paragraph.content_characters,
                                  text(fmt::format("{:016x}", paragraph.hash)), simhash));
  }
  return paragraphs;
}

nb::list anchors_of(const HeldProfile& profile) {
  nb::list anchors;
  for (const SentenceProfile& sentence : profile.value.sentences) {
    if (sentence.is_anchor) anchors.append(text(fmt::format("{:016x}", sentence.hash)));
  }
  return anchors;
}

// Profiles from bytes may have unknown settings; they are compared on the caller's responsibility.
nb::tuple compare_profiles(const HeldProfile& a, const HeldProfile& b, const nb::dict& keywords) {
  if (!a.settings.empty() && !b.settings.empty() && a.settings != b.settings) {
    raise({ErrorCode::kInvalidArgument,
           fmt::format("cannot compare profiles with different settings: '{}' and '{}'", a.settings, b.settings)});
  }
  const CallOptions options = options_of("compare", keywords);
  return compared_tuple(take(compare(a.value, b.value, options.match)));
}

}  // namespace

nb::tuple compared_tuple(const CompareOutcome& pair) {
  nb::list spans;
  for (const MatchedSpan& span : pair.spans) {
    spans.append(nb::make_tuple(span.a.begin_bytes, span.a.end_bytes, span.b.begin_bytes, span.b.end_bytes,
                                span.paragraph_a, span.paragraph_b, span.distance_bits, span.is_sentence));
  }
  const Match& match = pair.match;
  return nb::make_tuple(text(verdict_name(match.verdict)), match.resemblance, match.containment_a, match.containment_b,
                        match.matched_characters, spans);
}

void bind_profiles(nb::module_& module) {
  nb::class_<HeldProfile>(
      module, "Profile",
      "The fingerprints of a page, sufficient to compare it. Immutable; equal if the bytes are equal.")
      .def_static("from_bytes", profile_of_bytes, nb::arg("data"), nb::arg("settings") = "",
                  "The profile for bytes from to_bytes(). Raises paraprint.Error for anything else.")
      .def("to_bytes", bytes_of, "The binary form described in docs/formats/profile.md.")
      .def("__bytes__", bytes_of)
      // Pickles include the settings, so that profiles of different settings stay incomparable.
      .def("__getstate__",
           [](const HeldProfile& profile) { return nb::make_tuple(bytes_of(profile), text(profile.settings)); })
      .def("__setstate__",
           [](HeldProfile& profile, const nb::tuple& state) {
             if (nb::len(state) != 2 || !PyBytes_Check(nb::object(state[0]).ptr())) {
               throw nb::type_error("the state of a Profile is its bytes and the settings");
             }
             HeldProfile stored =
                 profile_of_bytes(nb::cast<nb::bytes>(state[0]), given_text(nb::object(state[1]), "settings"));
             new (&profile) HeldProfile(std::move(stored));
           })
      .def(
          "__eq__",
          [](const HeldProfile& a, nb::handle other) -> nb::object {
            if (!nb::isinstance<HeldProfile>(other)) return nb::borrow(Py_NotImplemented);
            return nb::bool_(profile_bytes(a.value) == profile_bytes(nb::cast<const HeldProfile&>(other).value));
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const HeldProfile& profile) {
             return static_cast<Py_hash_t>(profile.value.text_hash[0] >> 1);  // never -1, Python's error value
           })
      .def("__repr__",
           [](const HeldProfile& profile) {
             return fmt::format("<paraprint.Profile of {} letters and digits in {} paragraphs>",
                                profile.value.content_characters, profile.value.paragraphs.size());
           })
      .def_prop_ro(
          "text_hash",
          [](const HeldProfile& profile) { return hex(profile.value.text_hash[0], profile.value.text_hash[1]); },
          "Hash of all letters and digits, as 32 hexadecimal digits; equal hashes mean verdict same.")
      .def_prop_ro(
          "content_characters", [](const HeldProfile& profile) { return profile.value.content_characters; },
          "Number of letters and digits in the main content; 0: nothing to compare.")
      .def_prop_ro("paragraphs", paragraphs_of,
                   nb::sig("def paragraphs(self) -> list[paraprint.pages.ParagraphFingerprint]"),
                   "The fingerprints of each paragraph, as `paraprint profile` prints them.")
      .def_prop_ro("anchors", anchors_of, nb::sig("def anchors(self) -> list[str]"),
                   "Hashes of the sentences used to find candidates.")
      .def_prop_ro(
          "settings", [](const HeldProfile& profile) { return text(profile.settings); },
          "The settings identity, as `paraprint version` prints it; empty if unknown.");
  module.def("compare_profiles", compare_profiles, nb::arg("a"), nb::arg("b"), nb::arg("keywords"));
}

}  // namespace paraprint::python
