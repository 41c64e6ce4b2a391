// The synonyms that profile options name, made once a process and shared by all its threads.
#pragma once

#include <memory>
#include <string>

#include "paraprint/options.h"
#include "paraprint/result.h"
#include "text/synonym_table.h"
#include "vectors/dense_paragraphs.h"

namespace paraprint {

struct Synonyms {
  SynonymTable table;
  std::unique_ptr<const DenseFingerprinter> dense;  // mode "dense": what makes fingerprints of paragraphs; else null
  std::string identity;  // mode, lists and model by their content: a part of settings_identity()
};

// Null where synonyms are off. Thread-safe; the second call with the same options and files is cheap while the result
// of the first lives. Errors: those of reading the lists (with file and line) and the model.
Result<std::shared_ptr<const Synonyms>> load_synonyms(const ProfileOptions& options);

// The synonyms by which evidence is marked: those of load_synonyms(), and where synonyms are off those of the bundled
// list. What is compared does not depend on them.
Result<std::shared_ptr<const Synonyms>> load_shown_synonyms(const ProfileOptions& options);

}  // namespace paraprint
