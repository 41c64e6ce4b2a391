// The byte form of a Profile: version 1, byte by byte in docs/formats/profile.md. Used by the work log of a run and by
// everything that stores or sends profiles. Reading is safe on any bytes.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/model.h"
#include "paraprint/result.h"

namespace paraprint {

inline constexpr std::uint8_t kProfileFormatVersion = 3;  // persisted

// Appends the byte form to `out`. Requires what PageProfiler gives: sentences in order of their paragraphs, spans that
// rise. O(paragraphs + sentences).
void encode_profile(const Profile& profile, std::string& out);

// Replaces `profile`. kUnsupported for another version, kCorruptData for bytes that are no profile; `profile` is then
// empty. The whole of `bytes` must be one profile.
Status decode_profile(std::string_view bytes, Profile& profile);

// Only text_hash and content_characters, which stand first: for passes that need no more. Paragraphs stay empty.
Status decode_profile_head(std::string_view bytes, Profile& profile);

}  // namespace paraprint
