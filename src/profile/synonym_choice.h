// The synonyms that profile options name, made once per process and shared by all its threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/semantics.h"
#include "text/synonym_table.h"

namespace paraprint::inline profile {

struct Synonyms {
  SynonymTable table;
  std::unique_ptr<const MeaningFingerprinter> dense;  // mode "dense": fingerprints the paragraphs; else null
  std::string identity;  // mode, lists and models by their content: part of settings_identity()
};

// Null if synonyms are off. Thread-safe; a second call with the same options and files is cheap while the result of the
// first is in use. Errors: those of reading the lists (with file and line) and the models, and of semantics_for().
Result<std::shared_ptr<const Synonyms>> load_synonyms(const ProfileOptions& options);

// The synonyms that mark evidence: those of load_synonyms(), or those of the bundled list if synonyms are off. The
// comparison does not depend on them.
Result<std::shared_ptr<const Synonyms>> load_shown_synonyms(const ProfileOptions& options);

// Whether the option word_vectors asks for hashed words, "hashed" or "hashed:N", and names no file. N is not looked at.
bool names_hashed_words(std::string_view word_vectors);

}  // namespace paraprint::inline profile
