// Where things stand in a file of topics: what its writer and its reader share (docs/formats/topic-model.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "semantics/models/model_file.h"
#include "semantics/topics/topic_model.h"

namespace paraprint {

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

// Bytes of each section without what pads it. Cannot overflow while the facts keep to their limits.
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

}  // namespace paraprint
