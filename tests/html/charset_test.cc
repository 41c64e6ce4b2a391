#include "html/charset.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "html/charset_declared.h"
#include "html/charset_decode.h"
#include "html/charset_detect.h"
#include "text/utf8.h"

namespace paraprint {
namespace {

using namespace std::string_literals;

// Converts `utf8` to another charset with lexbor's encoder.
std::string encode(Charset charset, std::string_view utf8) {
  const lxb_encoding_data_t* data = lxb_encoding_data(static_cast<lxb_encoding_t>(charset));
  std::vector<lxb_codepoint_t> code_points;
  for (const char* p = utf8.data(); p != utf8.data() + utf8.size();) {
    const DecodedCharacter character = decode_character(p, utf8.data() + utf8.size());
    code_points.push_back(character.code_point);
    p += character.size_bytes;
  }
  std::string out(code_points.size() * 8 + 16, '\0');
  lxb_encoding_encode_t context;
  lxb_encoding_encode_init(&context, data, reinterpret_cast<lxb_char_t*>(out.data()), out.size());
  const lxb_codepoint_t* begin = code_points.data();
  EXPECT_EQ(data->encode(&context, &begin, begin + code_points.size()), LXB_STATUS_OK);
  lxb_encoding_encode_finish(&context);
  out.resize(lxb_encoding_encode_buf_used(&context));
  return out;
}

const std::string kSimplified =
    "近日,我们在这个网站上发表了一篇关于重复网页的文章。很多人都说,同一个内容在不同的地方出现,是因为大家都喜欢转载。";
const std::string kTraditional =
    "近日,我們在這個網站上發表了一篇關於重複網頁的文章。很多人都說,同一個內容在不同的地方出現,是因為大家都喜歡轉載。";
const std::string kJapanese =
    "このページは日本語で書かれています。同じ内容のページがほかにもあるかどうかを調べることができます。";
const std::string kKorean =
    "이 페이지는 한국어로 쓰여 있습니다. 같은 내용의 페이지가 다른 곳에도 있는지 알아볼 수 있습니다.";
const std::string kRussian =
    "Эта страница написана на русском языке. Она нужна для того, чтобы проверить определение кодировки текста.";
const std::string kPolish =
    "Ta strona została napisana po polsku, żeby sprawdzić, czy potrafimy rozpoznać jej źródłowe kodowanie znaków.";
const std::string kFrench =
    "Cette page est écrite en français, à peu près comme les autres : elle sert à vérifier la détection du codage.";
const std::string kGreek =
    "Αυτή η σελίδα είναι γραμμένη στα ελληνικά για να ελέγξουμε την αναγνώριση της κωδικοποίησης του κειμένου.";

struct Sample {
  Charset charset;
  const char* label;
  const std::string* text;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kSamples = {
      {LXB_ENCODING_GB18030, "gb2312", &kSimplified},      {LXB_ENCODING_GB18030, "gbk", &kTraditional},
      {LXB_ENCODING_BIG5, "big5", &kTraditional},          {LXB_ENCODING_SHIFT_JIS, "Shift_JIS", &kJapanese},
      {LXB_ENCODING_EUC_JP, "euc-jp", &kJapanese},         {LXB_ENCODING_ISO_2022_JP, "iso-2022-jp", &kJapanese},
      {LXB_ENCODING_EUC_KR, "ks_c_5601-1987", &kKorean},   {LXB_ENCODING_WINDOWS_1251, "windows-1251", &kRussian},
      {LXB_ENCODING_KOI8_R, "koi8-r", &kRussian},          {LXB_ENCODING_IBM866, "cp866", &kRussian},
      {LXB_ENCODING_ISO_8859_5, "iso-8859-5", &kRussian},  {LXB_ENCODING_ISO_8859_2, "iso-8859-2", &kPolish},
      {LXB_ENCODING_WINDOWS_1252, "iso-8859-1", &kFrench}, {LXB_ENCODING_WINDOWS_1253, "windows-1253", &kGreek},
  };
  return kSamples;
}

class CharsetTest : public testing::Test {
 protected:
  const DecodedPage& decode(std::string_view body, std::string_view content_type = "",
                            PageFormat format = PageFormat::kHtml) {
    return decoder_.decode(body, content_type, format, false);
  }
  PageDecoder decoder_;
};

TEST_F(CharsetTest, DecodesEveryCharsetDeclaredByTheServer) {
  for (const Sample& sample : samples()) {
    const std::string body = encode(sample.charset, *sample.text);
    const DecodedPage& page = decode(body, "text/html; charset="s + sample.label);
    EXPECT_EQ(page.text, *sample.text) << sample.label;
    EXPECT_EQ(page.source, CharsetSource::kHttpHeader) << sample.label;
    EXPECT_EQ(page.charset, charset_name(sample.charset)) << sample.label;
    EXPECT_EQ(page.dropped_sequences, 0U) << sample.label;
    EXPECT_FALSE(page.declaration_overruled) << sample.label;
  }
}

TEST_F(CharsetTest, DecodesEveryCharsetDeclaredByThePage) {
  for (const Sample& sample : samples()) {
    const std::string head = "<meta http-equiv=\"Content-Type\" content=\"text/html; charset="s + sample.label + "\">";
    const std::string body = head + encode(sample.charset, *sample.text);
    const DecodedPage& page = decode(body);
    EXPECT_EQ(page.text, head + *sample.text) << sample.label;
    EXPECT_EQ(page.source, CharsetSource::kMeta) << sample.label;
  }
}

TEST_F(CharsetTest, DetectsEveryUndeclaredCharset) {
  for (const Sample& sample : samples()) {
    const std::string body = encode(sample.charset, *sample.text);
    const DecodedPage& page = decode(body);
    EXPECT_EQ(page.text, *sample.text) << sample.label << " taken for " << page.charset;
    EXPECT_EQ(page.source, CharsetSource::kDetector) << sample.label;
  }
}

TEST_F(CharsetTest, PrefersValidUtf8ToTheDeclaration) {
  for (const char* label : {"gb2312", "big5", "iso-8859-1", "shift_jis", "euc-kr", "windows-1251"}) {
    const DecodedPage& page = decode(kSimplified, "text/html; charset="s + label);
    EXPECT_EQ(page.text, kSimplified) << label;
    EXPECT_EQ(page.charset, "utf-8") << label;
    EXPECT_TRUE(page.declaration_overruled) << label;
    EXPECT_EQ(page.text.data(), kSimplified.data()) << "valid UTF-8 is not copied";
  }
}

TEST_F(CharsetTest, IgnoresDeclarationsThatTheBytesContradict) {
  struct Lie {
    Charset truth;
    const std::string* text;
    const char* declared;
  };
  const Lie lies[] = {
      {LXB_ENCODING_GB18030, &kSimplified, "utf-8"},   {LXB_ENCODING_GB18030, &kSimplified, "iso-8859-1"},
      {LXB_ENCODING_GB18030, &kSimplified, "big5"},    {LXB_ENCODING_BIG5, &kTraditional, "gb2312"},
      {LXB_ENCODING_SHIFT_JIS, &kJapanese, "utf-8"},   {LXB_ENCODING_EUC_KR, &kKorean, "windows-1252"},
      {LXB_ENCODING_WINDOWS_1251, &kRussian, "utf-8"}, {LXB_ENCODING_GB18030, &kSimplified, "utf-16"},
      {LXB_ENCODING_EUC_JP, &kJapanese, "shift_jis"},
  };
  for (const Lie& lie : lies) {
    const std::string body = encode(lie.truth, *lie.text);
    const DecodedPage& page = decode(body, "text/html; charset="s + lie.declared);
    EXPECT_EQ(page.text, *lie.text) << charset_name(lie.truth) << " declared " << lie.declared << ", taken for "
                                    << page.charset;
    EXPECT_TRUE(page.declaration_overruled);
    EXPECT_EQ(page.source, CharsetSource::kDetector);
  }
}

TEST_F(CharsetTest, UsesThePagesDeclarationIfTheServersIsWrong) {
  const std::string body = "<meta charset=gbk>"s + encode(LXB_ENCODING_GB18030, kSimplified);
  const DecodedPage& page = decode(body, "text/html; charset=utf-8");
  EXPECT_EQ(page.text, "<meta charset=gbk>"s + kSimplified);
  EXPECT_EQ(page.source, CharsetSource::kMeta);
  EXPECT_TRUE(page.declaration_overruled);
}

TEST_F(CharsetTest, KeepsTheDeclarationDespiteAFewInvalidBytes) {
  std::string body = kSimplified + kSimplified;
  body.insert(6, "\xFF");
  const DecodedPage& page = decode(body, "text/html; charset=utf-8");
  EXPECT_EQ(page.text, kSimplified + kSimplified);
  EXPECT_EQ(page.source, CharsetSource::kHttpHeader);
  EXPECT_EQ(page.dropped_sequences, 1U);
}

TEST_F(CharsetTest, ReadsByteOrderMarks) {
  const auto wide = [](std::string_view ascii, std::size_t unit, bool big_endian) {
    std::string out;
    for (const char c : ascii) {
      std::string one(unit, '\0');
      one[big_endian ? unit - 1 : 0] = c;
      out += one;
    }
    return out;
  };
  const std::string text = "<p>A page without much to say, but long enough</p>";
  EXPECT_EQ(decode("\xEF\xBB\xBF"s + text).text, text);
  EXPECT_EQ(decode("\xFF\xFE"s + wide(text, 2, false)).text, text);
  EXPECT_EQ(decode("\xFE\xFF"s + wide(text, 2, true)).text, text);
  EXPECT_EQ(decode("\xFF\xFE\0\0"s + wide(text, 4, false)).text, text);
  EXPECT_EQ(decode("\0\0\xFE\xFF"s + wide(text, 4, true)).text, text);
  EXPECT_EQ(decode("\0\0\xFE\xFF"s + wide(text, 4, true)).source, CharsetSource::kByteOrderMark);
  // The same without a mark.
  EXPECT_EQ(decode(wide(text, 2, false)).text, text);
  EXPECT_EQ(decode(wide(text, 2, true)).text, text);
  EXPECT_EQ(decode(wide(text, 4, false)).text, text);
  EXPECT_EQ(decode(wide(text, 4, true)).text, text);
  EXPECT_EQ(decode(wide(text, 2, false)).charset, "utf-16le");
  // A mark that the bytes contradict.
  EXPECT_EQ(decode("\xEF\xBB\xBF"s + encode(LXB_ENCODING_GB18030, kSimplified)).text, kSimplified);
}

TEST_F(CharsetTest, DecodesSmallAndMalformedBodies) {
  EXPECT_EQ(decode("").text, "");
  EXPECT_EQ(decode("").source, CharsetSource::kDefault);
  EXPECT_EQ(decode("a").text, "a");
  EXPECT_EQ(decode("\xE9").text, "\u00E9");
  EXPECT_EQ(decode("\xEF\xBB\xBF").text, "");
  EXPECT_EQ(decode("\xFF\xFE").text, "");
  EXPECT_EQ(decode("\xFF").charset, "windows-1252");
  EXPECT_EQ(decode("a\0b"s).text, "a\0b"s);
  EXPECT_TRUE(is_valid_utf8(decode("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\x80\x81\xFF\xFE\0\0"s).text));
  std::string all_bytes;
  for (int i = 0; i < 256 * 16; ++i) all_bytes.push_back(static_cast<char>(i * 7 + i / 256));
  for (const char* label :
       {"", "utf-8", "gb18030", "big5", "euc-jp", "iso-2022-jp", "utf-16le", "koi8-r", "replacement", "nonsense"}) {
    EXPECT_TRUE(is_valid_utf8(decode(all_bytes, "text/html; charset="s + label).text)) << label;
  }
}

TEST_F(CharsetTest, TrustsTheContainer) {
  const std::string body = "<meta charset=gbk>"s + kSimplified + "\xFF";
  const DecodedPage& page = decoder_.decode(body, "text/html; charset=big5", PageFormat::kHtml, true);
  EXPECT_EQ(page.text, "<meta charset=gbk>"s + kSimplified);
  EXPECT_EQ(page.source, CharsetSource::kContainer);
  EXPECT_EQ(page.dropped_sequences, 1U);
}

TEST_F(CharsetTest, ReadsMetaInHtmlOnly) {
  const std::string body = "<meta charset=koi8-r>"s + encode(LXB_ENCODING_WINDOWS_1251, kRussian);
  EXPECT_EQ(decode(body, "", PageFormat::kPlainText).charset, "windows-1251");
  EXPECT_EQ(decode(body, "", PageFormat::kHtml).charset, "koi8-r");
}

TEST(CharsetLabels, RecognisesStandardAndMisspeltLabels) {
  EXPECT_EQ(charset_of_label(" GB2312 "), Charset{LXB_ENCODING_GB18030});
  EXPECT_EQ(charset_of_label("latin1"), Charset{LXB_ENCODING_WINDOWS_1252});
  EXPECT_EQ(charset_of_label("euc_kr"), Charset{LXB_ENCODING_EUC_KR});
  EXPECT_EQ(charset_of_label("'utf-8';"), Charset{LXB_ENCODING_UTF_8});
  EXPECT_EQ(charset_of_label("iso-2022-kr"), kCharsetUnknown);
  EXPECT_EQ(charset_of_label(""), kCharsetUnknown);
  EXPECT_EQ(charset_of_label(std::string(1000, 'x')), kCharsetUnknown);
  EXPECT_EQ(charset_of_content_type("text/html;CHARSET = \"Big5\""), Charset{LXB_ENCODING_BIG5});
  EXPECT_EQ(charset_of_content_type("text/html; charset=gb2312; x=y"), Charset{LXB_ENCODING_GB18030});
  EXPECT_EQ(charset_of_content_type("text/html; charset"), kCharsetUnknown);
  EXPECT_EQ(charset_of_markup("<?xml version='1.0' encoding='gbk'?><html>"), Charset{LXB_ENCODING_GB18030});
  EXPECT_EQ(charset_of_markup("<meta charset=utf-16>"), Charset{LXB_ENCODING_UTF_8});
  EXPECT_EQ(charset_of_markup("<!-- <meta charset=big5> --><meta charset=koi8-r>"), Charset{LXB_ENCODING_KOI8_R});
}

}  // namespace
}  // namespace paraprint
