// The members of JSON objects that tell a profile, for who puts them into larger objects.
#pragma once

#include "paraprint/model.h"
#include "report/json_writer.h"

namespace paraprint {

// "text_hash", "content_characters", "paragraphs", "anchors" of the object that is open.
void write_profile_members(JsonWriter& json, const Profile& profile);

}  // namespace paraprint
