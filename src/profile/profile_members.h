// Pages and profiles as values of JSON: their members in an enclosing object, or the profile's bytes as text.
#pragma once

#include <string>

#include "paraprint/model.h"
#include "report/json_writer.h"

namespace paraprint::inline profile {

// Adds "id", "url" and "title", each unless it is empty, and "text" to the open object. The body is not used.
void write_content_members(JsonWriter& json, const Page& page, const MainContent& content);

// Adds "text_hash", "content_characters", "paragraphs" and "anchors" to the open object.
void write_profile_members(JsonWriter& json, const Profile& profile);

// The bytes of encode_profile() in base64, which the service accepts instead of a page.
std::string encoded_profile(const Profile& profile);

}  // namespace paraprint::inline profile
