// The form that all models have in common: a header of 96 bytes, then sections that begin at multiples of 16 bytes,
// with zeros between them. A model is mapped into memory and never changed; its version is the digest of its content,
// so it is checksum and name at once.
//
//   magic and fields, zeros up to 72 bytes | version: high and low half, 2 x u64 | 8 bytes of zeros | sections
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::size_t kModelMagicBytes = 24;
inline constexpr std::size_t kModelFieldsBytes = 72;
inline constexpr std::size_t kModelHeaderBytes = 96;
inline constexpr std::size_t kModelAlignment = 16;

constexpr std::uint64_t aligned_section(std::uint64_t bytes) {
  return (bytes + kModelAlignment - 1) / kModelAlignment * kModelAlignment;
}

// B128 (algorithms.md 0.4) of the first kModelFieldsBytes and, behind them, of the B128 of each section without its
// padding, each as two u64, high half first.
Fingerprint128 model_version(std::string_view fields, std::span<const std::string_view> sections);

// Hands header, sections and padding to `write_part` in order. `fields` begins with the magic and has at most
// kModelFieldsBytes.
Status write_model_parts(std::string fields, std::span<const std::string_view> sections,
                         const std::function<Status(std::string_view)>& write_part);

// An error of kind kCorruptData: "NAME: WHAT; make or fetch the model again".
tl::unexpected<Error> damaged_model(const std::string& name, std::string_view what);

// Cuts the sections, of the sizes that the header's fields imply, out of a whole model and compares its version.
// Requires kModelHeaderBytes. `sizes` and `sections` have one entry a section; the sum of sizes must fit 64 bits.
Result<Fingerprint128> find_model_sections(std::string_view bytes, std::span<const std::uint64_t> sizes,
                                           std::span<std::string_view> sections, const std::string& name);

}  // namespace paraprint
