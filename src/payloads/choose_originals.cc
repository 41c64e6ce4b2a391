// One pass over the captures in the order of their payloads. The entries of lists come first among those with one
// digest, and captures of one payload come in the order of their dates.
#include "payloads/choose_originals.h"

#include <algorithm>
#include <string>
#include <vector>

#include "archive/revisit_target.h"
#include "base/propagate.h"

namespace paraprint::inline payloads {
namespace {

constexpr std::int64_t kSecondsPerDay = 24 * 60 * 60;

class OriginalChoice {
 public:
  OriginalChoice(CaptureCollector& collector, std::optional<std::int64_t> max_age_seconds,
                 ReplacementSorter& replacements, Counters& counters)
      : collector_(collector), max_age_seconds_(max_age_seconds), replacements_(replacements), counters_(counters) {}

  // In ascending order.
  Status add(const CaptureRow& row) {
    if (!row.key.has_digest_of(key_)) listed_.clear();
    if (row.key != key_) {
      original_.reset();
      listed_text_.reset();
    }
    key_ = row.key;
    if (row.file == kListed) {
      add_listed(row);
      return {};
    }
    return decide(row);
  }

 private:
  bool is_in_time(const CaptureRow& original, const CaptureRow& copy) const {
    if (copy.is_removed != 0) return true;
    return original.seconds <= copy.seconds &&
           (!max_age_seconds_ || copy.seconds - original.seconds <= *max_age_seconds_);
  }

  // One entry per status and day, because a list may have millions of one payload.
  void add_listed(const CaptureRow& row) {
    if (collector_.is_ambiguous(row.place)) return;
    const auto day = [](const CaptureRow& listed) { return listed.seconds / kSecondsPerDay; };
    const auto last = std::find_if(listed_.rbegin(), listed_.rend(),
                                   [&](const CaptureRow& listed) { return listed.status == row.status; });
    if (last != listed_.rend() && (!max_age_seconds_ || day(*last) == day(row))) return;
    listed_.push_back(row);
  }

  // What else the earlier collection has at the place of the original is not known: indexes do not list conversions,
  // but pywb does. A capture that shares its place probably did so before, too.
  const CaptureRow* find_listed(const CaptureRow& copy) const {
    if (collector_.is_ambiguous(copy.place)) return nullptr;
    const auto found = std::find_if(listed_.begin(), listed_.end(), [&](const CaptureRow& listed) {
      return listed.status == copy.status && is_in_time(listed, copy);
    });
    return found == listed_.end() ? nullptr : &*found;
  }

  Status decide(const CaptureRow& row) {
    const bool has_original = original_ && is_in_time(*original_, row);
    const CaptureRow* original = has_original ? &*original_ : find_listed(row);
    if (original == nullptr) {
      if (row.is_removed != 0) {
        count(counters_, "removed_without_equal");
        return {};
      }
      count(counters_, original_ ? "stored_original_too_old" : "stored_first");
      if (collector_.is_ambiguous(row.place)) {
        count(counters_, "originals_ambiguous");
      } else {
        original_ = row;
      }
      return {};
    }
    if (original->place == row.place) {
      count(counters_, row.is_removed != 0 ? "removed_same_place" : "stored_same_place");
      return {};
    }
    const CaptureText text = collector_.text(row.text);
    if (row.is_removed == 0 && is_claimed(text)) {
      count(counters_, "stored_referred_to");
      return {};
    }
    count(counters_, has_original ? "revisits_to_input" : "revisits_to_list");
    count(counters_, "payload_bytes_saved", row.payload_bytes);
    std::uint64_t original_text = original->text;
    if (!has_original) {
      PARAPRINT_ASSIGN(original_text, text_of_listed(*original, text));
    }
    return replacements_.push({row.file, row.ordinal, row.text, original_text, row.payload_bytes});
  }

  bool is_claimed(const CaptureText& text) const {
    const RevisitTarget target = RevisitTarget::decode(text.target);
    const std::string second = target.date.substr(0, std::string_view("2024-05-01T10:00:00").size()) + "Z";
    const auto names = names_of(target.id, text.url, second, target.digest);
    return std::any_of(names.begin(), names.end(), [&](std::uint64_t name) { return collector_.is_claimed(name); });
  }

  // A list says nothing of codings, and its digest stands for the payload: those of the copy are taken.
  Result<std::uint64_t> text_of_listed(const CaptureRow& listed, const CaptureText& copy) {
    if (listed_text_ && listed_row_ == listed.text) return *listed_text_;
    const CaptureText stated = collector_.text(listed.text);
    RevisitTarget target = RevisitTarget::decode(stated.target);
    const RevisitTarget of_copy = RevisitTarget::decode(copy.target);
    target.payload_sha1 = of_copy.payload_sha1;
    target.coding = of_copy.coding;
    const std::string url(stated.url);  // the view would not survive the next line
    const std::string encoded = target.encode();
    PARAPRINT_ASSIGN(listed_text_, collector_.add_text({url, encoded, stated.offset_bytes}));
    listed_row_ = listed.text;
    return *listed_text_;
  }

  CaptureCollector& collector_;
  const std::optional<std::int64_t> max_age_seconds_;
  ReplacementSorter& replacements_;
  Counters& counters_;

  PayloadKey key_;                            // of the row before
  std::vector<CaptureRow> listed_;            // with the digest of `key_`, ascending by date
  std::optional<CaptureRow> original_;        // the youngest capture with this key that is stored
  std::optional<std::uint64_t> listed_text_;  // made for captures with this key and the entry `listed_row_`
  std::uint64_t listed_row_ = 0;
};

}  // namespace

Result<ReplacementSorter> choose_originals(CaptureCollector& collector, std::optional<std::int64_t> max_age_seconds,
                                           const ExternalSortOptions& sorting, Counters& counters) {
  ReplacementSorter replacements(sorting);
  OriginalChoice choice(collector, max_age_seconds, replacements, counters);
  CaptureSorter captures = collector.take_captures();
  CaptureRow row;
  while (captures.next(row)) PARAPRINT_TRY(choice.add(row));
  PARAPRINT_TRY(captures.status());
  PARAPRINT_TRY(replacements.finish());
  return replacements;
}

}  // namespace paraprint::inline payloads
