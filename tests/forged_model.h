// A model with modified content and a valid version, as only an attacker would write it.
#pragma once

#include <cstring>
#include <span>
#include <string>

#include "model_versions.h"
#include "semantics/models/model_file.h"

namespace paraprint {

// Returns `model` with the first `width` bytes of `value` (little-endian) at `offset` of a section. `sizes` are those
// of all sections.
inline std::string forged_model(std::string model, std::span<const std::uint64_t> sizes, std::size_t section,
                                std::size_t offset, std::uint32_t value, std::size_t width = 4) {
  std::uint64_t at = kModelHeaderBytes;
  for (std::size_t i = 0; i < section; ++i) at += aligned_section(sizes[i]);
  std::memcpy(model.data() + at + offset, &value, width);
  return with_model_version(model, sizes);
}

}  // namespace paraprint
