// Each step reuses the buffers of the page before it, so that a profiler allocates almost nothing once it has seen a
// few pages. The order of the steps is profile(): decode, parse, extract, segment, build features, fingerprint.
#include "profile/page_profiler.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <span>

#include "base/fingerprint_text.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "corpus/written_date.h"
#include "extract/plain_text.h"
#include "fingerprint/many_digests.h"
#include "fingerprint/page_sketch.h"
#include "fingerprint/simhash.h"
#include "http/header_block.h"
#include "memory/release_memory.h"
#include "options/option_table.h"
#include "profile/profile_codec.h"
#include "profile/profile_versions.h"
#include "profile/registry.h"
#include "profile/xml_text.h"
#include "text/xml_kind.h"

namespace paraprint::inline profile {
namespace {

// A body is binary, whatever its declared type, if more than one in kBinaryControlShare of its first bytes are NUL or
// other control bytes.
constexpr std::size_t kBinarySampleBytes = 1024;
constexpr std::size_t kBinaryControlShare = 10;

bool looks_binary(std::string_view text) {
  const std::string_view sample = text.substr(0, kBinarySampleBytes);
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' && byte != 0x1B;
  };
  const auto controls = static_cast<std::size_t>(std::count_if(sample.begin(), sample.end(), is_control));
  return controls * kBinaryControlShare > sample.size();
}

// What a page was sent as decides whether it is HTML: fragments behind an XML declaration are common in it. Pages from
// files, lines and programs that do not say what they are are XML if they declare it.
bool is_xml_document(const Page& page, std::string_view text) {
  const std::string type = media_type(page.content_type);
  const bool is_declared = is_xml_type(type);
  if (!is_declared && !type.empty()) return false;
  const XmlKind kind = xml_kind_of(text, is_declared);
  return kind == XmlKind::kDocument || kind == XmlKind::kListing;
}

// The first paragraph that is not a heading.
std::size_t opening_paragraph(const std::vector<Paragraph>& paragraphs) {
  std::size_t p = 0;
  while (p < paragraphs.size() && paragraphs[p].role == BlockRole::kHeading) ++p;
  return p;
}

bool uses_page_keywords(Relevance relevance) {
  return relevance != Relevance::kTopics && relevance != Relevance::kParagraph;
}
bool uses_paragraph_keywords(Relevance relevance) {
  return relevance == Relevance::kParagraph || relevance == Relevance::kPageAndParagraph;
}

// Null if relevance is decided by keywords alone.
Result<std::shared_ptr<const RelevanceModel>> open_relevance_model(const ProfileOptions& options) {
  if (options.relevance != Relevance::kTopics && options.relevance != Relevance::kBoth) {
    return std::shared_ptr<const RelevanceModel>();
  }
  PARAPRINT_ASSIGN(
      const Semantics* const semantics,
      semantics_for(fmt::format("relevance '{}'", option_text(profile_option_rows(), "relevance", options))));
  return semantics->open_relevance_model(options);
}

std::string_view range_of(const std::string& text, TextSpan span) {
  return std::string_view(text).substr(span.begin_bytes, span.size_bytes());
}

// Extraction reads the same attributes whatever else is kept, so its result is the same.
HtmlAttributeSet attributes_for(const Extractor& extractor, const ExtractDetail& detail) {
  HtmlAttributeSet attributes = extractor.attributes_read();
  if (detail.markdown) attributes = attributes | MarkdownWriter::attributes_read();
  if (detail.metadata) attributes = attributes | PageMetadataReader::attributes_read();
  return attributes;
}

}  // namespace

Result<std::unique_ptr<PageProfiler>> PageProfiler::create(const ProfileOptions& options, const WordWeights& weights,
                                                           const ExtractDetail& asked) {
  PARAPRINT_TRY(options.validate());
  ExtractDetail detail = asked;
  detail.metadata = asked.metadata || asked.provenance;
  PARAPRINT_ASSIGN(std::unique_ptr<Extractor> extractor, make_extractor(options.extractor));
  PARAPRINT_ASSIGN(AlgorithmChoice algorithm, choose_algorithm(options.algorithm));
  PARAPRINT_ASSIGN(std::shared_ptr<const Synonyms> synonyms, load_synonyms(options));
  PARAPRINT_ASSIGN(std::shared_ptr<const RelevanceModel> relevance, open_relevance_model(options));
  Parts parts;
  parts.extractor = std::move(extractor);
  if (!algorithm.is_paragraph_method()) parts.fingerprinter = algorithm.make();
  parts.synonyms = std::move(synonyms);
  parts.relevance_model = std::move(relevance);
  return std::unique_ptr<PageProfiler>(new PageProfiler(options, weights, detail, std::move(parts)));
}

PageProfiler::PageProfiler(const ProfileOptions& options, const WordWeights& weights, const ExtractDetail& detail,
                           Parts parts)
    : options_(options),
      weights_(weights),
      detail_(detail),
      extractor_(std::move(parts.extractor)),
      decoder_(std::make_unique<PageDecoder>()),
      document_(HtmlLimits{}, attributes_for(*extractor_, detail)),
      synonyms_(std::move(parts.synonyms)),
      relevance_model_(std::move(parts.relevance_model)),
      sentence_relevance_(relevance_model_ ? relevance_model_->make_relevance() : nullptr),
      feature_builder_(std::make_unique<FeatureBuilder>(weights, feature_options())),
      terms_builder_(std::make_unique<PageTermsBuilder>(weights, options.fold_traditional)),
      fingerprinter_(std::move(parts.fingerprinter)) {}

FeatureOptions PageProfiler::feature_options() const {
  return {.sentence_candidate_characters = static_cast<std::uint32_t>(options_.anchor_characters),
          .fold_traditional = options_.fold_traditional,
          .use_blake2b = options_.word_hash == WordHash::kBlake2b,
          .weigh_part_of_speech = options_.part_of_speech,
          .synonyms = synonyms_ ? &synonyms_->table : nullptr,
          .keyword_relevance = uses_page_keywords(options_.relevance),
          .paragraph_relevance = uses_paragraph_keywords(options_.relevance),
          .model_relevance = sentence_relevance_.get()};
}

// What grew with the last page is made again if that was larger than most, so that no page occupies memory for good.
// The C library would keep most of it.
void PageProfiler::release_large_page() {
  constexpr std::size_t kKeptBytes = std::size_t{4} << 20;
  constexpr std::size_t kKeptTextBytes = std::size_t{1} << 20;  // words and sentences take fifty times as much
  constexpr std::size_t kKeptBlocks = std::size_t{1} << 16;
  const std::size_t text_bytes = std::max(content_.text.capacity(), content_.title.capacity());
  const bool is_ordinary_text = text_bytes <= kKeptTextBytes && content_.blocks.capacity() <= kKeptBlocks;
  if (body_bytes_ <= kKeptBytes && is_ordinary_text) return;
  decoder_ = std::make_unique<PageDecoder>();
  feature_builder_ = std::make_unique<FeatureBuilder>(weights_, feature_options());
  terms_builder_ = std::make_unique<PageTermsBuilder>(weights_, options_.fold_traditional);
  release_memory(segmenter_, content_, content_runs_, paragraphs_, features_, profile_, terms_, page_fingerprint_,
                 hashed_texts_, digests_, paragraph_hashes_, sentence_hashes_, hashes_, votes_, ranked_, word_hashes_,
                 number_hashes_);
  malloc_trim(0);
}

// A step that is stopped returns early, and the steps after it are left out.
void PageProfiler::extract_until(const Page& page, StopCheck& stop) {
  release_large_page();
  content_.clear();
  notes_ = PageNotes{};
  is_parsed_ = false;
  content_runs_.clear();
  url_ = page.url;
  body_bytes_ = page.body.size();
  const DecodedPage& decoded = decoder_->decode(page.body, page.content_type, page.format, page.body_is_utf8);
  notes_.charset = decoded.charset;
  notes_.charset_source = charset_source_name(decoded.source);
  notes_.charset_overruled = decoded.declaration_overruled;
  notes_.dropped_sequences = decoded.dropped_sequences;
  if (looks_binary(decoded.text)) {
    notes_.is_not_html = true;
    return;
  }
  if (page.format == PageFormat::kPlainText) {
    extract_plain_text(decoded.text, content_, {}, stop);
    return;
  }
  if (is_xml_document(page, decoded.text)) {
    notes_.limits.input_bytes = decoded.text.size() > kXmlBytesMaximum;
    extract_xml_text(decoded.text, content_, stop);
    return;
  }
  if (!document_.parse(decoded.text, stop)) {
    if (stop.is_stopped()) return;
    throw std::bad_alloc();  // the only failure of parse(); do not report that as an empty page
  }
  notes_.limits = document_.limits_passed();
  is_parsed_ = true;
  extractor_->extract(document_, content_, stop, detail_.markdown ? &content_runs_ : nullptr);
  if (!detail_.markdown && !detail_.metadata && document_.release_if_large()) malloc_trim(0);
}

Result<std::string> PageProfiler::markdown(StopCheck& stop) {
  std::string markdown;
  if (detail_.markdown) markdown_writer_.write(document_, content_, content_runs_, url_, markdown, stop);
  if (stop.is_stopped()) return tl::unexpected<Error>(stop.status().error());
  return markdown;
}

Result<PageMetadata> PageProfiler::metadata(StopCheck& stop) {
  PARAPRINT_ASSIGN(PageMetadata metadata, stated_metadata(stop));
  if (detail_.metadata) metadata.language = language().text();
  return metadata;
}

Result<PageMetadata> PageProfiler::stated_metadata(StopCheck& stop) {
  PageMetadata metadata;
  if (!detail_.metadata) return metadata;
  if (is_parsed_) {
    metadata_reader_.read(document_, url_, metadata, stop);
  } else {
    metadata.date_published = date_in_address(url_);
  }
  if (stop.is_stopped()) return tl::unexpected<Error>(stop.status().error());
  return metadata;
}

Result<StatedOrigin> PageProfiler::stated_origin(StopCheck& stop) {
  StatedOrigin origin;
  PARAPRINT_ASSIGN(origin.metadata, stated_metadata(stop));
  if (!detail_.metadata) return origin;
  if (!is_parsed_) {
    if (!origin.metadata.date_published.empty()) origin.date_place = DatePlace::kAddress;
    return origin;
  }
  origin.date_place = metadata_reader_.date_place();
  link_reader_.read(document_, url_, origin.linked, stop);
  if (stop.is_stopped()) return tl::unexpected<Error>(stop.status().error());
  return origin;
}

void PageProfiler::profile_until(const Page& page, StopCheck& stop) {
  extract_until(page, stop);
  if (options_.paragraphs && !stop.is_stopped()) profile_content_until(stop);
  if (fingerprinter_ && !stop.is_stopped()) fingerprint_page(page, stop);
}

// Nothing half-made may be taken for a result.
Status PageProfiler::forget_if(const StopCheck& stop) {
  if (!stop.is_stopped()) return {};
  content_.clear();
  content_runs_.clear();
  is_parsed_ = false;
  paragraphs_.clear();
  features_.clear();
  profile_ = Profile{};
  page_fingerprint_ = PageFingerprint{};
  notes_ = PageNotes{};
  return stop.status();
}

Result<const MainContent*> PageProfiler::extract(const Page& page, StopCheck& stop) {
  extract_until(page, stop);
  PARAPRINT_TRY(forget_if(stop));
  return &content_;
}

Result<const Profile*> PageProfiler::profile(const Page& page, StopCheck& stop) {
  profile_until(page, stop);
  PARAPRINT_TRY(forget_if(stop));
  return &profile_;
}

Result<const Profile*> PageProfiler::profile_of_content(StopCheck& stop) {
  profile_content_until(stop);
  PARAPRINT_TRY(forget_if(stop));
  return &profile_;
}

const MainContent& PageProfiler::extract(const Page& page) {
  StopCheck never;
  extract_until(page, never);
  return content_;
}

const Profile& PageProfiler::profile(const Page& page) {
  StopCheck never;
  profile_until(page, never);
  return profile_;
}

void PageProfiler::profile_content_until(StopCheck& stop) {
  segmenter_.segment(content_, paragraphs_, stop);
  if (stop.is_stopped()) return;
  if (paragraphs_.size() > kParagraphsPerPage) {
    notes_.paragraphs_left_out = paragraphs_.size() - kParagraphsPerPage;
    paragraphs_.resize(kParagraphsPerPage);
  }
  feature_builder_->build(content_, paragraphs_, features_, stop);
  if (!stop.is_stopped()) fingerprint(stop);
}

void PageProfiler::fingerprint_page(const Page& page, StopCheck& stop) {
  if (fingerprinter_->reads_words()) {
    terms_builder_->build(content_, terms_, stop);
  } else {
    terms_builder_->build_text(content_, terms_, stop);
  }
  if (stop.is_stopped()) return;
  if (!options_.paragraphs) {
    profile_ = Profile{};
    profile_.content_characters = terms_.content_characters;
  }
  make_page_fingerprint(*fingerprinter_, {page, terms_, profile_}, page_fingerprint_);
}

void PageProfiler::fingerprint(StopCheck& stop) {
  profile_.content_characters = features_.content_characters;
  profile_.paragraphs.clear();
  profile_.sentences.clear();
  hash_texts(stop);
  for (std::size_t p = 0; p < paragraphs_.size() && !stop.is_stopped(); ++p) {
    fingerprint_paragraph(p);
    stop.after(StopCheck::kUnitsPerNode + paragraphs_[p].span.size_bytes());
  }
  if (!stop.is_stopped()) sketch_page();
}

// Many at once, because that takes a third of the time of hashing them one by one, the longest first. A paragraph of
// one sentence has the hash of that sentence, and the only paragraph of a page that of the text. A long text would end
// long after the others, so it is hashed by itself.
void PageProfiler::hash_texts(StopCheck& stop) {
  constexpr std::size_t kTextHashedAlongBytes = 2048;
  const std::string& text = features_.content_text;
  const bool is_hashed_along = text.size() <= kTextHashedAlongBytes;
  const auto is_one_sentence = [](const ParagraphFeatures& paragraph) { return paragraph.sentences.size() == 1; };
  const auto is_text = [&](const ParagraphFeatures& paragraph) {
    return is_hashed_along && paragraph.content.size_bytes() == text.size();
  };
  hashed_texts_.clear();
  if (is_hashed_along) hashed_texts_.push_back(text);
  for (const ParagraphFeatures& paragraph : features_.paragraphs) {
    if (is_one_sentence(paragraph) || is_text(paragraph)) continue;
    hashed_texts_.push_back(range_of(text, paragraph.content));
  }
  const std::size_t first_sentence = hashed_texts_.size();
  for (const SentenceFeatures& sentence : features_.sentences) {
    hashed_texts_.push_back(range_of(text, sentence.content));
  }
  constexpr std::size_t kPiece = 1024;
  digests_.clear();
  for (std::span<const std::string_view> left = hashed_texts_; !left.empty();) {
    const std::span<const std::string_view> piece = left.first(std::min(kPiece, left.size()));
    left = left.subspan(piece.size());
    blake2b128_of_each(piece, digests_of_piece_);
    digests_.insert(digests_.end(), digests_of_piece_.begin(), digests_of_piece_.end());
    if (stop.after(piece.size() * StopCheck::kUnitsPerNode)) return;
  }
  profile_.text_hash =
      is_hashed_along ? std::array<std::uint64_t, 2>{digests_[0].high, digests_[0].low} : text_hash_of(text);
  sentence_hashes_.clear();
  for (std::size_t at = first_sentence; at < digests_.size(); ++at) sentence_hashes_.push_back(digests_[at].high);
  paragraph_hashes_.clear();
  std::size_t next = is_hashed_along ? 1 : 0;
  for (const ParagraphFeatures& paragraph : features_.paragraphs) {
    paragraph_hashes_.push_back(is_one_sentence(paragraph) ? sentence_hashes_[paragraph.sentences.begin]
                                : is_text(paragraph)       ? digests_[0].high
                                                           : digests_[next++].high);
  }
}

void PageProfiler::sketch_page() {
  word_hashes_.clear();
  for (const std::uint32_t word : features_.word_of_token) word_hashes_.push_back(features_.words[word].hash.high);
  number_hashes_.clear();
  for (const PageWord& word : features_.words) {
    if (word.is_number) number_hashes_.push_back(word.hash.high);
  }
  make_page_sketch(word_hashes_, number_hashes_, profile_.sketch);
}

void PageProfiler::fingerprint_paragraph(std::size_t index) {
  const Paragraph& paragraph = paragraphs_[index];
  const ParagraphFeatures& features = features_.paragraphs[index];
  ParagraphProfile result;
  result.hash = paragraph_hashes_[index];
  result.span = paragraph.span;
  result.role = paragraph.role;
  result.list_level = paragraph.list_level;
  result.after_heading = paragraph.after_heading;
  for (std::uint32_t s = features.sentences.begin; s < features.sentences.end; ++s) {
    const SentenceFeatures& sentence = features_.sentences[s];
    result.content_characters += sentence.content_characters;
    profile_.sentences.push_back({sentence_hashes_[s], sentence.span,
                                  static_cast<std::uint16_t>(std::min<std::uint32_t>(
                                      sentence.content_characters, std::numeric_limits<std::uint16_t>::max())),
                                  static_cast<std::uint16_t>(index), false});
  }
  choose_anchors(features);
  result.has_simhash = features.distinct_words >= static_cast<std::uint32_t>(options_.simhash_words);
  if (result.has_simhash) {
    const bool long_only = options_.paragraph_words == ParagraphWords::kLong;
    hashes_.clear();
    votes_.clear();
    if (long_only) std::sort(ranked_.begin(), ranked_.end());  // a heading may have any number of sentences
    for (std::uint32_t s = features.sentences.begin; s < features.sentences.end; ++s) {
      const SentenceFeatures& sentence = features_.sentences[s];
      const bool is_selected = !long_only || std::binary_search(ranked_.begin(), ranked_.end(), s);
      if (!is_selected) continue;
      const float factor = long_only && sentence.weight > 0 ? sentence.weight : 1.0F;
      for (std::uint32_t t = sentence.words.begin; t < sentence.words.end; ++t) {
        vote(features_.words[features_.word_of_token[t]], factor);
      }
    }
    if (options_.structure_share > 0) vote_structure(paragraph, index == opening_paragraph(paragraphs_));
    if (synonyms_ && synonyms_->dense) {
      const std::optional<Fingerprint128> dense =
          synonyms_->dense->fingerprint(hashes_, votes_, static_cast<std::size_t>(options_.simhash_words));
      result.has_simhash = dense.has_value();
      result.simhash = dense.value_or(Fingerprint128{});
    } else {
      result.simhash = simhash128(hashes_, votes_);
    }
  }
  profile_.paragraphs.push_back(result);
}

// Adds the votes of one occurrence of a word, and of its synonyms, to the fingerprint of its paragraph.
void PageProfiler::vote(const PageWord& word, float factor) {
  const auto weighted = [factor](std::uint32_t vote) {
    return factor == 1.0F ? vote : static_cast<std::uint32_t>(std::lround(static_cast<float>(vote) * factor));
  };
  if (word.vote == 0) return;
  hashes_.push_back(word.hash);
  votes_.push_back(weighted(word.vote));
  for (std::uint32_t n = word.neighbours.begin; n < word.neighbours.end; ++n) {
    hashes_.push_back(features_.neighbours[n].hash);
    votes_.push_back(weighted(features_.neighbours[n].vote));
  }
}

// Adds three votes about the place of a paragraph, which together have structure_share of all votes: its role, its
// depth in lists, and what it follows. Their names are no words of any text.
void PageProfiler::vote_structure(const Paragraph& paragraph, bool is_opening) {
  const double words = std::accumulate(votes_.begin(), votes_.end(), 0.0);
  const double share = options_.structure_share;
  const double vote = words * share / (1 - share) / 3;
  const std::string_view place = is_opening ? "opening" : paragraph.after_heading ? "heading" : "text";
  const bool use_blake2b = options_.word_hash == WordHash::kBlake2b;
  for (const std::string& name :
       {fmt::format("\037role {}", static_cast<int>(paragraph.role)), fmt::format("\037level {}", paragraph.list_level),
        fmt::format("\037after {}", place)}) {
    append_feature(use_blake2b ? blake2b128(name) : murmur128(name), static_cast<std::uint64_t>(vote), hashes_, votes_);
  }
}

// Leaves the selected long sentences (docs/algorithms/sentence-weights-and-anchors.md: the heavier half of the
// candidates; all sentences where there is no candidate) in ranked_, heaviest first, and marks the first of them as
// anchors.
void PageProfiler::choose_anchors(const ParagraphFeatures& paragraph) {
  ranked_.clear();
  for (std::uint32_t s = paragraph.sentences.begin; s < paragraph.sentences.end; ++s) {
    if (features_.sentences[s].weight > 0) ranked_.push_back(s);
  }
  if (ranked_.empty()) {
    for (std::uint32_t s = paragraph.sentences.begin; s < paragraph.sentences.end; ++s) ranked_.push_back(s);
    return;
  }
  std::sort(ranked_.begin(), ranked_.end(), [this](std::uint32_t x, std::uint32_t y) {
    const float weight_x = features_.sentences[x].weight;
    const float weight_y = features_.sentences[y].weight;
    return weight_x != weight_y ? weight_x > weight_y : x < y;
  });
  const std::size_t anchors = std::min(ranked_.size(), static_cast<std::size_t>(options_.anchors));
  const std::size_t first_of_paragraph = profile_.sentences.size() - paragraph.sentences.size();
  for (std::size_t i = 0; i < anchors; ++i) {
    profile_.sentences[first_of_paragraph + ranked_[i] - paragraph.sentences.begin].is_anchor = true;
  }
  ranked_.resize((ranked_.size() + 1) / 2);
}

// The order is part of the stored form. Options that were added later follow the versions of rules and data, and only
// if they differ from their default, so that adding one leaves the identities of default settings as they are.
Result<std::string> settings_identity(const ProfileOptions& options, const WordWeights& weights) {
  PARAPRINT_ASSIGN(const std::shared_ptr<const Synonyms> synonyms, load_synonyms(options));
  PARAPRINT_ASSIGN(const std::shared_ptr<const RelevanceModel> relevance, open_relevance_model(options));
  PARAPRINT_ASSIGN(const AlgorithmChoice algorithm, choose_algorithm(options.algorithm));
  const auto rows = profile_option_rows();
  const ResolvedValue weights_used = {"idf",
                                      fmt::format("{}/{:016x}", option_text(rows, "idf", options), weights.version())};
  std::string relevance_used = options.relevance == Relevance::kKeywords ? "" : option_text(rows, "relevance", options);
  if (relevance) relevance_used += "/" + relevance->version();
  // Lists and models enter by their content, an algorithm with all its parameters.
  const std::array<ResolvedValue, 3> resolved = {{
      {"synonyms", synonyms ? synonyms->identity : ""},
      {"relevance", relevance_used},
      {"algorithm", algorithm.is_paragraph_method() ? "" : algorithm.canonical},
  }};
  return fmt::format("{}{}{}{}{}", kProfileFormatName, kProfileFormatVersion,
                     identity_of(rows, options, kProfileIdentity, std::span(&weights_used, 1)), rules_identity(),
                     identity_of(rows, options, kProfileIdentityIfSet, resolved));
}

}  // namespace paraprint::inline profile
