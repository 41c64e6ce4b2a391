// Validation of the options that need nothing but their own rows. Those that name algorithms, criteria or models are
// validated where these are known: profile/profile_options.cc, engine/dedup_options.cc.
#include "options/option_table.h"

namespace paraprint {

Status MatchOptions::validate() const {
  return check_options(match_option_rows(), *this);
}

Status CandidateSearchOptions::validate() const {
  return check_options(candidate_option_rows(), *this);
}

}  // namespace paraprint
