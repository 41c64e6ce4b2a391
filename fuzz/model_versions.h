// Models with the version of their content, as someone who means harm would write them. Without it, any change is
// rejected for its checksum before a table is looked at. Shared by fuzzers and tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_codec.h"
#include "semantics/models/model_file.h"
#include "semantics/topics/topic_layout.h"
#include "semantics/vectors/reduction.h"
#include "semantics/vectors/vectors_layout.h"

namespace paraprint {

// `sizes` are those of all sections. A model that is too short for them is returned as it is.
inline std::string with_model_version(std::string_view bytes, std::span<const std::uint64_t> sizes) {
  std::string model(bytes);
  std::vector<std::string_view> sections;
  std::uint64_t at = kModelHeaderBytes;
  for (const std::uint64_t size : sizes) {
    if (at > model.size() || size > model.size() - at) return model;
    sections.push_back(std::string_view(model).substr(at, size));
    at += aligned_section(size);
  }
  const Fingerprint128 version = model_version(std::string_view(model).substr(0, kModelFieldsBytes), sections);
  std::memcpy(model.data() + kModelFieldsBytes, &version.high, sizeof version.high);
  std::memcpy(model.data() + kModelFieldsBytes + sizeof version.high, &version.low, sizeof version.low);
  return model;
}

// The numbers of 32 bits that follow the magic; 0 beyond the end.
inline std::uint32_t model_field(std::string_view bytes, std::size_t number) {
  const std::size_t at = kModelMagicBytes + number * sizeof(std::uint32_t);
  return ByteReader(bytes.substr(std::min(at, bytes.size()))).fixed<std::uint32_t>();
}

// Sections as large as the header says. Larger dimensions are rejected before the version is looked at.
inline std::string with_word_vectors_version(std::string_view bytes) {
  VectorFacts facts;
  facts.dimension = model_field(bytes, 1);
  facts.words = model_field(bytes, 2);
  facts.searched_words = model_field(bytes, 3);
  if (facts.dimension > kVectorDimensionMaximum) return std::string(bytes);
  return with_model_version(bytes, section_sizes(facts, model_field(bytes, 7)));
}

inline std::string with_topic_model_version(std::string_view bytes) {
  TopicFacts facts;
  facts.topics = model_field(bytes, 1);
  facts.words = model_field(bytes, 2);
  return with_model_version(bytes, topic_section_sizes(facts, model_field(bytes, 3), model_field(bytes, 4)));
}

inline std::string with_reduction_version(std::string_view bytes) {
  ReductionFacts facts;
  facts.dimension = model_field(bytes, 1);
  facts.components = model_field(bytes, 2);
  if (facts.dimension > kVectorDimensionMaximum) return std::string(bytes);
  return with_model_version(bytes, reduction_section_sizes(facts));
}

}  // namespace paraprint
