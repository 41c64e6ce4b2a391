// Formats pages as one-line JSON objects without a trailing newline, as printed by `paraprint extract` and
// `paraprint profile`. docs/cli.md describes the fields.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/engine.h"

namespace paraprint {

// The extracted text without trailing newlines; valid as long as `page`.
std::string_view text_of(const StreamedPage& page);

// Id, URL, title and text_of() of the page.
std::string content_json(const StreamedPage& page);

// The page's fingerprints; if `with_bytes`, also its encoded_profile().
std::string profile_json(const StreamedPage& page, std::string_view settings_identity, bool with_bytes);

// A serialised profile (docs/formats/profile.md) in base64, which the service accepts instead of a page.
std::string encoded_profile(const Profile& profile);

}  // namespace paraprint
