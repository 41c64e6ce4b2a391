// Files that come from elsewhere: word vectors of other programs, profiles and the files of an index, labels.
#include <xxhash.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "base/byte_codec.h"
#include "base/hash.h"
#include "input_kinds.h"
#include "lab/evaluate/labelled_set.h"
#include "profile/fingerprint_codec.h"
#include "profile/profile_codec.h"
#include "read_file.h"
#include "repeated_text.h"
#include "semantics/vectors/import.h"
#include "semantics/vectors/word_vectors.h"
#include "store/index_records.h"
#include "store/site_templates.h"
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

HostileKind stored_fingerprint() {
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

// The same bytes, the last eight of which are the checksum of those before.
std::string with_checksum_at_end(std::string_view bytes) {
  if (bytes.size() < sizeof(std::uint64_t)) return std::string(bytes);
  std::string summed(bytes.substr(0, bytes.size() - sizeof(std::uint64_t)));
  append_value(std::uint64_t{XXH3_64bits(summed.data(), summed.size())}, summed);
  return summed;
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
  append_value(std::uint64_t{0}, bytes);
  return with_checksum_at_end(bytes);
}

bool are_template_votes(std::string_view bytes) {
  SiteTemplates templates;
  std::uint64_t covered_text = 0;
  return templates.decode(bytes, covered_text).has_value();
}

HostileKind template_votes() {
  return {"template_votes",
          '\0',
          of_size([](std::size_t size_bytes) { return template_votes_of(size_bytes, mix64); }),
          [](std::string_view bytes) { (void)are_template_votes(bytes); },
          {
              {"keys_that_begin_alike",
               [](std::size_t size_bytes) { return template_votes_of(size_bytes, [](std::uint64_t i) { return i; }); }},
              {"keys_that_end_alike",
               [](std::size_t size_bytes) {
                 return template_votes_of(size_bytes, [](std::uint64_t i) { return i << 32; });
               }},
          },
          are_template_votes,
          with_checksum_at_end};
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

bool are_word_counts(std::string_view bytes) {
  DocumentFrequencyCounter counter;
  if (!counter.merge_encoded(bytes)) return false;
  return counter.weights().version() != 0;
}

HostileKind word_counts() {
  return {
      "word_counts",
      '\0',
      of_size([](std::size_t size_bytes) { return word_counts_of(size_bytes, mix64); }),
      [](std::string_view bytes) { (void)are_word_counts(bytes); },
      {
          {"hashes_that_begin_alike",
           [](std::size_t size_bytes) { return word_counts_of(size_bytes, [](std::uint64_t i) { return i; }); }},
          {"hashes_that_end_alike",
           [](std::size_t size_bytes) { return word_counts_of(size_bytes, [](std::uint64_t i) { return i << 32; }); }},
      },
      are_word_counts};
}

void read_labels(std::string_view bytes) {
  static const ScratchFile file(".tsv");
  file.write(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const Result<LabelFile> labels = read_label_file(file.path(), "", "");
  // The pairs of a cluster are as many as the square of its pages (kTruthPairsMaximum).
  if (!labels || labels->is_clusters_alone) return;
  // Ids are pages in the order of first use, in which they are looked up.
  std::uint32_t page = 0;
  (void)bind_labels(*labels, labels->ids.size(), "", 1, [&](std::string_view) { return std::optional(page++); });
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
              {"edits_of_one_row", repeated("id_a\tid_b\tlabel\tedits\na\tb\tnear\tc", "+c{n}", "\n")},
              {"one_edit_of_one_row", repeated("id_a\tid_b\tlabel\tedits\na\tb\tnear\tc", "+c", "\n")},
              {"one_id", repeated("", "a", "\tb\tnear\n")},
              {"comments", repeated("a\tb\tnear\n", "#\n")},
              {"blanks", repeated("a\tb\tnear\n", " \n")},
              {"headings", repeated("a\tb\tnear\n", "id_a\tid_b\tlabel\n")},
          }};
}

}  // namespace

void add_file_inputs(std::vector<HostileKind>& kinds) {
  for (HostileKind kind : {vectors_as_text(), fasttext(), stored_profile(), stored_fingerprint(), text_record(),
                           template_votes(), word_counts(), labels()}) {
    kinds.push_back(std::move(kind));
  }
}

}  // namespace paraprint
