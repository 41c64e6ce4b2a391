// The layout of a topic model file, shared by its writer and its reader (docs/formats/topic-model.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "semantics/models/model_file.h"
#include "semantics/topics/topic_model.h"

namespace paraprint::inline semantics::inline topics {

inline constexpr std::string_view kTopicMagic{"paraprint topic model\n\0\0", kModelMagicBytes};
inline constexpr std::uint32_t kTopicWeightMaximum = 65535;

enum TopicSection : std::size_t {
  kTopicWordEnds,
  kTopicEntryEnds,
  kTopicDocuments,
  kTopicScales,
  kTopicEntries,
  kTopicShares,
  kTopicWordBytes,
  kTopicSections
};

// The size of each section in bytes, without padding. Cannot overflow if the facts are within their limits.
inline std::array<std::uint64_t, kTopicSections> topic_section_sizes(const TopicFacts& facts, std::uint32_t entries,
                                                                     std::uint32_t word_bytes) {
  const std::uint64_t words = facts.words;
  return {4 * words,
          4 * words,
          4 * words,
          4 * words,
          std::uint64_t{4} * entries,
          std::uint64_t{4} * facts.topics,
          std::uint64_t{word_bytes}};
}

}  // namespace paraprint::inline semantics::inline topics
