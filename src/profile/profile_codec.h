// The byte form of a Profile (docs/formats/profile.md), used by the work log of a run and by everything that stores or
// sends profiles. Decoding is safe on any input.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint::inline profile {

inline constexpr std::uint8_t kProfileFormatVersion = 5;  // persisted

// Appends the byte form to `out`; equal profiles have equal bytes. Requires what PageProfiler guarantees: paragraphs
// are in order and do not overlap, and neither do the sentences within them. O(paragraphs + sentences).
void encode_profile(const Profile& profile, std::string& out);

// Replaces `profile`, reusing its memory. kUnsupported for another version, kCorruptData for anything that is not
// exactly the bytes that encode_profile() gives for one profile; `profile` is then empty.
Status decode_profile(std::string_view bytes, Profile& profile);

// Decodes only text_hash and content_characters, which come first, for passes that need no more. Paragraphs stay empty.
Status decode_profile_head(std::string_view bytes, Profile& profile);

}  // namespace paraprint::inline profile
