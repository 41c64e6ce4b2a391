// All word lists are matched at once by an Aho-Corasick automaton; splitting a name into learned words is a second
// pass. Results are cached by name, because the names of a page, and of all pages of a site, repeat.
//
// The lists are part of the trained model: adding a word requires training again (tools/extraction). Chinese names are
// given in pinyin, as they occur in class names.
#include "extract/name_patterns.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string>
#include <string_view>

#include "base/hash.h"
#include "extract/word_automaton.h"
#include "memory/seeded_hash.h"

namespace paraprint::inline extract {
namespace {

using Pattern = WordAutomaton::Pattern;

// A name is matched as "-" + lower-case words joined by "-" + "-". A list word without "-" matches anywhere; with "-"
// it matches only at a word border there.
struct WordList {
  NameGroup group;
  std::string_view words;  // separated by spaces
};

constexpr WordList kNameWords[] = {
    {kNameNavigation, "nav menu toolbar -tabs- -tab- -daohang- -dh- -channel sitemap skip-link drawer"},
    {kNameHeader, "header masthead banner logo -top- topbar -hd- -head-"},
    {kNameFooter, "foot -bottom- colophon copyright -ft- -copy- -links- friendlink"},
    {kNameSidebar,
     "sidebar -side- aside rail -right- -left- widget -rcol -lcol leftcol rightcol column-right"
     " col-right secondary complementary -r-side sidenav"},
    {kNameComment, "comment disqus -reply- replies respond discuss pinglun -cmt feedback liuyan review"},
    {kNameShare,
     "share sharing social facebook twitter bdshare bshare jiathis weibo weixin wechat qrcode follow addthis"
     " sns -like- -likes- -tools- email print"},
    {kNameRelated,
     "related relate recommend -more- popular -hot- trending -also- recent readnext read-next"
     " xiangguan tuijian -rel- xgyd -similar most-read mostread -latest -next-up teaser -ranking -rank-"
     " -top-stories -outbrain taboola suggest"},
    {kNameAdvertisement,
     "-ad- -ads- advert sponsor adsense guanggao -gg- -dfp -adv- -adbox adslot -adx- promo outbrain"
     " taboola -banner- -adv -google affiliate"},
    {kNameMeta,
     "byline -date- dateline -time- -meta- meta -info- publish -source- posted timestamp -views- -stat"
     " -laiyuan- -pub- update -artinfo- -from- dateline credit"},
    {kNameBreadcrumb, "breadcrumb crumb -location- -path- weizhi -position- -pos- -place- -crumbs- mianbao"},
    {kNamePagination,
     "pagination pager paging -page-nav -pages- -prev- -previous- -next- -fenye- -pagenav-"
     " post-navigation nextprev prevnext"},
    {kNameArticle, "article -story -news- -artical- -blog- -art- hentry blogpost"},
    {kNameContent,
     "content -text- -body- -entry- -post- -txt- neirong zhengwen -detail prose markdown rich-text richtext"
     " -copy- -container-inner bodytext -cont- wysiwyg -editor -main-text -paragraph -con- -zoom-"},
    {kNameTitle, "title headline heading -subject- -biaoti- -hl-"},
    {kNameForm,
     "login signup sign-up register subscri newsletter search form popup modal overlay cookie consent gdpr"
     " dialog -field -input -btn button -cta- paywall"},
    {kNameHidden,
     "hidden -hide- -none- sr-only visually visuallyhidden screen-reader noprint invisible offscreen"
     " print-only -collapse- display-none"},
    {kNameItem, "-item -list card grid result tile -row- thumb carousel slider slide"},
    {kNameForum, "thread -topic- -topics- message postbody forum -posts- -quote- postmessage -floor- postcontent bbs"},
    {kNameMedia, "caption photo gallery video -image- -img- slideshow -pic- -figure- media player audio"},
    {kNameDocumentation, "-toc- table-of-contents -docs- -doc- code highlight wiki -reference -api- syntax anchor"},
    {kNameSummary,
     "summary excerpt -lead- -intro- description abstract -dek- standfirst -daodu- subtitle deck"
     " zhaiyao -subhead kicker"},
    {kNameLegal, "disclaim -terms- legal -statement- shengming privacy -policy- license -notice-"},
    {kNameAuthor, "author -bio- profile -user- signature avatar -poster- -member- contributor writer editor"},
    {kNameTags, "-tag- -tags- categor keyword -label -labels- taxonomy"},
    {kNameBody,
     "article-body articlebody post-content entry-content article-content articlecontent story-body"
     " storybody post-body postbody content-body article-text articletext storycontent story-content"
     " main-content maincontent content-main post-entry blog-content news-content newscontent artibody"
     " content-article contenttext article-con entry-body -endtext- content-text js-article page-content"
     " text-content textcontent postarticle theme-doc-markdown markdown-body td-content artical-content"},
    {kNameMain, "-main- -main primary -zhuti- -center- -middle- -wrapper-main"},
    {kNameProduct, "product price -cart- -shop -sku- -spec -buy- rating -stock feature"},
};

// Learned weights of the words of names, by bucket.
constexpr std::int8_t kNameLexicon[kNameLexiconSize] = {
#include "extract/tables/name_lexicon.inc"
};

constexpr std::size_t kCacheEntries = 2048;  // 48 KiB: enough for the names of one site

// Patterns refer to strings in `storage`, so they are assigned only once it no longer grows.
template <std::size_t Count>
std::vector<Pattern> split_patterns(const WordList (&lists)[Count], std::vector<std::string>& storage) {
  std::vector<Pattern> patterns;
  for (const WordList& list : lists) {
    for (std::size_t begin = 0; begin < list.words.size();) {
      std::size_t end = list.words.find(' ', begin);
      if (end == std::string_view::npos) end = list.words.size();
      if (end > begin) {
        storage.emplace_back(list.words.substr(begin, end - begin));
        patterns.push_back({{}, name_bit(list.group)});
      }
      begin = end + 1;
    }
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i].word = storage[i];
  return patterns;
}

// Built on first use; initialisation of a local static is thread-safe.
const WordAutomaton& name_automaton() {
  static const WordAutomaton automaton = [] {
    std::vector<std::string> storage;
    return WordAutomaton(split_patterns(kNameWords, storage));
  }();
  return automaton;
}

// The cache identifies names by this hash alone: at 64 bits, collisions are negligible. Seeded, so that no page can
// make one, which would change the answers for the pages after it. 0 marks an empty entry.
std::uint64_t hash_name(std::string_view name) {
  return XXH3_64bits_withSeed(name.data(), name.size(), process_hash_seed().low) | 1;
}

// Calls `sink` with the bucket of each word of a name. Words are runs of letters in lower case, split before a capital
// that follows a small letter. Digits are ignored: "item-17" is "item".
// Bytes of non-ASCII characters count as letters.
template <class Sink>
void split_words(std::string_view name, Sink&& sink) {
  constexpr std::uint64_t kSeed = 0x2545F4914F6CDD1DULL;
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;
  static_assert(kNameLexiconSize == std::size_t{1} << 14);  // the bucket is the upper 14 bits of the hash
  std::uint64_t word = kSeed;
  bool after_lower = false;
  const auto end_word = [&] {
    if (word != kSeed) sink(static_cast<std::uint16_t>(word >> 50));
    word = kSeed;
  };
  for (const char character : name) {
    auto byte = static_cast<unsigned char>(character);
    const bool upper = byte >= 'A' && byte <= 'Z';
    if (upper) byte |= 0x20U;
    const bool letter = (byte >= 'a' && byte <= 'z') || byte >= 0x80;
    if (!letter || (upper && after_lower)) end_word();
    if (letter) word = (word ^ byte) * kMultiplier;
    after_lower = letter && !upper;
  }
  end_word();
}

}  // namespace

NameMatcher::NameMatcher() : cache_(kCacheEntries) {}

NameMatcher::NameMatch NameMatcher::match(std::string_view name) {
  if (name.empty()) return {};
  const std::uint64_t hash = hash_name(name);
  // Direct-mapped: a colliding name replaces the entry.
  CachedMatch& entry = cache_[(hash >> 20) % kCacheEntries];
  if (entry.hash != hash) entry = {hash, match_uncached(name)};
  return entry.answer;
}

NameMatcher::NameMatch NameMatcher::match_uncached(std::string_view name) {
  const std::size_t first_begin = name.find_first_not_of(' ');
  NameMatch answer{name_automaton().match_words(name, true), 0, 0};
  if (first_begin != std::string_view::npos) {
    // Not seeded: which names it takes for one decides what is content, and must not change from run to run. A page may
    // choose two such names, but gains no more than by using one of them twice.
    answer.first_word =
        static_cast<std::uint32_t>(hash64(name.substr(first_begin, name.find(' ', first_begin) - first_begin)));
  }
  split_words(name, [&](std::uint16_t bucket) { answer.lexical += kNameLexicon[bucket]; });
  return answer;
}

void list_name_words(std::string_view name, std::vector<std::uint16_t>& buckets) {
  split_words(name, [&](std::uint16_t bucket) { buckets.push_back(bucket); });
}

}  // namespace paraprint::inline extract
