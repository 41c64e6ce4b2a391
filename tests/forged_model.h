// A model with modified content and a valid version, as only an attacker would write it.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/models/model_file.h"

namespace paraprint {

// Returns `model` with the first `width` bytes of `value` (little-endian) at `offset` of a section. `sizes` are those
// of all sections.
inline std::string forged_model(std::string model, std::span<const std::uint64_t> sizes, std::size_t section,
                                std::size_t offset, std::uint32_t value, std::size_t width = 4) {
  std::vector<std::string_view> sections;
  std::uint64_t at = kModelHeaderBytes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i == section) std::memcpy(model.data() + at + offset, &value, width);
    sections.push_back(std::string_view(model).substr(at, sizes[i]));
    at += aligned_section(sizes[i]);
  }
  const Fingerprint128 version = model_version(std::string_view(model).substr(0, kModelFieldsBytes), sections);
  std::memcpy(model.data() + kModelFieldsBytes, &version.high, 8);
  std::memcpy(model.data() + kModelFieldsBytes + 8, &version.low, 8);
  return model;
}

}  // namespace paraprint
