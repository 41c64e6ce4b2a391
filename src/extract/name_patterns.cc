#include "extract/name_patterns.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "extract/word_automaton.h"

namespace paraprint {
namespace {

using Pattern = WordAutomaton::Pattern;

// A name is read as "-" + lower-case words joined by "-" + "-". A word of a list without "-" matches anywhere.
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

constexpr WordList kTextWords[] = {
    {kNameFooter,
     "copyright © all\\rights\\reserved 版权所有 版權所有 icp备 icp證 icp证 备案 rights\\reserved powered\\by"},
    {kNameComment,
     "-comment 评论 評論 留言 回复 回覆 网友 跟帖 комментар σχόλι komentarz -repl kommentar commentaire"
     " 发表 發表 -responses-"},
    {kNameShare,
     "-share -tweet facebook twitter 分享 收藏 微博 微信 -email- -print- 打印 列印 转发 轉寄 google+ 推荐给"
     " -follow\\us 关注 поделиться wyślij drukuj 字号 字體 扫描 二维码"},
    {kNameRelated,
     "-related 相关 相關 推荐 推薦 延伸阅读 延伸閱讀 -read\\more -see\\also -more\\ 更多 热门 熱門 -popular"
     " -latest -recommended -you\\may -trending -also\\on 排行 上一篇 下一篇 похожие czytaj\\także"
     " zobacz 猜你喜欢 精彩 читайте διαβάστε 热点 -recent -most\\read lire\\aussi"},
    {kNameAdvertisement, "advertis sponsored 广告 廣告 -promoted реклам reklama"},
    {kNameMeta,
     "-posted -published -updated -written\\by -by\\ 来源 來源 作者 记者 記者 编辑 編輯 发布 發布 发布时间 时间"
     " 時間 日期 阅读 浏览 點閱 人气 -views- -ago- -pm- -am- -edt- -gmt- 责编 -min\\read -last\\modified"},
    {kNameBreadcrumb, "-home- 首页 首頁 当前位置 您的位置 您现在的位置 所在位置 главная » › 位置："},
    {kNamePagination, "-next- -previous- -prev- 下一页 上一页 下一頁 -page\\ 尾页 上一章 下一章 next\\post"},
    {kNameForm,
     "-log\\in -login -sign\\in -sign\\up -register -subscribe -password 登录 登入 注册 註冊 -newsletter -search-"
     " 搜索 搜尋 -cookie -your\\email -submit -cart- -javascript 订阅 -download -click\\here"},
    {kNameLegal,
     "disclaimer 声明 聲明 免责 privacy -terms -policy 本网站 本站 转载 轉載 未经授权 违法 举报 侵权 -reproduc"
     " -all\\material -may\\not\\be"},
    {kNameDate,
     "-january- -february- -march- -april- -may- -june- -july- -august- -september- -october- -november-"
     " -december- -jan- -feb- -mar- -apr- -jun- -jul- -aug- -sep- -sept- -oct- -nov- -dec- 年 月 小时前 分钟前 天前"
     " января февраля марта апреля мая июня июля августа сентября октября ноября декабря -monday- -tuesday-"
     " -wednesday- -thursday- -friday- -saturday- -sunday- stycznia lutego marca kwietnia maja czerwca lipca"
     " sierpnia września października listopada grudnia ιανουαρ φεβρουαρ μαρτ απριλ ιουν ιουλ αυγουστ σεπτεμβρ"
     " οκτωβρ νοεμβρ δεκεμβρ -januar- -juni- -juli- -mai- -enero- -août-"},
    {kNameTags, "-tags -tagged -filed\\under -categor 标签 標籤 关键词 關鍵字 теги tagi"},
    {kNameAuthor,
     "-about\\the\\author -author -contact 联系 聯絡 关于我们 -is\\a\\  -photo 图片 圖片 图为 摄 reuters getty"},
};

// Learnt weights of the words of names, by bucket.
constexpr std::int8_t kNameLexicon[kNameLexiconSize] = {
#include "extract/name_lexicon.inc"
};

constexpr std::size_t kCacheEntries = 4096;  // 64 KiB: pages of one site keep their names in it
constexpr std::size_t kShortTextBytes = 96;  // tell-tale words open a block

// Splits the lists into patterns. A backslash in a list stands for a space within a pattern, which texts and names both
// read as a border.
template <std::size_t Count>
std::vector<Pattern> split_patterns(const WordList (&lists)[Count], std::vector<std::string>& storage) {
  std::vector<Pattern> patterns;
  for (const WordList& list : lists) {
    for (std::size_t begin = 0; begin < list.words.size();) {
      std::size_t end = list.words.find(' ', begin);
      if (end == std::string_view::npos) end = list.words.size();
      if (end > begin) {
        storage.emplace_back(list.words.substr(begin, end - begin));
        std::replace(storage.back().begin(), storage.back().end(), '\\', '-');
        patterns.push_back({{}, name_bit(list.group)});
      }
      begin = end + 1;
    }
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i].word = storage[i];
  return patterns;
}

const WordAutomaton& name_automaton() {
  static const WordAutomaton automaton = [] {
    std::vector<std::string> storage;
    return WordAutomaton(split_patterns(kNameWords, storage));
  }();
  return automaton;
}

const WordAutomaton& text_automaton() {
  static const WordAutomaton automaton = [] {
    std::vector<std::string> storage;
    return WordAutomaton(split_patterns(kTextWords, storage));
  }();
  return automaton;
}

// The memories tell keys apart by this alone. 0 marks an empty entry.
std::uint64_t hash_name(std::string_view name) {
  return XXH3_64bits(name.data(), name.size()) | 1;
}

// Calls `sink` with the bucket of each word of a name: runs of letters, in lower case, split at capitals after small
// letters. Digits belong to no word: "item-17" is "item".
template <class Sink>
void split_words(std::string_view name, Sink&& sink) {
  constexpr std::uint64_t kSeed = 0x2545F4914F6CDD1DULL;
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;
  static_assert(kNameLexiconSize == std::size_t{1} << 14);
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

NameMatcher::Answer NameMatcher::match(std::string_view name) {
  if (name.empty()) return {};
  const std::uint64_t hash = hash_name(name);
  Entry& entry = cache_[(hash >> 20) % kCacheEntries];
  if (entry.hash != hash) entry = {hash, match_uncached(name)};
  return entry.answer;
}

NameMatcher::Answer NameMatcher::match_uncached(std::string_view name) {
  Answer answer{name_automaton().match_words(name, true), 0};
  split_words(name, [&](std::uint16_t bucket) { answer.lexical += kNameLexicon[bucket]; });
  return answer;
}

void list_name_words(std::string_view name, std::vector<std::uint16_t>& buckets) {
  split_words(name, [&](std::uint16_t bucket) { buckets.push_back(bucket); });
}

NameMask match_short_text(std::string_view text) {
  return text_automaton().match_words(text.substr(0, kShortTextBytes), false);
}

ShortTextMatcher::ShortTextMatcher() : cache_(kCacheEntries) {}

NameMask ShortTextMatcher::match(std::string_view text) {
  text = text.substr(0, kShortTextBytes);
  const std::uint64_t hash = hash_name(text);
  Entry& entry = cache_[(hash >> 20) % kCacheEntries];
  if (entry.hash != hash) entry = {hash, match_short_text(text)};
  return entry.mask;
}

}  // namespace paraprint
