// Training, and fastText models read by our importer compared with fastText's own library.
#include "semantics/vectors/train_fasttext.h"

#include <fasttext/fasttext.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <sstream>

#include "base/stop.h"
#include "semantics/vectors/import.h"
#include "temporary_folder.h"
#include "vectors_testing.h"

namespace paraprint {
namespace {

// Lines about fruit and lines about traffic, in which 电脑 and 计算机 occur in the same contexts.
std::string corpus() {
  TestRandom random(3);
  const std::vector<std::vector<std::string>> topics = {{"苹果", "水果", "香蕉", "市场", "好吃"},
                                                        {"汽车", "公路", "司机", "速度", "发动机"},
                                                        {"程序", "键盘", "屏幕", "软件", "内存"}};
  std::string text;
  for (int line = 0; line < 1500; ++line) {
    const std::vector<std::string>& topic = topics[random.next() % topics.size()];
    for (int word = 0; word < 12; ++word) {
      if (&topic == &topics[2] && random.next() % 4 == 0) text += random.next() % 2 == 0 ? "电脑 " : "计算机 ";
      text += topic[random.next() % topic.size()] + ' ';
    }
    text += "the\n";
  }
  return text;
}

constexpr std::uint64_t kWords = 20'000;

TrainingSettings small_settings() {
  TrainingSettings settings;
  settings.dimension = 20;
  settings.epochs = 3;
  settings.words_maximum = 1000;
  return settings;
}

TEST(Training, WordsInTheSameContextsAreNear) {
  TemporaryFolder folder;
  std::ofstream(folder / "corpus") << corpus();
  for (const bool is_cbow : {false, true}) {
    TrainingSettings settings = small_settings();
    settings.is_cbow = is_cbow;
    settings.epochs = 60;  // words are so frequent here that fastText subsamples most of them
    double last = 0;
    auto trained = train_word_vectors(folder / "corpus", kWords, settings, [&](double share) { last = share; });
    ASSERT_TRUE(trained) << trained.error().message;
    EXPECT_GT(last, 0);
    const AlignedBytes bytes(trained->file_bytes({}));
    const auto vectors = *WordVectors::read(bytes.view(), "model");
    EXPECT_EQ(vectors->facts().words, 18U);
    EXPECT_EQ(vectors->facts().origin, is_cbow ? VectorsOrigin::kCbow : VectorsOrigin::kSkipGram);
    const auto cosine = [&](std::string_view a, std::string_view b) {
      return vectors->cosine(*vectors->find(a), *vectors->find(b));
    };
    EXPECT_GT(cosine("电脑", "计算机"), cosine("电脑", "苹果") + 0.1F);
    EXPECT_GT(cosine("苹果", "水果"), cosine("苹果", "公路"));
  }
}

TEST(Training, OneThreadIsDeterministic) {
  TemporaryFolder folder;
  std::ofstream(folder / "corpus") << corpus();
  auto first = train_word_vectors(folder / "corpus", kWords, small_settings(), {});
  auto second = train_word_vectors(folder / "corpus", kWords, small_settings(), {});
  TrainingSettings other = small_settings();
  other.seed = 2;
  auto third = train_word_vectors(folder / "corpus", kWords, other, {});
  EXPECT_EQ(first->file_bytes({}), second->file_bytes({}));
  EXPECT_NE(first->file_bytes({}), third->file_bytes({}));
}

TEST(Training, RejectsTextWithoutFrequentWords) {
  TemporaryFolder folder;
  std::ofstream(folder / "corpus") << "one two three\n";
  const auto trained = train_word_vectors(folder / "corpus", 3, small_settings(), {});
  ASSERT_FALSE(trained);
  EXPECT_EQ(trained.error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(train_word_vectors(folder / "none", 3, small_settings(), {}));
}

TEST(Training, StopsOnRequest) {
  TemporaryFolder folder;
  std::ofstream(folder / "corpus") << corpus();
  for (const unsigned threads : {1U, 3U}) {
    TrainingSettings settings = small_settings();
    settings.epochs = 1'000'000;
    settings.threads = threads;
    std::atomic<bool> stop{false};
    const StopScope scope(&stop);
    const auto trained = train_word_vectors(folder / "corpus", kWords, settings, [&](double) { stop.store(true); });
    ASSERT_FALSE(trained);
    EXPECT_EQ(trained.error().code, ErrorCode::kCancelled);
  }
}

class FastTextModel : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "corpus") << corpus();
    fasttext::Args arguments;
    arguments.input = folder_ / "corpus";
    arguments.model = fasttext::model_name::sg;
    arguments.dim = 10;
    arguments.epoch = 2;
    arguments.thread = 1;
    arguments.verbose = 0;
    arguments.minn = GetParam() ? 2 : 0;
    arguments.maxn = GetParam() ? 4 : 0;
    arguments.bucket = GetParam() ? 500 : 0;
    model_.train(arguments);
    model_.saveModel(folder_ / "model.bin");
    std::ifstream file(folder_ / "model.bin", std::ios::binary);
    bytes_ = (std::stringstream() << file.rdbuf()).str();
  }

  float cosine_by_library(const std::string& a, const std::string& b) {
    fasttext::Vector va(10);
    fasttext::Vector vb(10);
    model_.getWordVector(va, a);
    model_.getWordVector(vb, b);
    double dot = 0;
    for (int i = 0; i < 10; ++i) dot += static_cast<double>(va[i]) * static_cast<double>(vb[i]);
    return static_cast<float>(dot / (static_cast<double>(va.norm()) * static_cast<double>(vb.norm())));
  }

  TemporaryFolder folder_;
  fasttext::FastText model_;
  std::string bytes_;
};

TEST_P(FastTextModel, AgreesWithFastTextsLibrary) {
  auto imported = import_fasttext(bytes_, "model.bin", 1000);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->counts().added, 18U);
  const AlignedBytes bytes(imported->file_bytes({}));
  const auto vectors = *WordVectors::read(bytes.view(), "model");
  for (std::uint32_t a = 0; a < 18; ++a) {
    for (std::uint32_t b = a + 1; b < 18; ++b) {
      const float expected = cosine_by_library(std::string(vectors->word(a)), std::string(vectors->word(b)));
      EXPECT_NEAR(vectors->cosine(a, b), expected, 0.02) << vectors->word(a) << ' ' << vectors->word(b);
    }
  }
}

TEST_P(FastTextModel, RejectsEveryTruncation) {
  const std::size_t matrix_end = bytes_.size() / 2;  // what follows is needed by training only
  for (std::size_t size = 0; size < matrix_end; size += size < 600 ? 1 : 97) {
    const auto imported = import_fasttext(std::string_view(bytes_).substr(0, size), "model.bin", 1000);
    ASSERT_FALSE(imported) << size;
    EXPECT_NE(imported.error().message.find("model.bin: at byte"), std::string::npos) << imported.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutParts, FastTextModel, testing::Bool());

TEST(Import, RejectsQuantisedFastTextModels) {
  std::string bytes;
  const auto number = [&](std::uint32_t value) { bytes.append(reinterpret_cast<const char*>(&value), 4); };
  const auto wide = [&](std::uint64_t value) { bytes.append(reinterpret_cast<const char*>(&value), 8); };
  number(kFastTextMagic);
  number(12);
  for (const std::uint32_t argument : {2, 5, 5, 1, 5, 1, 2, 2, 0, 0, 0, 100}) number(argument);
  wide(0);
  number(0);
  number(0);
  number(0);
  wide(10);
  wide(~std::uint64_t{0});
  bytes += '\1';
  const auto imported = import_fasttext(bytes, "model.ftz", 1000);
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace paraprint
