// Reads the profiles of the pages that stay and hands them to the finders of src/trim, numbered in the order of the
// survivor policy. Their texts are not stored: pages with paragraphs to compare are read once more, and so are those
// that lose something and whose records are not text.
#include "engine/page_trims.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/stored_page_reader.h"
#include "profile/page_match.h"
#include "profile/profile_codec.h"
#include "report/json_lines.h"
#include "trim/repeated_paragraphs.h"
#include "trim/repeated_sentences.h"
#include "trim/trimmed_text.h"

namespace paraprint::inline engine {
namespace {

// Texts in memory at a time.
constexpr std::size_t kTextsPerRead = 1024;
constexpr std::uint64_t kMemoryPerText = 8;  // of which they may have one part

// Counts the texts that are to be read together.
class TextBatch {
 public:
  explicit TextBatch(const RunSetup& run) : bytes_maximum_(run.options.resources.memory / kMemoryPerText) {}

  bool is_full() const { return texts_ >= kTextsPerRead || (texts_ > 0 && size_bytes_ >= bytes_maximum_); }
  std::uint64_t size_bytes() const { return size_bytes_; }
  void add(std::uint64_t text_bytes) {
    ++texts_;
    size_bytes_ += text_bytes;
  }

 private:
  std::uint64_t bytes_maximum_;
  std::size_t texts_ = 0;
  std::uint64_t size_bytes_ = 0;
};

PassageRules passage_rules(const DedupOptions& given) {
  const OutputOptions& options = given.output;
  PassageRules rules;
  rules.fold_traditional = given.profile.fold_traditional;
  rules.characters_minimum = options.trim_characters;
  rules.places_minimum = options.trim_places;
  rules.distance_bits = options.trim_bits;
  rules.within_sites = options.trim_sites;
  return rules;
}

// The pages that stay, the one that keeps passages rather than others first.
Result<SpillArray<std::uint32_t>> pages_in_order_of_keeping(const PageTable& pages, const Decisions& decisions) {
  SpillArray<PageFacts> facts(pages.budget());
  for (std::uint32_t page = 0; page < pages.size(); ++page) PARAPRINT_TRY(facts.push_back(page_facts(pages, page)));
  PARAPRINT_ASSIGN(const SpillArray<std::uint32_t> all, decisions.policy.rank(facts, pages.budget()));
  SpillArray<std::uint32_t> kept(pages.budget());
  for (const std::uint32_t page : all) {
    if (is_kept(decisions, page)) PARAPRINT_TRY(kept.push_back(page));
  }
  return kept;
}

// Calls finder.add() for each page that stays, in the order of the log.
template <class Finder>
Status add_pages(const PageLog& log, const PageTable& pages, const SpillArray<std::uint32_t>& rank_of_page,
                 ProgressReporter& progress, Finder& finder) {
  std::string bytes;
  Profile profile;
  for (std::uint32_t page = 0; page < pages.size(); ++page) {
    PARAPRINT_TRY(check_stop());
    if (rank_of_page[page] == pages.size()) continue;
    const PageRow& row = pages.row(page);
    PARAPRINT_TRY(log.read_bytes(row.profile_offset_bytes, row.profile_bytes, bytes));
    PARAPRINT_TRY(decode_profile(bytes, profile));
    PARAPRINT_TRY(finder.add(rank_of_page[page], site_of_url(pages.url(page)), profile));
    progress.update(page + 1);
  }
  return {};
}

// Hands profiles on, and keeps how long the texts are.
struct ParagraphsAndSizes {
  Status add(std::uint32_t rank, std::uint64_t site, const Profile& profile) {
    text_bytes[kept[rank]] = profile.paragraphs.empty() ? 0 : profile.paragraphs.back().span.end_bytes;
    return paragraphs.add(rank, site, profile);
  }

  RepeatedParagraphs& paragraphs;
  const SpillArray<std::uint32_t>& kept;
  SpillArray<std::uint32_t>& text_bytes;
};

TextSpan span_of(const PassagePlace& place) {
  return {place.begin_bytes, place.end_bytes};
}

using Contents = std::map<std::uint32_t, MainContent>;

// The pages `wanted`, all of them.
Result<Contents> read_all_contents(const RunSetup& run, const ReadOutcome& read,
                                   const std::vector<std::uint32_t>& wanted) {
  PARAPRINT_ASSIGN(Contents contents, read_contents(run, read, wanted));
  for (const std::uint32_t page : wanted) {
    if (contents.contains(page)) continue;
    return failure(ErrorCode::kCorruptData,
                   fmt::format("{} has changed: page {} cannot be read again, so that its text cannot be trimmed; run "
                               "again with --restart",
                               run.inputs[read.pages.row(page).location.file_index].path, read.pages.id(page)));
  }
  return contents;
}

}  // namespace

// Pages are read in the order of the input, however they are ranked.
Status PageTrims::compare_texts(const RunSetup& run, const ReadOutcome& read, const SpillArray<std::uint32_t>& kept,
                                RepeatedParagraphs& paragraphs, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(SpillArray<ComparedParagraph> compared, paragraphs.find_compared());
  const auto page_of = [&](const ComparedParagraph& paragraph) { return kept[paragraph.place.rank]; };
  std::sort(compared.begin(), compared.end(), [&](const ComparedParagraph& x, const ComparedParagraph& y) {
    return std::pair(page_of(x), x.place) < std::pair(page_of(y), y.place);
  });
  progress.begin("compare", compared.size(), "paragraphs");
  for (std::size_t begin = 0, end = 0; begin < compared.size(); begin = end) {
    std::vector<std::uint32_t> wanted;
    TextBatch batch(run);
    for (; end < compared.size() && !batch.is_full(); ++end) {
      const std::uint32_t page = page_of(compared[end]);
      if (!wanted.empty() && wanted.back() == page) continue;
      wanted.push_back(page);
      batch.add(text_bytes_[page]);
    }
    for (; end < compared.size() && page_of(compared[end]) == wanted.back();) ++end;
    run.budget.make_room_for(batch.size_bytes());
    PARAPRINT_ASSIGN(const Contents contents, read_all_contents(run, read, wanted));
    for (const auto& [page, content] : contents) {
      PARAPRINT_TRY(stored_texts_.push_back({page, text_.size(), content.text.size()}));
      PARAPRINT_TRY(text_.append(content.text));
      run.budget.checkpoint();  // a text may be long
    }
    for (std::size_t i = begin; i < end; ++i) {
      const TextSpan span = span_of(compared[i].place);
      const std::string_view text = contents.at(page_of(compared[i])).text;
      const std::size_t first = std::min<std::size_t>(span.begin_bytes, text.size());
      PARAPRINT_TRY(paragraphs.add_text(compared[i], text.substr(first, span.size_bytes())));
    }
    progress.update(end);
  }
  progress.end();
  return {};
}

std::optional<std::string_view> PageTrims::stored_text(std::uint32_t page) const {
  const ComparedPage* found =
      std::lower_bound(stored_texts_.begin(), stored_texts_.end(), page,
                       [](const ComparedPage& text, std::uint32_t of) { return text.page < of; });
  if (found == stored_texts_.end() || found->page != page) return std::nullopt;
  return std::string_view(text_.data() + found->begin, found->size_bytes);
}

Result<PageTrims> PageTrims::find(const RunSetup& run, const ReadOutcome& read, const Decisions& decisions,
                                  const ExternalSortOptions& sorting, ProgressReporter& progress) {
  MemoryBudget* const budget = &run.budget;
  const PageLog& log = *read.log;
  const PageTable& pages = read.pages;
  const PassageRules rules = passage_rules(run.options);
  PageTrims trims(budget);
  PARAPRINT_TRY(trims.has_trimmed_record_.assign(pages.size(), 0));
  PARAPRINT_TRY(trims.text_bytes_.assign(pages.size(), 0));
  PARAPRINT_ASSIGN(const SpillArray<std::uint32_t> kept, pages_in_order_of_keeping(pages, decisions));
  SpillArray<std::uint32_t> rank_of_page(budget);
  PARAPRINT_TRY(rank_of_page.assign(pages.size(), pages.size()));
  for (std::uint32_t rank = 0; rank < kept.size(); ++rank) rank_of_page[kept[rank]] = rank;

  progress.begin("trim", pages.size(), "pages");
  RepeatedParagraphs paragraphs(rules, sorting, budget);
  ParagraphsAndSizes paragraphs_and_sizes{paragraphs, kept, trims.text_bytes_};
  PARAPRINT_TRY(add_pages(log, pages, rank_of_page, progress, paragraphs_and_sizes));
  progress.end();
  PARAPRINT_TRY(trims.compare_texts(run, read, kept, paragraphs, progress));
  progress.begin("trim", pages.size(), "pages");
  PARAPRINT_ASSIGN(SpillArray<RepeatedPassage> whole, paragraphs.finish());
  RepeatedSentences sentences(rules, sorting, budget, whole);
  PARAPRINT_TRY(add_pages(log, pages, rank_of_page, progress, sentences));
  PARAPRINT_ASSIGN(const SpillArray<RepeatedPassage> runs, sentences.finish());
  PARAPRINT_TRY(whole.append(std::span<const RepeatedPassage>(runs)));
  progress.end();

  for (RepeatedPassage& passage : whole) {
    passage.place.rank = kept[passage.place.rank];
    passage.kept.rank = kept[passage.kept.rank];
  }
  std::sort(whole.begin(), whole.end());
  trims.passages_ = std::move(whole);
  return trims;
}

std::span<const RepeatedPassage> PageTrims::of(std::uint32_t page) const {
  struct ByPage {
    bool operator()(const RepeatedPassage& passage, std::uint32_t number) const { return passage.place.rank < number; }
    bool operator()(std::uint32_t number, const RepeatedPassage& passage) const { return number < passage.place.rank; }
  };
  const auto [begin, end] = std::equal_range(passages_.begin(), passages_.end(), page, ByPage());
  return {begin, end};
}

std::vector<TextSpan> PageTrims::spans_of(std::uint32_t page) const {
  std::vector<TextSpan> spans;
  for (const RepeatedPassage& passage : of(page)) spans.push_back(span_of(passage.place));
  return spans;
}

Status PageTrims::write_passages(const std::string& path, const PageTable& pages) const {
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  JsonWriter json;
  for (const RepeatedPassage& passage : passages_) {
    tick(pages.budget());
    write_trimmed(json, {pages.id(passage.place.rank), repeat_kind_name(passage.kind), span_of(passage.place),
                         pages.id(passage.kept.rank), span_of(passage.kept), passage.content_characters,
                         passage.distance_bits, passage.places});
    PARAPRINT_TRY(file.write(json.take() + '\n'));
  }
  return file.commit();
}

Status PageTrims::write_texts(const std::string& path, const RunSetup& run, const ReadOutcome& read,
                              ProgressReporter& progress) const {
  std::vector<std::uint32_t> wanted;
  for (const RepeatedPassage& passage : passages_) {
    const std::uint32_t page = passage.place.rank;
    if (has_trimmed_record_[page] == 0 && (wanted.empty() || wanted.back() != page)) wanted.push_back(page);
  }
  if (wanted.empty()) return {};
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
  JsonWriter json;
  progress.begin("texts", wanted.size(), "pages");
  for (std::size_t begin = 0, end = 0; begin < wanted.size(); begin = end) {
    std::vector<std::uint32_t> not_stored;
    TextBatch batch(run);
    for (; end < wanted.size() && !batch.is_full(); ++end) {
      const bool is_stored = stored_text(wanted[end]).has_value();
      if (!is_stored) not_stored.push_back(wanted[end]);
      batch.add(is_stored ? 0 : text_bytes_[wanted[end]]);
    }
    run.budget.make_room_for(batch.size_bytes());
    PARAPRINT_ASSIGN(const Contents contents, read_all_contents(run, read, not_stored));
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t page = wanted[i];
      const std::optional<std::string_view> stored = stored_text(page);
      const std::string_view text = stored ? *stored : std::string_view(contents.at(page).text);
      json.begin_object();
      json.member("id", read.pages.id(page));
      json.member("url", read.pages.url(page));
      json.member("text", std::string_view(text_without(text, spans_of(page))));
      json.end_object();
      PARAPRINT_TRY(file.write(json.take() + '\n'));
    }
    progress.update(end);
  }
  progress.end();
  return file.commit();
}

Counters PageTrims::counters() const {
  Counters counters;
  std::uint64_t pages = 0;
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    const RepeatedPassage& passage = passages_[i];
    pages += i == 0 || passages_[i - 1].place.rank != passage.place.rank;
    count(counters, fmt::format("passages_{}", repeat_kind_name(passage.kind)));
    count(counters, "characters_trimmed", passage.content_characters);
  }
  count(counters, "pages_trimmed", pages);
  return counters;
}

}  // namespace paraprint::inline engine
