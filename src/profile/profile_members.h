// A profile as the value of JSON: its members in an enclosing object, or its bytes as text.
#pragma once

#include <string>

#include "paraprint/model.h"
#include "report/json_writer.h"

namespace paraprint {

// Adds "text_hash", "content_characters", "paragraphs" and "anchors" to the open object.
void write_profile_members(JsonWriter& json, const Profile& profile);

// The bytes of encode_profile() in base64, which the service accepts instead of a page.
std::string encoded_profile(const Profile& profile);

}  // namespace paraprint
