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

struct OriginRecord {
  StatedOrigin stated;
  std::vector<SentenceMarks> marks;  // of each sentence of the page's profile
};

// Appends the stored form, which is never empty. Of the metadata, it has dates, names and addresses.
void encode_origin(const OriginRecord& record, std::string& out);

// Replaces `record`. kCorruptData for anything else than what encode_origin() gives. Safe on any input.
Status decode_origin(std::string_view bytes, OriginRecord& record);

}  // namespace paraprint::inline provenance
