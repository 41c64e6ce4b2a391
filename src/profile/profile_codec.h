// The byte form of a Profile, byte by byte in docs/formats/profile.md. Used by the work log of a run and by everything
// that stores or sends profiles. Reading is safe on any bytes.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::uint8_t kProfileFormatVersion = 4;  // persisted

// Appends the byte form to `out`, the same for the same values. Requires what PageProfiler gives: paragraphs in order
// that do not overlap, in them sentences in order that do not either. O(paragraphs + sentences).
void encode_profile(const Profile& profile, std::string& out);

// Replaces `profile`. kUnsupported for another version, kCorruptData for bytes that are no profile; `profile` is then
// empty. The whole of `bytes` must be one profile, and what encode_profile makes of it.
Status decode_profile(std::string_view bytes, Profile& profile);

// Only text_hash and content_characters, which stand first: for passes that need no more. Paragraphs stay empty.
Status decode_profile_head(std::string_view bytes, Profile& profile);

}  // namespace paraprint
