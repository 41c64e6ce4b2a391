// From a page to its profile: the first half of the story, in one place.
//
//   Page --decode--> UTF-8 --parse--> DOM --extract--> MainContent --segment--> Paragraphs
//        --feature--> words and sentences --fingerprint--> Profile
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "corpus/linked_addresses.h"
#include "corpus/markdown_writer.h"
#include "corpus/page_metadata.h"
#include "extract/extractor.h"
#include "feature/page_features.h"
#include "feature/page_terms.h"
#include "fingerprint/page_fingerprinter.h"
#include "html/charset.h"
#include "html/document.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/result.h"
#include "profile/synonym_choice.h"
#include "segment/paragraph_segmenter.h"
#include "text/language.h"
#include "text/word_weights.h"

namespace paraprint::inline profile {

// Observations about a page; each is a counter of the summary.
struct PageNotes {
  std::string_view charset;
  std::string_view charset_source;
  bool charset_overruled = false;       // the declared charset contradicted the bytes
  std::uint64_t dropped_sequences = 0;  // invalid byte sequences left out
  HtmlLimitsPassed limits;
  bool is_not_html = false;               // binary data or another format under an HTML type
  std::uint64_t paragraphs_left_out = 0;  // beyond kParagraphsPerPage
};

// Maximum number of paragraphs per page. The paragraphs beyond it are dropped and counted.
inline constexpr std::size_t kParagraphsPerPage = 20'000;

// Holds parser and scratch memory: use one instance per thread. `weights` must outlive it.
class PageProfiler {
 public:
  // Errors: kInvalidArgument for options that validate() rejects or an unknown extractor, and those of load_synonyms()
  // and of opening the relevance model.
  static Result<std::unique_ptr<PageProfiler>> create(const ProfileOptions& options, const WordWeights& weights,
                                                      const ExtractDetail& detail = {});

  // Both start from the page's bytes and replace the results of earlier calls. A body that cannot be read as a page
  // gives an empty result, with notes; out of memory is std::bad_alloc. Without paragraphs (ProfileOptions), a profile
  // has only content_characters. The only error is kCancelled, if `stop` is stopped: then there are no results.
  Result<const MainContent*> extract(const Page& page, StopCheck& stop);
  Result<const Profile*> profile(const Page& page, StopCheck& stop);
  // The same to the end. They never fail.
  const MainContent& extract(const Page& page);
  const Profile& profile(const Page& page);

  // The rest of profile() after extract(), without the fingerprint of another algorithm.
  Result<const Profile*> profile_of_content(StopCheck& stop);

  const MainContent& content() const { return content_; }
  // Of the last page, if ExtractDetail asked for them; made by each call. The only error is kCancelled.
  Result<std::string> markdown(StopCheck& stop);
  Result<PageMetadata> metadata(StopCheck& stop);
  // Without the language of the content, which takes longer than the rest.
  Result<PageMetadata> stated_metadata(StopCheck& stop);
  // With where its date was read and the pages that it links to.
  Result<StatedOrigin> stated_origin(StopCheck& stop);
  // Of the main content of the last page. Identified by each call (identify_language()).
  LanguageCode language() const { return identify_language(content_.text); }
  const std::vector<Paragraph>& paragraphs() const { return paragraphs_; }
  const PageFeatures& features() const { return features_; }  // of the last profile()
  const PageNotes& notes() const { return notes_; }
  // Of the last profile(): the fingerprint by the algorithm of the options, and the words it was made of. Both are
  // empty under the paragraph method.
  const PageFingerprint& page_fingerprint() const { return page_fingerprint_; }
  const PageTerms& terms() const { return terms_; }

 private:
  // The parts named by the options, created or loaded.
  struct Parts {
    std::unique_ptr<Extractor> extractor;
    std::unique_ptr<PageFingerprinter> fingerprinter;
    std::shared_ptr<const Synonyms> synonyms;
    std::shared_ptr<const RelevanceModel> relevance_model;
  };

  PageProfiler(const ProfileOptions& options, const WordWeights& weights, const ExtractDetail& detail, Parts parts);

  FeatureOptions feature_options() const;
  void release_large_page();
  void extract_until(const Page& page, StopCheck& stop);
  void profile_until(const Page& page, StopCheck& stop);
  void profile_content_until(StopCheck& stop);
  Status forget_if(const StopCheck& stop);
  void fingerprint(StopCheck& stop);
  void hash_texts(StopCheck& stop);
  void fingerprint_paragraph(std::size_t index);
  void vote(const PageWord& word, float factor);
  void vote_structure(const Paragraph& paragraph, bool is_opening);
  void sketch_page();
  void choose_anchors(const ParagraphFeatures& paragraph);
  void fingerprint_page(const Page& page, StopCheck& stop);

  ProfileOptions options_;
  const WordWeights& weights_;
  ExtractDetail detail_;
  std::unique_ptr<Extractor> extractor_;
  std::unique_ptr<PageDecoder> decoder_;  // this and the two builders below: made again after a large page
  std::size_t body_bytes_ = 0;            // of the last page
  HtmlDocument document_;
  ParagraphSegmenter segmenter_;
  std::shared_ptr<const Synonyms> synonyms_;               // null: off
  std::shared_ptr<const RelevanceModel> relevance_model_;  // null: keywords alone
  std::unique_ptr<SentenceRelevance> sentence_relevance_;
  std::unique_ptr<FeatureBuilder> feature_builder_;
  std::unique_ptr<PageTermsBuilder> terms_builder_;
  std::unique_ptr<PageFingerprinter> fingerprinter_;  // null under the paragraph method
  MainContent content_;
  std::vector<Paragraph> paragraphs_;
  PageFeatures features_;
  Profile profile_;
  PageTerms terms_;
  PageFingerprint page_fingerprint_;
  PageNotes notes_;
  std::string url_;         // of the last page
  bool is_parsed_ = false;  // document_ is the last page, which is HTML
  std::vector<ContentRun> content_runs_;
  MarkdownWriter markdown_writer_;
  PageMetadataReader metadata_reader_;
  LinkedAddressReader link_reader_;
  std::vector<std::string_view> hashed_texts_;  // the text, the paragraphs that are hashed, the sentences
  std::vector<Fingerprint128> digests_;         // of these
  std::vector<Fingerprint128> digests_of_piece_;
  std::vector<std::uint64_t> paragraph_hashes_;
  std::vector<std::uint64_t> sentence_hashes_;
  std::vector<Fingerprint128> hashes_;
  std::vector<std::uint32_t> votes_;
  std::vector<std::uint32_t> ranked_;
  std::vector<std::uint64_t> word_hashes_;    // of the page in text order
  std::vector<std::uint64_t> number_hashes_;  // distinct
};

// Names everything that a profile depends on: options, format version, versions of data and models. Errors: those of
// load_synonyms() and of opening the relevance model.
Result<std::string> settings_identity(const ProfileOptions& options, const WordWeights& weights);

}  // namespace paraprint::inline profile
