// Writes a profile's JSON members into an enclosing object.
#pragma once

#include "paraprint/model.h"
#include "report/json_writer.h"

namespace paraprint {

// Adds "text_hash", "content_characters", "paragraphs" and "anchors" to the open object.
void write_profile_members(JsonWriter& json, const Profile& profile);

}  // namespace paraprint
