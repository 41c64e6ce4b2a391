// What the simulation of the index knows: a small set of texts of which every pair is compared beforehand, and, for
// each page id, which of these texts it has had, and from when to when.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "online/candidate_search.h"
#include "online/generated_profiles.h"
#include "online/page_algorithm.h"

namespace paraprint {

// Articles with edited, shortened and reworded copies, texts with few words and none, and one whose hash is that of
// another although their lengths differ.
class SimulatedTexts {
 public:
  // Under an algorithm, it must be one of 64 bits, such as simhash-64.
  explicit SimulatedTexts(const IndexOptions& options) : algorithm_(options.algorithm) {
    ArticleGenerator generator(20);
    for (int article = 0; article < 3; ++article) {
      const ArticleGenerator::Article original = generator.article(4);
      add(original);
      add(generator.edited(original, 1));
      add(generator.edited(original, 3));
      add(generator.reworded(original, 20));
      ArticleGenerator::Article part = original;
      part.paragraphs.resize(2);
      add(part);
    }
    ArticleGenerator::Article line;
    line.paragraphs.push_back(generator.paragraph(1));
    line.paragraphs.front().sentences.front().characters = 20;
    add(line);
    add({});
    Profile forged = profiles_.front();
    forged.content_characters += 100;
    profiles_.push_back(forged);
    fingerprints_.push_back(fingerprint_of(forged, fingerprints_.front().values[0]));
    if (!options.algorithm.empty()) {
      compare_fingerprints(options);
    } else {
      compare_profiles(options);
    }
    find_families();
  }

  // IndexOptions::algorithm of the index that the texts are for.
  const std::string& algorithm() const { return algorithm_; }

  std::size_t size() const { return profiles_.size(); }
  const Profile& profile(std::size_t text) const { return profiles_[text]; }
  const PageFingerprint& fingerprint(std::size_t text) const { return fingerprints_[text]; }
  // "`asked` is <verdict> `known`".
  Verdict verdict(std::size_t asked, std::size_t known) const { return verdicts_[asked * size() + known]; }
  // Texts of one family are connected by near ones: what a cluster may hold whose pages change a little at a time.
  std::size_t family(std::size_t text) const { return families_[text]; }
  bool is_equal(std::size_t x, std::size_t y) const { return is_equal_text(profiles_[x], profiles_[y]); }
  std::size_t find(const Profile& profile) const {
    const auto is_it = [&](const Profile& other) { return is_equal_text(profile, other); };
    return static_cast<std::size_t>(std::find_if(profiles_.begin(), profiles_.end(), is_it) - profiles_.begin());
  }

  // Lower is better, as in answers.
  static int rank(Verdict verdict) {
    switch (verdict) {
      case Verdict::kSame:
        return 0;
      case Verdict::kNear:
        return 1;
      case Verdict::kContained:
      case Verdict::kContains:
        return 2;
      case Verdict::kOverlap:
        return 3;
      case Verdict::kDistinct:
        break;
    }
    return kNoMatch;
  }
  static constexpr int kNoMatch = 4;

 private:
  // An edit may have changed nothing.
  void add(const ArticleGenerator::Article& article) {
    Profile profile = ArticleGenerator::profile_of(article);
    if (find(profile) != size()) return;
    fingerprints_.push_back(
        fingerprint_of(profile, article.paragraphs.empty() ? 0 : article.paragraphs.front().simhash.high));
    profiles_.push_back(std::move(profile));
  }
  static PageFingerprint fingerprint_of(const Profile& profile, std::uint64_t value) {
    PageFingerprint fingerprint;
    fingerprint.state = profile.content_characters == 0                     ? FingerprintState::kEmpty
                        : profile.content_characters < kShortPageCharacters ? FingerprintState::kShort
                                                                            : FingerprintState::kUsable;
    fingerprint.text_hash = profile.text_hash;
    fingerprint.values = {value};
    return fingerprint;
  }
  void compare_fingerprints(const IndexOptions& options) {
    const auto algorithm = PageAlgorithm::create(options.algorithm);
    for (std::size_t asked = 0; asked < size(); ++asked) {
      for (std::size_t known = 0; known < size(); ++known) {
        Verdict verdict = algorithm.value()
                              ->match(fingerprints_[asked], profiles_[asked].content_characters, fingerprints_[known],
                                      profiles_[known].content_characters, options.match)
                              .verdict;
        if (is_equal(asked, known)) verdict = Verdict::kSame;
        verdicts_.push_back(profiles_[asked].content_characters == 0 ? Verdict::kDistinct : verdict);
      }
    }
  }
  void compare_profiles(const IndexOptions& options) {
    PairJudge judge(options.match, options.candidates);
    const SiteTemplates no_templates;
    for (const Profile& asked : profiles_) {
      SearchQuery query;
      make_query(asked, 0, no_templates, options.match, options.candidates, query);
      for (const Profile& known : profiles_) {
        const std::vector<std::uint8_t> flags(known.paragraphs.size(), 0);
        FoundText found;
        bool was_compared = false;
        const bool matches = judge.judge(query, {&known, flags}, false, found, was_compared);
        verdicts_.push_back(matches ? found.verdict : Verdict::kDistinct);
      }
    }
  }

  void find_families() {
    for (std::size_t text = 0; text < size(); ++text) families_.push_back(text);
    for (std::size_t pair = 0; pair < verdicts_.size(); ++pair) {
      if (rank(verdicts_[pair]) > 1) continue;
      const std::size_t kept = families_[pair / size()];
      const std::size_t joined = families_[pair % size()];
      std::replace(families_.begin(), families_.end(), joined, kept);
    }
  }

  std::string algorithm_;
  std::vector<std::size_t> families_;
  std::vector<Profile> profiles_;
  std::vector<PageFingerprint> fingerprints_;
  std::vector<Verdict> verdicts_;
};

// Moments are numbered by the test. A change takes effect at some moment between its begin and its end.
using Moment = std::uint64_t;
inline constexpr Moment kNever = std::numeric_limits<Moment>::max();

// One page id. One thread at a time changes it; any number of threads read it.
class SimulatedPage {
 public:
  static constexpr int kAbsent = -1;

  // What the page is after all changes, unless is_uncertain().
  int text() const { return history_.back().text; }
  bool is_there() const { return text() != kAbsent; }
  bool is_uncertain() const { return history_.back().end == kNever; }
  Moment changed_at() const { return history_.back().end; }

  void begin_change(int text, Moment now) { history_.push_back({text, now, kNever}); }
  void end_change(Moment now) { history_.back().end = now; }
  void cancel_change() { history_.pop_back(); }
  // The page turned out to have this text, after a change that may have failed.
  void settle(int text, Moment now) {
    if (is_uncertain() && this->text() != text) cancel_change();
    if (is_uncertain()) end_change(now);
    if (this->text() != text) history_.push_back({text, 0, now});
  }
  // For a moment at which no thread reads the page.
  void forget_past() { history_.assign(1, {text(), 0, 0}); }

  // Calls `visit` with each text that the page may have had at some moment from `first` to `last`.
  template <class Visitor>
  void for_each_possible(Moment first, Moment last, const Visitor& visit) const {
    for (std::size_t i = history_.size(); i-- > 0;) {
      if (history_[i].begin <= last) visit(history_[i].text);
      if (history_[i].end < first) return;  // it took effect before, and ended what was before it
    }
  }
  bool is_possible(int text, Moment first, Moment last) const {
    bool is_it = false;
    for_each_possible(first, last, [&](int possible) { is_it = is_it || possible == text; });
    return is_it;
  }

  // Known exactly while the page is there and certain.
  std::string url;
  std::string date;
  std::string stated_date;  // of publication; empty if no statement is stored
  std::string cluster;
  std::uint64_t first_seen_seconds = 0;
  std::uint64_t last_seen_seconds = 0;
  bool was_called_new = false;  // the last change made it a page of a text that no page had

 private:
  struct Change {
    int text = kAbsent;
    Moment begin = 0;
    Moment end = 0;
  };
  std::vector<Change> history_ = {Change{}};
};

}  // namespace paraprint
