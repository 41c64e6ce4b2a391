// What a run keeps of a page to trace where its text comes from, and its stored form (docs/formats/page-log.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/linked_addresses.h"
#include "corpus/page_metadata.h"
#include "paraprint/result.h"
#include "provenance/sentence_marks.h"

namespace paraprint::inline provenance {

inline constexpr std::uint8_t kOriginFormatVersion = 1;  // persisted: of the stored form

struct OriginRecord {
  StatedOrigin stated;
  std::vector<SentenceMarks> marks;  // of each sentence of the page's profile
};

// The stored form of what the last page of a profiler states, whose features are given. Cost: O(words).
std::string encoded_origin(StatedOrigin&& stated, const PageFeatures& features);

// Appends the stored form, which is never empty. Of the metadata, it has dates, names and addresses.
void encode_origin(const OriginRecord& record, std::string& out);

// Replaces `record`. kCorruptData for anything else than what encode_origin() gives. Safe on any input.
Status decode_origin(std::string_view bytes, OriginRecord& record);

}  // namespace paraprint::inline provenance
