// Formats answers of the index as one-line JSON objects without a trailing newline, as printed by `paraprint index` and
// sent by the service. docs/cli.md and docs/service.md describe the fields; published fields are never removed.
#pragma once

#include <string>
#include <string_view>

#include "paraprint/index.h"

namespace paraprint {

std::string lookup_json(const IndexPageInput& page, const LookupAnswer& answer);
std::string added_json(const IndexPageInput& page, const AddAnswer& answer);
// `profile` may be null.
std::string stored_page_json(const IndexedPage& page, const Profile* profile);
std::string statistics_json(const IndexStatistics& statistics);
std::string verification_json(const IndexVerification& verification);
std::string deletion_json(std::string_view id, bool was_there);

// "new", "same", "near", "contained", "contains", "overlap": a verdict against all known pages.
std::string_view index_verdict_name(Verdict verdict);

}  // namespace paraprint
