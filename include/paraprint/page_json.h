// Pages as JSON objects on one line, without the line end: what `paraprint extract` and `paraprint profile` print.
// docs/cli.md describes the fields.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/engine.h"

namespace paraprint {

// The extracted text without line ends behind it; lives as long as `page`.
std::string_view text_of(const StreamedPage& page);

// Id, URL, title and text_of() the page.
std::string content_json(const StreamedPage& page);

// Its fingerprints; `with_bytes` also encoded_profile().
std::string profile_json(const StreamedPage& page, std::string_view settings_identity, bool with_bytes);

// The byte form of a profile (docs/formats/profile.md) in base 64: what the service takes instead of a page.
std::string encoded_profile(const Profile& profile);

}  // namespace paraprint
