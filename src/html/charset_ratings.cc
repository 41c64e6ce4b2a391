// Ratings by hand-made character sets instead of a trained model: there are few candidates, the sets are small enough
// to be read, and docs/encodings.md measures the result on real pages.
#include "html/charset_ratings.h"

#include <array>
#include <bitset>
#include <string_view>

#include "html/charset_decode.h"

namespace paraprint::inline html {
namespace {

// The most common characters of each language, including those typical of web pages, compiled by hand and roughly in
// order of frequency. They cover about two thirds of running text.
constexpr std::string_view kSimplifiedCommon =
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种"
    "事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第"
    "公"
    "此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回"
    "特"
    "代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数"
    "安"
    "少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达"
    "光"
    "放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔版"
    "网"
    "址页站登录注册搜索键图片链接下载";
constexpr std::string_view kTraditionalCommon =
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種"
    "事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第"
    "公"
    "此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回"
    "特"
    "代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數"
    "安"
    "少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達"
    "光"
    "放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運筆版"
    "網"
    "址頁站登錄註冊搜尋鍵圖片連結下載";
constexpr std::string_view kJapaneseCommon =
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選"
    "立"
    "開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七"
    "成"
    "期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共"
    "得"
    "解名交資予川向際査勝面委告軍文反元重近千考判認画海参利組知案道信策集在件団別物側任引使求所次水半品論計官増係特情投"
    "示"
    "変打男基私各始直式確提終果広容必応演電歳住能無再位置格有過少放税料状工建語球空職証土止送供可役構木割身費付施切由説"
    "転"
    "食比難防補車優夫研収断何南石違神番規術展備算条号文字設定起動終了接続選択";
constexpr std::string_view kKoreanCommon =
    "이다는에의가을하고지로한사은자를기리어서인대도시나라수그정부일보아해전제있스과구주원만면으니게들장성상국여조경오우"
    "무소위"
    "비동신문민공내안까관당했실중회개유연분발방것용요음선세저외영년화미물합거와식적업물교생법건말결던되습됐등단계통운권"
    "양명모마"
    "심체차치진재최간감강반받복바또더데된때려력련령론료름르않야약역예올왔월임입작점질집참천청초출타트파판표프품학함향허"
    "현형호활"
    "후히";

using CommonSet = std::bitset<0x10000>;

CommonSet make_common_set(std::string_view utf8) {
  CommonSet set;
  for (std::size_t i = 0; i + 2 < utf8.size(); i += 3) {  // all characters above take three bytes
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(utf8[i + k]); };
    set.set(((byte(0) & 0x0FU) << 12) | ((byte(1) & 0x3FU) << 6) | (byte(2) & 0x3FU));
  }
  return set;
}

const CommonSet& common_set(RatedLanguage language) {
  static const std::array<CommonSet, 4> kSets = {make_common_set(kSimplifiedCommon),
                                                 make_common_set(kTraditionalCommon), make_common_set(kJapaneseCommon),
                                                 make_common_set(kKoreanCommon)};
  return kSets[static_cast<std::size_t>(language)];
}

bool between(std::uint32_t c, std::uint32_t first, std::uint32_t last) {
  return c >= first && c <= last;
}

// Set by hand. Negative values are larger, because an implausible character is stronger evidence than a plausible one.
constexpr double kCommon = 1.0;
constexpr double kPunctuation = 0.6;
constexpr double kOrdinary = 0.25;
constexpr double kUnusual = -0.3;
constexpr double kImplausible = -1.5;

bool is_cjk_punctuation(std::uint32_t c) {
  return between(c, 0x3001, 0x3011) || c == 0x3000 || c == 0xFF0C || c == 0xFF1A || c == 0xFF1B || c == 0xFF01 ||
         c == 0xFF1F || c == 0xFF08 || c == 0xFF09 || between(c, 0x2014, 0x2026) || c == 0x30FB || c == 0x30FC ||
         c == 0x00B7;
}

// ---- alphabets -----------------------------------------------------------------------------------------------------

enum class Script : std::uint8_t { kNone, kLatin, kGreek, kCyrillic, kHebrew, kArabic, kThai };

// Only the blocks that the single-byte charsets can produce.
Script script_of(std::uint32_t c) {
  if (between(c | 0x20, 'a', 'z')) return Script::kLatin;
  if (between(c, 0xC0, 0x17F) && c != 0xD7 && c != 0xF7) return Script::kLatin;
  if (between(c, 0x218, 0x21B)) return Script::kLatin;
  if (between(c, 0x386, 0x3CE) && c != 0x387) return Script::kGreek;
  if (between(c, 0x400, 0x4FF)) return Script::kCyrillic;
  if (between(c, 0x5D0, 0x5EA)) return Script::kHebrew;
  if (between(c, 0x621, 0x64A) || between(c, 0x679, 0x6D2)) return Script::kArabic;
  if (between(c, 0xE01, 0xE5B)) return Script::kThai;
  return Script::kNone;
}

// In Latin Extended-A capitals alternate with small letters, with changing parity.
bool is_upper(std::uint32_t c) {
  if (between(c, 'A', 'Z') || (between(c, 0xC0, 0xDE) && c != 0xD7)) return true;
  if (between(c, 0x100, 0x137) || between(c, 0x14A, 0x177)) return (c & 1U) == 0;
  if (between(c, 0x139, 0x148) || between(c, 0x179, 0x17E)) return (c & 1U) == 1;
  return between(c, 0x386, 0x3AB) || between(c, 0x400, 0x42F);
}

bool contains(std::u32string_view set, std::uint32_t c) {
  return set.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}

constexpr std::u32string_view kLatinLetters =
    U"áàâäãåæçéèêëíìîïñóòôöõøœúùûüßýÿÁÉÍÓÚÀÈÇÄÖÜÅØÑąćęłńśźżčďěňřšťůžőűăâîșțşţđğıİ";
constexpr std::u32string_view kCyrillicLetters = U"оеаинтсрвлкмдпуяыьгзбчйхжі";
constexpr std::u32string_view kGreekLetters = U"αοιετσνηυρπκλςμόίάέήύώδωγθ";
constexpr std::u32string_view kTypographic =
    U"\u2019\u2018\u201C\u201D\u201E\u2013\u2014\u2026\u2022\u00B7\u00A9\u00AE\u00AB\u00BB\u00A0\u00B0\u20AC\u2116"
    U"\u2122\u00A3";
// Occur next to words, but not before a small letter: there they are letters misread from another charset.
constexpr std::u32string_view kSymbols = U"\u00BD\u00BC\u00BE\u00B1\u00D7\u00A7\u00BF\u00A1\u00B2\u00B3";

}  // namespace

double rate_ideographic(RatedLanguage language, std::uint32_t c) {
  if (c >= 0x10000) return c < kInvalidSequence ? kImplausible : 0;
  if (common_set(language).test(c)) return kCommon;
  if (is_cjk_punctuation(c)) return kPunctuation;
  const bool is_han = between(c, 0x4E00, 0x9FFF);
  switch (language) {
    case RatedLanguage::kSimplifiedChinese:
    case RatedLanguage::kTraditionalChinese:
      if (is_han) return kOrdinary;
      break;
    case RatedLanguage::kJapanese:
      if (between(c, 0x3041, 0x3093)) return kCommon;
      if (between(c, 0x30A1, 0x30F6)) return 0.8;
      if (is_han) return kOrdinary;
      if (between(c, 0xFF61, 0xFF9F)) return kUnusual;  // half-width katakana: single bytes of Shift_JIS
      break;
    case RatedLanguage::kKorean:
      if (between(c, 0xAC00, 0xD7A3)) return kOrdinary;
      if (is_han) return 0;
      break;
  }
  if (between(c, 0xFF01, 0xFF5E) || between(c, 0x2190, 0x27BF)) return 0.2;  // full-width forms, arrows, shapes
  if (between(c, 0xE000, 0xF8FF) || c < 0xA0) return kImplausible;           // private use, controls
  return kUnusual;
}

double rate_alphabetic(std::uint32_t previous, std::uint32_t c, std::uint32_t next) {
  // C1 controls, which single-byte charsets decode to where they define nothing.
  if (c < 0xA0 || c == 0xFFFD) return kImplausible;
  if (contains(kTypographic, c)) return kPunctuation;
  if (contains(kSymbols, c)) return between(next, 'a', 'z') ? -0.7 : kPunctuation;
  const Script script = script_of(c);
  if (script == Script::kNone) return kUnusual;
  const Script before = script_of(previous);
  const Script after = script_of(next);
  // Words do not mix scripts.
  if ((before != Script::kNone && before != script) || (after != Script::kNone && after != script)) return -0.5;
  if (is_upper(c) && before == script && !is_upper(previous)) return -1.0;  // a capital within a word
  const bool alone = before != script && after != script;
  switch (script) {
    case Script::kLatin:
      // Latin words are mostly ASCII: three consecutive non-ASCII letters indicate another script.
      if (previous >= 0x80 && before == script && next >= 0x80 && after == script) return -0.5;
      if (!contains(kLatinLetters, c)) return kOrdinary / 2;
      return alone ? kOrdinary : 0.9;
    case Script::kCyrillic:
      if (is_upper(c)) return before == script ? 0.2 : 0.7;
      return contains(kCyrillicLetters, c) ? kCommon : kOrdinary;
    case Script::kGreek:
      if (is_upper(c)) return before == script ? 0.1 : 0.6;
      return contains(kGreekLetters, c) ? 0.95 : kOrdinary;
    default:
      return alone ? kUnusual : 0.6;
  }
}

}  // namespace paraprint::inline html
