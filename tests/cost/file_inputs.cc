// Files that come from elsewhere: word vectors and topic models, profiles and the files of an index, labels, synonyms.
#include <xxhash.h>

#include <cstring>
#include <memory>
#include <string>

#include "base/assert.h"
#include "base/byte_codec.h"
#include "base/hash.h"
#include "input_kinds.h"
#include "lab/evaluate/label_file.h"
#include "profile/fingerprint_codec.h"
#include "profile/profile_codec.h"
#include "read_file.h"
#include "repeated_text.h"
#include "semantics/topics/topic_model.h"
#include "semantics/topics/topic_model_writer.h"
#include "semantics/vectors/import.h"
#include "semantics/vectors/word_vectors.h"
#include "store/index_records.h"
#include "store/site_templates.h"
#include "text/synonym_list.h"
#include "text/text_data.h"
#include "text/word_weights.h"

namespace paraprint {
namespace {

using namespace std::string_view_literals;

constexpr std::uint32_t kWordsMaximum = 1U << 20;

template <class Value>
void append_value(Value value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // the formats are little-endian
}

// Bytes at an address that models require.
class AlignedCopy {
 public:
  explicit AlignedCopy(std::string_view bytes) : units_(bytes.size() / sizeof(Unit) + 1), size_(bytes.size()) {
    std::memcpy(units_.data(), bytes.data(), bytes.size());
  }
  std::string_view view() const { return {reinterpret_cast<const char*>(units_.data()), size_}; }

 private:
  struct alignas(16) Unit {
    char bytes[16];
  };
  std::vector<Unit> units_;
  std::size_t size_;
};

HostileKind vectors_as_text() {
  return {"vectors_as_text",
          '\n',
          items_of_text("", "word{n} 0.123 -0.456 0.789 0.001\n", ""),
          [](std::string_view bytes) {
            (void)import_glove(bytes, "file", kWordsMaximum);
            (void)import_word2vec_text(bytes, "file", kWordsMaximum);
          },
          {
              {"words", repeated("", "a{n} 1\n")},
              {"one_word_repeated", repeated("", "a 1\n")},
              {"long_words", repeated("", "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz{n} 1\n")},
              {"one_word", repeated("", "a", " 1\n")},
              {"chinese_words", repeated("", "\u4E2D\u534E\u4EBA\u6C11\u5171\u548C\u56FD 1\n")},
              {"marks", repeated("", "a\u0301\u0316\u0301\u0316 1\n")},
              {"numbers", repeated("a", " 1", "\n")},
              {"long_number", repeated("a 0.", "1", "\n")},
              {"spaces", repeated("a", " ", "1\n")},
              {"spaces_each", repeated("", "a   1   \n")},
              {"lines", repeated("a 1\n", "\n")},
              {"heading", repeated("1", " 1")},
              {"small_numbers", repeated("", "a 1e-99\n")},
          }};
}

// The head of a fastText model of one bucket, whose subwords have up to 64 characters.
std::string fasttext_head(std::uint32_t dimension, std::uint32_t words) {
  std::string bytes;
  append_value(kFastTextMagic, bytes);
  append_value(std::uint32_t{12}, bytes);
  append_value(dimension, bytes);
  for (int i = 0; i < 6; ++i) append_value(std::uint32_t{1}, bytes);
  append_value(std::uint32_t{2}, bytes);   // skip-gram
  append_value(std::uint32_t{1}, bytes);   // buckets
  append_value(std::uint32_t{1}, bytes);   // characters of the shortest subword
  append_value(std::uint32_t{64}, bytes);  // and of the longest
  append_value(std::uint32_t{1}, bytes);
  append_value(std::uint64_t{0}, bytes);
  append_value(words, bytes);
  append_value(words, bytes);
  append_value(std::uint32_t{0}, bytes);  // labels
  append_value(std::uint64_t{0}, bytes);
  append_value(std::uint64_t{0}, bytes);  // pruned
  return bytes;
}

// A model of words of `word_bytes`.
std::function<std::string(std::size_t)> fasttext_model(std::uint32_t dimension, std::size_t word_bytes) {
  return [=](std::size_t size_bytes) {
    const std::size_t each_bytes = word_bytes + 10 + 4 * dimension;
    const auto words = static_cast<std::uint32_t>(size_bytes / each_bytes + 1);
    std::string bytes = fasttext_head(dimension, words);
    for (std::uint32_t word = 0; word < words; ++word) {
      bytes += std::string(word_bytes, static_cast<char>('a' + word % 26)) + '\0';
      append_value(std::uint64_t{1}, bytes);
      bytes += '\0';
    }
    bytes += '\0';  // not quantised
    append_value(std::uint64_t{words} + 1, bytes);
    append_value(std::uint64_t{dimension}, bytes);
    for (std::uint64_t i = 0; i < (std::uint64_t{words} + 1) * dimension; ++i) append_value(1.0F, bytes);
    return bytes;
  };
}

HostileKind fasttext() {
  return {"fasttext",
          '\0',
          of_size(fasttext_model(10, 10)),
          [](std::string_view bytes) { (void)import_fasttext(bytes, "file", kWordsMaximum); },
          {
              {"words_of_one_letter", fasttext_model(1, 1)},
              {"long_words", fasttext_model(1, 198)},
              {"words_beyond_the_limit", fasttext_model(1, 4000)},
              {"long_vectors", fasttext_model(300, 10)},
          }};
}

// A topic model of these words, each in one topic.
std::string topic_model_of(const std::vector<std::string>& words) {
  TopicCorpus corpus;
  corpus.words = words;
  corpus.documents.assign(words.size(), 1);
  corpus.running_words = words.size();
  TrainedTopics trained;
  trained.topics = 2;
  trained.prior = 0.5F;
  trained.shares = {0.5F, 0.5F};
  for (std::size_t i = 0; i < words.size(); ++i) {
    trained.probabilities.push_back(0.5F);
    trained.probabilities.push_back(0);
  }
  return topic_model_bytes(corpus, trained);
}

constexpr std::size_t kTopicWordBytes = 32;  // of the file, for each word

std::string usual_topic_model(std::size_t size_bytes) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < size_bytes / kTopicWordBytes; ++i) words.push_back("w" + std::to_string(10'000'000 + i));
  return topic_model_of(words);
}

// Words that begin at one slot of the model's hash table.
std::string topic_model_of_one_slot(std::size_t size_bytes) {
  const std::size_t count = size_bytes / kTopicWordBytes;
  std::size_t slots = 1;
  while (slots < 2 * count) slots *= 2;
  std::vector<std::string> words;
  for (std::size_t i = 0; words.size() < count; ++i) {
    std::string word = "w" + std::to_string(10'000'000 + i);
    if ((hash64(word) & (slots - 1)) == 0) words.push_back(std::move(word));
  }
  return topic_model_of(words);
}

HostileKind topic_model() {
  return {"topic_model",
          '\0',
          of_size(usual_topic_model),
          [](std::string_view bytes) {
            const AlignedCopy copy(bytes);
            const auto model = TopicModel::read(copy.view(), "file");
            PARAPRINT_ASSERT(model.has_value());
          },
          {
              {"words_of_one_slot", topic_model_of_one_slot},
          }};
}

std::string encoded(const Profile& profile) {
  std::string bytes;
  encode_profile(profile, bytes);
  return bytes;
}

// A profile with this many sentences in each paragraph.
std::function<std::string(std::size_t)> profile_of(std::size_t sentences) {
  return [=](std::size_t size_bytes) {
    constexpr std::size_t kParagraphBytes = 27;
    constexpr std::size_t kSentenceBytes = 11;
    constexpr std::uint32_t kCharacters = 100;
    Profile profile;
    profile.content_characters = 1;
    std::uint32_t at = 0;
    for (std::size_t size = 0; size < size_bytes && profile.paragraphs.size() < 60'000;
         size += kParagraphBytes + sentences * kSentenceBytes) {
      ParagraphProfile paragraph;
      paragraph.hash = at + 1;
      paragraph.has_simhash = true;
      paragraph.simhash = {at, at};
      paragraph.span.begin_bytes = at;
      for (std::size_t i = 0; i < sentences; ++i) {
        SentenceProfile sentence;
        sentence.hash = at;
        sentence.content_characters = kCharacters;
        sentence.paragraph = static_cast<std::uint16_t>(profile.paragraphs.size());
        sentence.span = {at, at + kCharacters};
        at += kCharacters;
        profile.sentences.push_back(sentence);
      }
      if (sentences == 0) at += kCharacters;
      paragraph.content_characters = kCharacters * static_cast<std::uint32_t>(std::max<std::size_t>(sentences, 1));
      paragraph.span.end_bytes = at;
      profile.paragraphs.push_back(paragraph);
    }
    return encoded(profile);
  };
}

HostileKind stored_profile() {
  return {"profile",
          '\0',
          of_size(profile_of(3)),
          [](std::string_view bytes) {
            Profile decoded;
            (void)decode_profile(bytes, decoded);
          },
          {
              {"paragraphs", profile_of(0)},
              {"sentences_of_one_paragraph", profile_of(10'000)},
              {"zeros", repeated("\x05", "\0"sv)},
              {"ones", repeated("\x05", "\xFF")},
          }};
}

std::string usual_fingerprint(std::size_t size_bytes) {
  PageFingerprint usual;
  usual.state = FingerprintState::kUsable;
  usual.values.assign(size_bytes / 12, 1);
  usual.weights.assign(usual.values.size(), 1);
  std::string bytes;
  encode_fingerprint(usual, bytes);
  return bytes;
}

HostileKind fingerprint() {
  return {"fingerprint",
          '\0',
          of_size(usual_fingerprint),
          [](std::string_view bytes) {
            PageFingerprint decoded;
            (void)decode_fingerprint(bytes, decoded);
          },
          {
              {"zeros", repeated("\x02", "\0"sv)},
              {"ones", repeated("\x02", "\xFF")},
          }};
}

std::string usual_text_record(std::size_t size_bytes) {
  const std::string profile = profile_of(3)(size_bytes);
  TextRecord record;
  record.owner = "owner";
  record.profile = profile;
  std::string bytes;
  encode_text_record(record, bytes);
  return bytes;
}

HostileKind text_record() {
  return {"text_record",
          '\0',
          of_size(usual_text_record),
          [](std::string_view bytes) {
            TextRecord record;
            (void)decode_text_record(bytes, record);
            PageRecord page;
            (void)decode_page_record(bytes, page);
          },
          {
              {"template_paragraphs",
               [](std::size_t size_bytes) {
                 TextRecord record;
                 for (std::size_t i = 0; i < std::min<std::size_t>(size_bytes, 60'000); ++i) {
                   record.template_paragraphs.push_back(static_cast<std::uint16_t>(i));
                 }
                 std::string bytes;
                 encode_text_record(record, bytes);
                 return bytes;
               }},
              {"owner",
               [](std::size_t size_bytes) {
                 const std::string owner(size_bytes, 'a');
                 TextRecord record;
                 record.owner = owner;
                 std::string bytes;
                 encode_text_record(record, bytes);
                 return bytes;
               }},
          }};
}

// The votes of an index for site templates: as many counts of paragraphs as fit, without sites and filters.
std::string template_votes_of(std::size_t size_bytes, const std::function<std::uint64_t(std::uint64_t)>& key) {
  const std::uint64_t count = size_bytes / 12;
  std::string bytes = "paraprint site templates\n";
  append_value(kSiteTemplatesFormatVersion, bytes);
  append_value(std::uint64_t{0}, bytes);  // texts covered
  append_value(std::uint64_t{0}, bytes);  // sites
  append_value(count, bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    append_value(key(i), bytes);
    append_value(std::uint32_t{2}, bytes);
  }
  append_value(std::uint64_t{0}, bytes);  // filters
  append_value(std::uint64_t{XXH3_64bits(bytes.data(), bytes.size())}, bytes);
  return bytes;
}

HostileKind template_votes() {
  return {"template_votes",
          '\0',
          of_size([](std::size_t size_bytes) { return template_votes_of(size_bytes, mix64); }),
          [](std::string_view bytes) {
            SiteTemplates templates;
            std::uint64_t covered_text = 0;
            PARAPRINT_ASSERT(templates.decode(bytes, covered_text).has_value());
          },
          {
              {"keys_that_begin_alike",
               [](std::size_t size_bytes) { return template_votes_of(size_bytes, [](std::uint64_t i) { return i; }); }},
              {"keys_that_end_alike",
               [](std::size_t size_bytes) {
                 return template_votes_of(size_bytes, [](std::uint64_t i) { return i << 32; });
               }},
          }};
}

// Word counts of another process: as many words outside the dictionary as fit, each with the given hash.
std::string word_counts_of(std::size_t size_bytes, const std::function<std::uint64_t(std::uint64_t)>& hash) {
  const std::uint64_t count = size_bytes / 9;
  std::string bytes;
  ByteWriter out(bytes);
  out.fixed(text_data::paraprint_constants.version);
  out.variable(count);             // documents
  out.fixed(~std::uint64_t{0});    // no word is dropped
  out.variable(std::uint64_t{0});  // words of the dictionary
  out.variable(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    out.fixed(hash(i + 1));
    out.variable(std::uint64_t{1});
  }
  return bytes;
}

HostileKind word_counts() {
  return {
      "word_counts",
      '\0',
      of_size([](std::size_t size_bytes) { return word_counts_of(size_bytes, mix64); }),
      [](std::string_view bytes) {
        DocumentFrequencyCounter counter;
        PARAPRINT_ASSERT(counter.merge_encoded(bytes).has_value());
        const WordWeights weights = counter.weights();
        PARAPRINT_ASSERT(weights.version() != 0);
      },
      {
          {"hashes_that_begin_alike",
           [](std::size_t size_bytes) { return word_counts_of(size_bytes, [](std::uint64_t i) { return i; }); }},
          {"hashes_that_end_alike",
           [](std::size_t size_bytes) { return word_counts_of(size_bytes, [](std::uint64_t i) { return i << 32; }); }},
      }};
}

void read_labels(std::string_view bytes) {
  static const ScratchFile file(".tsv");
  file.write(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  (void)read_label_file(file.path(), "", "");
}

HostileKind labels() {
  return {"labels",
          '\n',
          items_of_text("id_a\tid_b\tlabel\tedits\n", "page{n}\tother{n}\tnear\tsynonyms\n", ""),
          read_labels,
          {
              {"pairs", repeated("", "a{n}\tb\tnear\n")},
              {"pairs_of_spaces", repeated("", "a{n} b near\n")},
              {"clusters", repeated("", "a{n}\tb\n")},
              {"columns", repeated("a\tb\tnear", "\tc", "\n")},
              {"columns_each", repeated("", "a{n}\tb\tnear\tc\td\te\tf\tg\th\ti\tj\n")},
              {"edit_columns", repeated("id_a\tid_b\tlabel", "\tedits", "\na\tb\tnear\n")},
              {"edit_columns_and_rows", in_two_halves("id_a\tid_b\tlabel", "\tedits", "\n", "a{n}\tb\tnear\n")},
              {"edits", repeated("id_a\tid_b\tlabel\tedits\n", "a{n}\tb\tnear\tc{n}\n")},
              {"one_id", repeated("", "a", "\tb\tnear\n")},
              {"comments", repeated("a\tb\tnear\n", "#\n")},
              {"blanks", repeated("a\tb\tnear\n", " \n")},
              {"headings", repeated("a\tb\tnear\n", "id_a\tid_b\tlabel\n")},
          }};
}

HostileKind synonyms() {
  return {"synonyms",
          '\n',
          items_of_text("", "fast{n} quick{n} rapid{n}\n", ""),
          [](std::string_view bytes) {
            SynonymLists lists;
            (void)lists.add(bytes, "file");
          },
          {
              {"classes", repeated("", "a{n} b{n}\n")},
              {"apart", repeated("", "! a b\n")},
              {"apart_in_classes", in_two_halves("", "a{n} b{n}\n", "", "! a1 a2 a3 a4 a5 a6 a7 a8\n")},
              {"one_word", repeated("", "a", " b\n")},
              {"one_line", repeated("a", " a{n}", "\n")},
              {"spaces", repeated("a", " ", "b\n")},
              {"comments", repeated("", "#\n")},
              {"chinese_words", repeated("", "\u4E2D\u534E{n} \u4EBA\u6C11{n}\n")},
              {"marks", repeated("a", "\u0301\u0316", " b\n")},
              {"chinese_word", repeated("", "\u4E2D", " b\n")},
          }};
}

}  // namespace

void add_file_inputs(std::vector<HostileKind>& kinds) {
  for (HostileKind kind : {vectors_as_text(), fasttext(), topic_model(), stored_profile(), fingerprint(), text_record(),
                           template_votes(), word_counts(), labels(), synonyms()}) {
    kinds.push_back(std::move(kind));
  }
}

}  // namespace paraprint
