// A stranger must not be able to make a page whose hashes equal those of a given page: equal hashes mean equal text, so
// one of the two pages would be removed. MurmurHash3 has no protection against that, and these tests contain the attack
// on it: two different beginnings of equal length get two made-up words each, after which all text may be common. Nor
// must he be able to have a page judged by the one sentence that he quotes from it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "murmur_attack.h"
#include "paraprint/engine.h"

namespace paraprint {
namespace {

constexpr std::uint64_t kC1 = MurmurState::kC1;
constexpr std::uint64_t kC2 = MurmurState::kC2;
constexpr std::size_t kBlockBytes = MurmurState::kBlockBytes;
constexpr std::size_t kWordBytes = MurmurState::kWordBytes;

// Calls answer(word) for words of eight letters and digits until it returns such a word too, and returns both.
template <class Answer>
std::pair<std::string, std::string> search(Answer answer) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::array<bool, 256> is_letter{};
  for (const char letter : kLetters) is_letter[static_cast<unsigned char>(letter)] = true;
  for (std::uint64_t number = 0;; ++number) {
    std::string word(kWordBytes, ' ');
    std::uint64_t rest = number;
    for (char& letter : word) {
      letter = kLetters[rest % kLetters.size()];
      rest /= kLetters.size();
    }
    std::uint64_t other = answer(MurmurState::word_at(word, 0));
    std::string bytes(kWordBytes, ' ');
    std::memcpy(bytes.data(), &other, sizeof other);
    if (std::all_of(bytes.begin(), bytes.end(), [&](char c) { return is_letter[static_cast<unsigned char>(c)]; })) {
      return {word, bytes};
    }
  }
}

// Appends two words to each text so that their states become equal. The first words must cancel the difference of what
// becomes h1, the second words that of h2. A word for one text determines that for the other, which consists of letters
// and digits once in 6.6 million attempts.
void forge(std::string& a, std::string& b) {
  const MurmurState of_a = MurmurState::after(a);
  const MurmurState of_b = MurmurState::after(b);
  const std::uint64_t back1 = MurmurState::inverse_of(kC1);
  const std::uint64_t back2 = MurmurState::inverse_of(kC2);
  const auto first = search([&](std::uint64_t word) {
    const std::uint64_t wanted = std::rotl(of_a.h1 ^ std::rotl(word * kC1, 31) * kC2, 27) + of_a.h2 - of_b.h2;
    return std::rotr((std::rotr(wanted, 27) ^ of_b.h1) * back2, 31) * back1;
  });
  const auto second = search([&](std::uint64_t word) {
    const std::uint64_t wanted = of_a.h2 ^ std::rotl(word * kC2, 33) * kC1;
    return std::rotr((wanted ^ of_b.h2) * back1, 33) * back2;
  });
  a += first.first + second.first;
  b += first.second + second.second;
}

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) letters += static_cast<char>(std::tolower(c));
  }
  return letters;
}

// Two sentences with two made-up words each and equal hashes. The words become part of the text's letters only, which
// are what is hashed; both texts are first filled up to the same number of blocks.
struct ForgedPair {
  std::string article;
  std::string spam;
};
ForgedPair forged(std::string article, std::string spam) {
  std::string of_article = letters_of(article);
  std::string of_spam = letters_of(spam);
  const std::size_t size = (std::max(of_article.size(), of_spam.size()) / kBlockBytes + 1) * kBlockBytes;
  const auto fill = [size](std::string& text, std::string& letters) {
    text += ' ' + std::string(size - letters.size(), 'z');
    letters.resize(size, 'z');
  };
  fill(article, of_article);
  fill(spam, of_spam);
  forge(of_article, of_spam);
  EXPECT_EQ(murmur128(of_article), murmur128(of_spam)) << "the attack itself no longer works";
  const auto with_words = [size](const std::string& text, const std::string& letters) {
    return text + ' ' + letters.substr(size, kWordBytes) + ' ' + letters.substr(size + kWordBytes) + ".";
  };
  return {with_words(article, of_article), with_words(spam, of_spam)};
}

const std::vector<std::pair<std::string, std::string>>& paragraphs() {
  static const std::vector<std::pair<std::string, std::string>> kParagraphs = {
      {"The harbour bridge will close for three weeks in October while engineers replace the bearings of its northern "
       "span, the city announced on Tuesday",
       "Our casino pays every new player a welcome bonus of five hundred coins, and withdrawals reach your account "
       "within minutes on any device"},
      {"Ferries run every ten minutes during the works, and bus passengers may use them with an ordinary ticket, said "
       "the head of the transport office",
       "Slimming has never been so easy as with these capsules, which melt away the pounds overnight while you sleep, "
       "without any diet or sport"},
      {"Residents of the old town fear that lorries will take the road along the river, which was closed to heavy "
       "traffic after the flood of last spring",
       "Cheap copies of famous watches leave our warehouse on the day of your order, and nobody will see that you did "
       "not pay the full price for them"}};
  return kParagraphs;
}

class ForgedPages : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("paraprint-forged-{}", ::getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Verdict verdict_of(const std::string& text_a, const std::string& text_b) {
    const auto profile_of = [](const std::string& text) {
      Page page;
      page.body = text;
      page.format = PageFormat::kPlainText;
      return Profiler::create({})->profile(page);
    };
    return compare(profile_of(text_a), profile_of(text_b), {})->match.verdict;
  }

  struct InputPage {
    std::string id;
    std::string url;
    std::string text;
  };

  std::uint64_t removed_by_dedup(const std::vector<InputPage>& pages) const {
    std::ofstream file(folder_ / "pages.jsonl");
    for (const InputPage& page : pages) {
      std::string escaped;
      for (const char c : page.text) escaped += c == '\n' ? std::string("\\n") : std::string(1, c);
      file << fmt::format(R"({{"id": "{}", "url": "{}", "text": "{}"}})", page.id, page.url, escaped) << '\n';
    }
    file.close();
    DedupOptions options;
    options.inputs = {folder_ / "pages.jsonl"};
    options.output.out = folder_ / "out";
    const Result<DedupOutcome> outcome = deduplicate(options, {});
    EXPECT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->pages, pages.size());
    return outcome->pages_removed;
  }

  std::uint64_t removed_by_dedup(const std::string& text_a, const std::string& text_b) const {
    return removed_by_dedup({{"article", "", text_a}, {"spam", "", text_b}});
  }

  std::filesystem::path folder_;
};

// The whole text: all paragraphs of the article and of the spam, then the four words.
TEST_F(ForgedPages, WithEqualHashesOfTextsAreNotTheSame) {
  std::string article;
  std::string spam;
  for (const auto& [of_article, of_spam] : paragraphs()) {
    article += of_article + ".\n\n";
    spam += of_spam + ".\n\n";
  }
  const ForgedPair pages = forged(article, spam);
  EXPECT_EQ(verdict_of(pages.article, pages.spam), Verdict::kDistinct);
  EXPECT_EQ(removed_by_dedup(pages.article, pages.spam), 0U);
}

// Each paragraph by itself, which is one sentence.
TEST_F(ForgedPages, WithEqualHashesOfParagraphsAndSentencesAreNotNear) {
  std::string article;
  std::string spam;
  for (const auto& [of_article, of_spam] : paragraphs()) {
    const ForgedPair pair = forged(of_article, of_spam);
    article += pair.article + "\n\n";
    spam += pair.spam + "\n\n";
  }
  EXPECT_EQ(verdict_of(article, spam), Verdict::kDistinct);
  EXPECT_EQ(removed_by_dedup(article, spam), 0U);
}

// Paragraphs of words that are made up at random, so that no two are alike.
class MadeUpText {
 public:
  std::string paragraph(int words) {
    std::string text;
    for (int word = 0; word < words; ++word) {
      if (word > 0) text += ' ';
      for (std::uint64_t syllables = 2 + random_() % 3; syllables > 0; --syllables) {
        text += kConsonants[random_() % kConsonants.size()];
        text += kVowels[random_() % kVowels.size()];
      }
    }
    return text + ".\n\n";
  }
  std::string paragraphs(int count) {
    std::string text;
    for (; count > 0; --count) text += paragraph(40);
    return text;
  }

 private:
  static constexpr std::string_view kConsonants = "bcdfglmnprstvkz";
  static constexpr std::string_view kVowels = "aeiou";
  std::mt19937_64 random_{4};
};

// On a host that many people write on, a stranger posts all of a page but a sentence, four times, each time with text
// of its own, which makes what he posts the template of the host; on a host of his own he quotes the sentence below a
// template. Templates leave nothing but the sentence of either page.
TEST_F(ForgedPages, WithTemplatesOfTheirMakingRemoveNoPageThatTheyQuote) {
  MadeUpText made;
  const std::string quoted = made.paragraph(24);
  const std::string copied = made.paragraphs(10);
  std::vector<InputPage> pages = {{"victim", "http://forum.example/victim", copied + quoted}};
  const auto add = [&](std::string_view host, int count, const std::string& text, int own_paragraphs) {
    for (int page = 0; page < count; ++page) {
      const std::string id = std::to_string(pages.size());
      pages.push_back({id, fmt::format("http://{}/{}", host, id), text + made.paragraphs(own_paragraphs)});
    }
  };
  const std::string of_shop = made.paragraphs(14);
  add("forum.example", 26, "", 8);
  add("forum.example", 4, copied, 6);
  add("shop.example", 12, of_shop, 8);
  add("shop.example", 1, of_shop + quoted, 0);
  EXPECT_EQ(removed_by_dedup(pages), 0U);
}

}  // namespace
}  // namespace paraprint
