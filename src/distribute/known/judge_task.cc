// Compares pages with the known texts that were chosen for them, at the owner of the pages, and decides which known
// page takes the place of each. Pages with the same text share the answer of the first one.
#include <algorithm>
#include <optional>

#include "base/propagate.h"
#include "distribute/known/known_query.h"
#include "distribute/known/known_records.h"
#include "distribute/known/known_tasks.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"
#include "profile/profile_codec.h"

namespace paraprint::distribute::known {
namespace {

class JudgeTask : public TaskBase {
 public:
  explicit JudgeTask(TaskInput&& input)
      : TaskBase(std::move(input)),
        candidates_(known_search_options(options_)),
        judge_(options_.match, candidates_),
        pairs_(&budget_),
        sharing_(&budget_),
        texts_(&budget_),
        place_of_text_(&budget_),
        found_(add_box("known-pages", settings_.partitions)) {}

  Status read_parcel(std::string_view kind, std::string_view bytes) override {
    if (kind == "known-pairs") {
      return for_each_record(bytes, "known pairs", read_known_pair, [this](const KnownPair& pair) -> Status {
        return is_own(pair.page) ? pairs_.push_back(pair) : corrupt("known pairs");
      });
    }
    if (kind == "sharing") {
      return for_each_record(bytes, "sharing", read_copied_page, [this](const CopiedPage& copy) -> Status {
        if (!is_own(copy.first) || !is_page(copy.page)) return corrupt("sharing");
        return sharing_.push_back({copy.first, copy.page});
      });
    }
    return for_each_record(bytes, "known texts", read_numbered_text, [this](const NumberedText& sent) -> Status {
      PARAPRINT_ASSIGN(const std::uint64_t* const place, place_of_text_.find_or_add(sent.text, texts_.size() + 1));
      if (*place != texts_.size() + 1) return corrupt("known texts");
      record_.clear();
      ByteWriter(record_).text(sent.record);
      return texts_.append(std::span<const char>(record_));
    });
  }

  Status end_parcels() override {
    std::sort(pairs_.begin(), pairs_.end());
    std::sort(sharing_.begin(), sharing_.end());
    return {};
  }

  bool needs_pages(std::uint64_t first_position, std::uint64_t pages) const override {
    const KnownPair* const first = first_at(first_position);
    return first != pairs_.end() && first->page < first_position + pages;
  }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    return for_each_own_page(first_position, facts, profiles,
                             [this](std::uint32_t number, const DriverPage& page, std::string_view bytes) -> Status {
                               const KnownPair* const first = first_at(number);
                               const KnownPair* last = first;
                               while (last != pairs_.end() && last->page == number) ++last;
                               if (first == last) return {};
                               judged_ += static_cast<std::uint64_t>(last - first);
                               PARAPRINT_TRY(decode_profile(bytes, profile_));
                               flag_known_templates(page, profile_, known_templates_, query_.template_flags);
                               query_.profile = &profile_;
                               collect_query_keys(options_.match, candidates_, query_);
                               return judge({first, last}, number);
                             });
  }

  Status finish() override {
    if (judged_ != pairs_.size()) return corrupt("known pairs");  // of a page that the batches do not have
    end_boxes();
    return {};
  }

 private:
  struct SharedAnswer {
    std::uint32_t first = 0;
    std::uint32_t page = 0;
    friend auto operator<=>(const SharedAnswer&, const SharedAnswer&) = default;
  };

  const KnownPair* first_at(std::uint64_t position) const {
    return std::lower_bound(pairs_.begin(), pairs_.end(), position,
                            [](const KnownPair& pair, std::uint64_t sought) { return pair.page < sought; });
  }

  Status judge(std::span<const KnownPair> pairs, std::uint32_t page) {
    matches_.clear();
    for (const KnownPair& pair : pairs) {
      PARAPRINT_ASSIGN(const KnownText known, text_of(pair.text));
      PARAPRINT_TRY(decode_profile(known.profile, known_profile_));
      FoundText match;
      if (!is_match(known, match)) continue;
      match.text = pair.text;
      matches_.push_back(match);
    }
    std::sort(matches_.begin(), matches_.end(), is_better);
    if (matches_.size() > kKnownMatchesLookedAt) matches_.resize(kKnownMatchesLookedAt);
    const auto removal = std::find_if(matches_.begin(), matches_.end(), [this](const FoundText& match) {
      return is_replaced_by_known(match.verdict, options_.survivors);
    });
    return removal != matches_.end() ? answer(page, *removal) : Status{};
  }

  // The profiles are in profile_ and known_profile_.
  bool is_match(const KnownText& known, FoundText& match) {
    if (known_profile_.text_hash != profile_.text_hash &&
        !may_have_keys_in_common(query_.keys, known_profile_, candidates_.candidate_bits)) {
      return false;
    }
    flag_paragraphs(known.template_paragraphs, known_profile_, known_flags_);
    bool was_compared = false;
    const bool matches = judge_.judge(query_, {&known_profile_, known_flags_}, false, match, was_compared);
    count(counters_, "known_pairs_compared", was_compared ? 1 : 0);
    return matches;
  }

  Status answer(std::uint32_t page, const FoundText& match) {
    PARAPRINT_ASSIGN(const KnownText text, text_of(match.text));
    const KnownPage known{
        text.id, text.url, match.verdict, match.resemblance, match.containment_query, match.containment_text};
    give(page, known);
    const SharedAnswer* shared = std::lower_bound(sharing_.begin(), sharing_.end(), SharedAnswer{page, 0});
    for (; shared != sharing_.end() && shared->first == page; ++shared) give(shared->page, known);
    return {};
  }

  void give(std::uint32_t page, const KnownPage& known) {
    count(counters_, "removed_known_before");
    ByteWriter out(found_.record_for(owner_of(page)));
    write_known_answer({page, known}, out);
  }

  // Valid until the next text is added.
  Result<KnownText> text_of(std::uint64_t text) const {
    const std::uint64_t place = place_of_text_.find(text);
    if (place == 0) return failure(ErrorCode::kCorruptData, "known texts: one was not sent");
    ByteReader in(std::string_view(texts_.data() + place - 1, texts_.size() - place + 1));
    ByteReader record(in.text());
    KnownText known = read_known_text(record);
    if (!in.ok() || !record.ok() || !record.at_end()) return corrupt("known texts");
    return known;
  }

  const CandidateSearchOptions candidates_;
  PairJudge judge_;
  SpillArray<KnownPair> pairs_;                                 // ascending
  SpillArray<SharedAnswer> sharing_;                            // ascending
  SpillArray<char> texts_;                                      // records, each after its size
  SpillHashTable<std::uint64_t, std::uint64_t> place_of_text_;  // where each begins in texts_, plus one
  ParcelBox& found_;
  std::uint64_t judged_ = 0;
  std::string record_;
  Profile profile_;
  Profile known_profile_;
  SearchQuery query_;
  std::vector<std::uint8_t> known_flags_;
  std::vector<FoundText> matches_;
};

}  // namespace

std::unique_ptr<StageTask> make_judge_task(TaskInput&& input) {
  return std::make_unique<JudgeTask>(std::move(input));
}

}  // namespace paraprint::distribute::known
