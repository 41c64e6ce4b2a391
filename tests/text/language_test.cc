// Samples are sentences of our own, one per language and script.
#include "text/language.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "text/utf8.h"

namespace paraprint {
namespace {

std::string code_of(std::string_view tag) {
  const std::optional<LanguageCode> code = LanguageCode::of_tag(tag);
  return code ? code->text() : "none";
}

TEST(LanguageCode, IsThePrimarySubtagOfALanguageTag) {
  EXPECT_EQ(code_of("en"), "en");
  EXPECT_EQ(code_of("EN-gb"), "en");
  EXPECT_EQ(code_of("pt_BR.UTF-8"), "pt");
  EXPECT_EQ(code_of("zh-Hant-TW"), "zh");
  EXPECT_EQ(code_of("yue"), "yue");
  EXPECT_EQ(code_of("und"), "und");
  EXPECT_EQ(code_of("iw"), "he");
  for (const std::string_view wrong : {"", "e", "engl", "english", "e1", "-en", "zé", "中文"}) {
    EXPECT_EQ(code_of(wrong), "none") << wrong;
  }
}

TEST(LanguageCode, IsOrderedByItsLetters) {
  EXPECT_LT(LanguageCode(), LanguageCode::of_tag("aa"));
  EXPECT_LT(LanguageCode::of_tag("en"), LanguageCode::of_tag("eng"));
  EXPECT_LT(LanguageCode::of_tag("eng"), LanguageCode::of_tag("eo"));
}

RC_GTEST_PROP(LanguageCode, NumbersAreThoseOfCodesOrOfNone, (std::uint16_t number)) {
  const std::optional<LanguageCode> code = LanguageCode::of_number(number);
  if (!code) return;
  RC_ASSERT(code->number() == number);
  RC_ASSERT(LanguageCode::of_tag(code->text()) == code);
}

TEST(LanguageCode, StoredNumbersDoNotChange) {
  EXPECT_EQ(LanguageCode::of_tag("und")->number(), 0);
  EXPECT_EQ(LanguageCode::of_tag("en")->number(), 5 << 10 | 14 << 5);
  EXPECT_EQ(LanguageCode::of_tag("yue")->number(), 25 << 10 | 21 << 5 | 5);
  EXPECT_EQ(LanguageCode::of_number(0), LanguageCode());
  EXPECT_FALSE(LanguageCode::of_number(1 << 15).has_value());
  EXPECT_FALSE(LanguageCode::of_number(1 << 10).has_value());            // one letter
  EXPECT_FALSE(LanguageCode::of_number(27 << 10 | 1 << 5).has_value());  // not a letter
}

TEST(IdentifyLanguage, TellsLanguagesApart) {
  const std::pair<std::string_view, std::string_view> samples[] = {
      {"en", "The harbour froze twice last winter, and the ferries stayed where they were until the thaw."},
      {"de", "Der Hafen ist im letzten Winter zweimal zugefroren, und die Fähren blieben bis zum Tauwetter liegen."},
      {"fr", "Le port a gelé deux fois l'hiver dernier, et les bacs sont restés à quai jusqu'au dégel."},
      {"es", "El puerto se heló dos veces el invierno pasado y los transbordadores no salieron hasta el deshielo."},
      {"ru", "Прошлой зимой гавань замерзала дважды, и паромы стояли у причала до самой оттепели."},
      {"uk", "Минулої зими гавань замерзала двічі, і пороми стояли біля причалу аж до відлиги."},
      {"zh", "去年冬天港口结冰两次，渡轮一直停在码头，直到冰雪融化以后才重新开航。"},
      {"zh", "去年冬天港口結冰兩次，渡輪一直停在碼頭，直到冰雪融化以後才重新開航。"},
      {"ja", "昨年の冬、港は二度も凍り、氷が解けるまで連絡船は桟橋に泊まったままだった。"},
      {"ko", "지난겨울 항구가 두 번이나 얼어붙어 얼음이 녹을 때까지 연락선은 부두에 머물러 있었다."},
      {"el", "Το λιμάνι πάγωσε δύο φορές τον περασμένο χειμώνα και τα πλοία έμειναν δεμένα."},
      {"he", "הנמל קפא פעמיים בחורף שעבר, והמעבורות נשארו ברציף עד שהקרח נמס."},
      {"th", "ฤดูหนาวปีที่แล้วท่าเรือกลายเป็นน้ำแข็งสองครั้ง และเรือข้ามฟากก็จอดอยู่ที่ท่า"},
  };
  for (const auto& [language, text] : samples) EXPECT_EQ(identify_language(text).text(), language) << text;
}

TEST(IdentifyLanguage, IsUndeterminedWithoutWords) {
  for (const std::string_view text : {"", " \n", "12 345,67 -- 8%", "\x01\x02", "\xEF\xBF\xBE"}) {
    EXPECT_EQ(identify_language(text).text(), "und") << text;
  }
}

// Most of the text decides, even if it begins in another language.
TEST(IdentifyLanguage, ReadsOnWhereTheBeginningIsInDoubt) {
  std::string text = "Last updated on Monday morning by our office, with many thanks to all who wrote to us. ";
  text += "© Photos: archive. ";
  for (int i = 0; i < 20; ++i) text += "去年冬天港口结冰两次，渡轮一直停在码头，直到冰雪融化以后才重新开航。";
  EXPECT_EQ(identify_language(text).text(), "zh");
}

// The sample may end anywhere in a character.
TEST(IdentifyLanguage, CutsSamplesBetweenCharacters) {
  for (std::size_t spaces = 0; spaces < 4; ++spaces) {
    std::string text(spaces, ' ');
    for (int i = 0; i < 200; ++i) text += "去年冬天港口结冰两次，";
    EXPECT_EQ(identify_language(text).text(), "zh") << spaces;
  }
}

TEST(LanguageSet, AdmitsWhatIsInIt) {
  const auto set = LanguageSet::parse(std::vector<std::string>{"zh", "EN", "zh", "iw"});
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(set->text(), "en,he,zh");
  EXPECT_TRUE(set->admits(*LanguageCode::of_tag("en-GB")));
  EXPECT_TRUE(set->admits(*LanguageCode::of_tag("he")));
  EXPECT_FALSE(set->admits(*LanguageCode::of_tag("de")));
  EXPECT_FALSE(set->admits(LanguageCode()));
  EXPECT_TRUE(LanguageSet::parse(std::vector<std::string>{"und"})->admits(LanguageCode()));
  EXPECT_TRUE(LanguageSet().empty());
  EXPECT_TRUE(LanguageSet().admits(LanguageCode()));
}

// A country's code or a slip would leave out every page.
TEST(LanguageSet, RefusesWhatIsNeverIdentified) {
  for (const std::string code : {"cn", "jp", "english", "zh-Hant", "", "e", "xx", "12", "tlh"}) {
    const auto set = LanguageSet::parse(std::vector<std::string>{"en", code});
    ASSERT_FALSE(set.has_value()) << code;
    EXPECT_EQ(set.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(set.error().message.find("'" + code + "'"), std::string::npos) << set.error().message;
  }
}

RC_GTEST_PROP(IdentifyLanguage, AnswersForAnyText, (const std::string& bytes)) {
  const std::string text = sanitise(bytes).text;
  const LanguageCode language = identify_language(text);
  RC_ASSERT(LanguageCode::of_number(language.number()) == language);
  RC_ASSERT(identify_language(text) == language);
}

}  // namespace
}  // namespace paraprint
