#include "engine/synonyms.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "base/file_stamp.h"
#include "base/fingerprint_text.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "text/synonym_list.h"
#include "vectors/synonym_classes.h"
#include "vectors/word_vectors.h"

namespace paraprint {
namespace {

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
      if (Status added = loaded.lists.add(bundled_synonym_text(), name); !added) {
        return tl::unexpected<Error>(added.error());
      }
      digests += fmt::format("{:016x} ", hash64(bundled_synonym_text()));
      continue;
    }
    Result<MappedFile> file = MappedFile::open(name);
    if (!file) return tl::unexpected<Error>(file.error());
    if (Status added = loaded.lists.add(file->bytes(), name); !added) return tl::unexpected<Error>(added.error());
    digests += fmt::format("{:016x} ", hash64(file->bytes()));
  }
  loaded.identity = fmt::format("{:016x}", hash64(digests));
  return loaded;
}

Result<std::shared_ptr<const Reduction>> open_reduction(const ProfileOptions& options, const WordVectors& vectors) {
  Result<std::shared_ptr<const Reduction>> reduction = Reduction::open(options.reduction);
  if (!reduction) return reduction;
  const ReductionFacts& facts = (*reduction)->facts();
  if (facts.vectors != vectors.version() || facts.dimension != vectors.facts().dimension) {
    return failure(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: was made with a model of version {}, and {} has version {}; `paraprint vectors "
                    "reduce` makes one for it",
                    options.reduction, hex_of(facts.vectors), options.word_vectors, hex_of(vectors.version())));
  }
  return reduction;
}

Result<std::shared_ptr<const Synonyms>> make_synonyms(const ProfileOptions& options) {
  Result<LoadedLists> lists = load_lists(options.synonym_lists);
  if (!lists) return tl::unexpected<Error>(lists.error());
  SynonymContent content;
  std::string identity = fmt::format("{}/{}", options.synonyms, lists->identity);
  std::unique_ptr<const DenseFingerprinter> dense;
  if (options.synonyms == "list") {
    content.classes = lists->lists.classes;
  } else {
    Result<std::shared_ptr<const WordVectors>> vectors = WordVectors::open(options.word_vectors);
    if (!vectors) return tl::unexpected<Error>(vectors.error());
    identity += "/" + hex_of((*vectors)->version());
    const SynonymRules rules;
    const bool is_map = options.synonyms == "map";
    content.classes = is_map ? merge_neighbours(**vectors, lists->lists, rules) : lists->lists.classes;
    if (options.synonyms == "soft") content.soft = soft_neighbours(**vectors, lists->lists, rules);
    if (options.synonyms == "dense") {
      Result<std::shared_ptr<const Reduction>> reduction = open_reduction(options, **vectors);
      if (!reduction) return tl::unexpected<Error>(reduction.error());
      identity += "/" + hex_of((*reduction)->version());
      DenseParagraphs paragraphs(std::move(*vectors), options.word_hash == "blake2b");
      dense = std::make_unique<const DenseFingerprinter>(std::move(paragraphs), std::move(*reduction));
    }
  }
  return std::make_shared<const Synonyms>(Synonyms{SynonymTable(content), std::move(dense), std::move(identity)});
}

}  // namespace

Result<std::shared_ptr<const Synonyms>> load_synonyms(const ProfileOptions& options) {
  if (options.synonyms == "off") return std::shared_ptr<const Synonyms>();
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const Synonyms>> loaded;
  std::string key = fmt::format("{}\n{}", options.synonyms, options.word_hash);
  for (const std::string& name : options.synonym_lists) key += fmt::format("\n{} {}", name, file_stamp(name));
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
  if (options.synonyms != "off") return load_synonyms(options);
  ProfileOptions bundled;
  bundled.synonyms = "list";
  return load_synonyms(bundled);
}

}  // namespace paraprint
