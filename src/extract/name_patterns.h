// Matches the names that authors give to elements (class, id, role and itemprop values) against word lists. Names such
// as "sidebar", "article-body" or "pinglun" are stronger evidence than any count of words.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paraprint::inline extract {

// Groups of names and of element kinds. Each is one bit of a NameMask and one distance in PageElement.
enum NameGroup : std::uint8_t {
  kNameNavigation,
  kNameHeader,
  kNameFooter,
  kNameSidebar,
  kNameComment,
  kNameShare,
  kNameRelated,
  kNameAdvertisement,
  kNameMeta,
  kNameBreadcrumb,
  kNamePagination,
  kNameArticle,
  kNameContent,
  kNameTitle,
  kNameForm,
  kNameHidden,
  kNameItem,
  kNameForum,
  kNameMedia,
  kNameDocumentation,
  kNameSummary,
  kNameLegal,
  kNameAuthor,
  kNameTags,
  kNameBody,  // strong names of the main text: article-body, entry-content, itemprop=articleBody
  kNameMain,
  kNameProduct,
  kNameDate,
  // Element kinds
  kInArticle,
  kInMain,
  kInHeader,
  kInFooter,
  kInNav,
  kInAside,
  kInForm,
  kInFigure,
  kInTable,
  kInList,
  kInQuote,
  kInSection,
  kInLink,
  kPageHides,   // hidden by attribute or inline style
  kInNoscript,  // the version for crawlers and readers without scripts; in Discourse, the whole thread
  kNameGroupCount,
};
using NameMask = std::uint64_t;

constexpr NameMask name_bit(NameGroup group) {
  return NameMask{1} << group;
}

// Number of buckets into which words of names are hashed. Each has a learned weight, as words of text do.
inline constexpr std::size_t kNameLexiconSize = std::size_t{1} << 14;

// Appends the buckets of the words of a name, in order. Used for training.
void list_name_words(std::string_view name, std::vector<std::uint16_t>& buckets);

// Matches names and caches the answers, since a page repeats a few hundred names. Answers do not depend on earlier
// calls. Not thread-safe: use one per thread.
class NameMatcher {
 public:
  NameMatcher();
  // The answer for `name`, an attribute value in any case, with words separated or in camelCase.
  struct NameMatch {
    NameMask mask = 0;             // groups with a word in the name
    std::int32_t lexical = 0;      // sum of the learned weights of the name's words
    std::uint32_t first_word = 0;  // hash of the text before the first space: equal for "item first" and "item"
  };
  NameMatch match(std::string_view name);
  // The same without the cache, also used on cache misses.
  static NameMatch match_uncached(std::string_view name);

 private:
  struct CachedMatch {
    std::uint64_t hash = 0;
    NameMatch answer;
  };
  std::vector<CachedMatch> cache_;
};

}  // namespace paraprint::inline extract
