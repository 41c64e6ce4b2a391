// The core makes synonyms from lists alone; modes that need word vectors ask src/semantics. What was loaded stays known
// by weak pointers, so that every thread of a process shares one table and the last user frees it; the key has the
// stamp of each file, so that a list or model that changed on disk is read again.
#include "profile/synonym_choice.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "base/file_stamp.h"
#include "base/fingerprint_text.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "memory/mapped_file.h"
#include "options/option_table.h"
#include "text/synonym_list.h"

namespace paraprint::inline profile {
namespace {

constexpr std::string_view kHashedWords = "hashed";

constexpr std::string_view kBundled = "bundled";

struct LoadedLists {
  SynonymLists lists;
  std::string identity;
};

Result<LoadedLists> load_lists(const std::vector<std::string>& names) {
  LoadedLists loaded;
  std::string digests;
  for (const std::string& name : names) {
    if (name == kBundled) {
      PARAPRINT_TRY(loaded.lists.add(bundled_synonym_text(), name));
      digests += fmt::format("{:016x} ", hash64(bundled_synonym_text()));
      continue;
    }
    PARAPRINT_ASSIGN(MappedFile file, MappedFile::open(name));
    PARAPRINT_TRY(loaded.lists.add(file.bytes(), name));
    digests += fmt::format("{:016x} ", hash64(file.bytes()));
  }
  loaded.identity = fmt::format("{:016x}", hash64(digests));
  return loaded;
}

Result<std::shared_ptr<const Synonyms>> make_synonyms(const ProfileOptions& options) {
  PARAPRINT_ASSIGN(LoadedLists lists, load_lists(options.synonym_list));
  std::string identity = fmt::format("{}/{}", option_text(profile_option_rows(), "synonyms", options), lists.identity);
  if (options.synonyms == SynonymMode::kList) {
    SynonymContent content;
    content.classes = std::move(lists.lists.classes);
    return std::make_shared<const Synonyms>(Synonyms{SynonymTable(content), nullptr, std::move(identity)});
  }
  PARAPRINT_ASSIGN(
      const Semantics* const semantics,
      semantics_for(fmt::format("synonyms '{}'", option_text(profile_option_rows(), "synonyms", options))));
  PARAPRINT_ASSIGN(VectorSynonyms made, semantics->make_vector_synonyms(options, lists.lists));
  return std::make_shared<const Synonyms>(
      Synonyms{SynonymTable(made.content), std::move(made.dense), identity + made.identity});
}

}  // namespace

Result<std::shared_ptr<const Synonyms>> load_synonyms(const ProfileOptions& options) {
  if (options.synonyms == SynonymMode::kOff) return std::shared_ptr<const Synonyms>();
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const Synonyms>> loaded;
  std::string key = fmt::format("{} {}", static_cast<int>(options.synonyms), static_cast<int>(options.word_hash));
  for (const std::string& name : options.synonym_list) key += fmt::format("\n{} {}", name, file_stamp(name));
  for (const std::string& name : {options.word_vectors, options.reduction}) {
    key += fmt::format("\n{} {}", name, file_stamp(name));
  }
  const std::lock_guard lock(mutex);
  if (std::shared_ptr<const Synonyms> known = loaded[key].lock()) return known;
  Result<std::shared_ptr<const Synonyms>> made = make_synonyms(options);
  std::erase_if(loaded, [](const auto& entry) { return entry.second.expired(); });
  if (made) loaded[key] = *made;
  return made;
}

Result<std::shared_ptr<const Synonyms>> load_shown_synonyms(const ProfileOptions& options) {
  if (options.synonyms != SynonymMode::kOff) return load_synonyms(options);
  ProfileOptions bundled;
  bundled.synonyms = SynonymMode::kList;
  return load_synonyms(bundled);
}

bool names_hashed_words(std::string_view word_vectors) {
  return word_vectors == kHashedWords ||
         (word_vectors.starts_with(kHashedWords) && word_vectors.substr(kHashedWords.size()).starts_with(':'));
}

}  // namespace paraprint::inline profile
