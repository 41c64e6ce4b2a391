// What the author called a thing: class, id, role and itemprop values matched against word lists. Sites are built by
// people, and "sidebar", "article-body" or "pinglun" tell more than any count of words.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paraprint {

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
  kNameBody,  // the strong ones: article-body, entry-content, itemprop=articleBody
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
  kInNoscript,  // what a crawler or a reader without scripts gets: all of a Discourse thread, say
  kNameGroupCount,
};
using NameMask = std::uint64_t;

constexpr NameMask name_bit(NameGroup group) {
  return NameMask{1} << group;
}

// Words of names are hashed into so many buckets, each with a learnt weight, as those of texts are.
inline constexpr std::size_t kNameLexiconSize = std::size_t{1} << 14;

// The buckets of the words of a name, in order: for training.
void list_name_words(std::string_view name, std::vector<std::uint16_t>& buckets);

// Matches names; remembers the masks of names already seen, since a page repeats a few hundred of them. Not
// thread-safe: one for each thread. Answers do not depend on what was asked before.
class NameMatcher {
 public:
  NameMatcher();
  // The groups whose words stand in `name` (a class or id attribute value, any case, camelCase or separated).
  struct Answer {
    NameMask mask = 0;
    std::int32_t lexical = 0;      // sum of the learnt weights of the name's words
    std::uint32_t first_word = 0;  // hash of what stands before the first space: "item first" and "item" are alike
  };
  Answer match(std::string_view name);
  // The same without the memory, for tests and for the first look.
  static Answer match_uncached(std::string_view name);

 private:
  struct Entry {
    std::uint64_t hash = 0;
    Answer answer;
  };
  std::vector<Entry> cache_;
};

}  // namespace paraprint
