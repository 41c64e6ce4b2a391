// The integrity check: checksums, pages against texts in both directions, keys against search tables.
//
// It runs under the writer lock, because it compares records that one change updates together. Damage becomes a finding
// with advice and the check continues, so that one run reports everything that is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/propagate.h"
#include "base/stop.h"
#include "online/page_index_state.h"
#include "profile/profile_codec.h"

namespace paraprint {
namespace {

// A badly damaged index would give one finding per page; the rest are counted.
constexpr std::size_t kFindingsMaximum = 100;

constexpr const char* kRestoreAdvice =
    "restore the last backup ('paraprint index restore'), then add the pages that are newer than it";
constexpr const char* kReopenAdvice =
    "delete the file 'tables/manifest' in the index folder and open the index again to rebuild the search tables";
constexpr const char* kRemoveAdvice = "remove the page ('paraprint index delete') and add it again";

class Findings {
 public:
  explicit Findings(VerifyOutcome& verification) : verification_(verification) {}

  void add(std::string what, std::string_view advice) {
    if (verification_.findings.size() == kFindingsMaximum) {
      ++verification_.findings_left_out;
      return;
    }
    verification_.findings.push_back({std::move(what), std::string(advice)});
  }
  // Turns an error into a finding, so that the check continues with everything that can be read.
  void add_if_failed(const Status& status, std::string_view advice) {
    if (!status) add(status.error().message, advice);
  }

 private:
  VerifyOutcome& verification_;
};

// Checks that the search tables find a text under each of its keys.
class KeyCheck {
 public:
  KeyCheck(const SearchView& view, VerifyOutcome& verification) : view_(view), verification_(verification) {
    // No cap: a text must be found even if any number of older texts share its key.
    collector_.key_cap = ~std::uint32_t{0};
  }

  // Looks up each key on its own: together, a hit of one key would hide that another one is missing.
  bool finds_all(std::uint64_t text, const TextKeys& keys) {
    bool all = true;
    collector_.first_text = text;  // skips hits of older texts, which are checked on their own
    for (const std::uint64_t key : keys.exact) {
      collector_.hits.clear();
      view_.find_exact(std::array{ExactQuery{key, 0}}, collector_);
      all = is_among_hits(text) && all;
    }
    for (const Fingerprint128& fingerprint : keys.fingerprints) {
      collector_.hits.clear();
      view_.find_near(std::array{NearQuery{fingerprint, 0}}, collector_);
      all = is_among_hits(text) && all;
    }
    if (!keys.sketch.empty()) all = has_sketch(text, keys.sketch) && all;
    const std::optional<Fingerprint128> summary = view_.summary(text);
    if (summary && *summary != keys.summary) all = false;
    verification_.keys += keys.exact.size() + keys.fingerprints.size() + keys.sketch.size();
    return all;
  }

 private:
  // A hit has the weight's share of the keys that agreed, so the full weight proves that the table has all of them.
  bool has_sketch(std::uint64_t text, const std::vector<std::uint32_t>& keys) {
    collector_.hits.clear();
    collector_.weight = static_cast<std::uint32_t>(keys.size());
    view_.find_sketch(keys, collector_);
    return std::any_of(collector_.hits.begin(), collector_.hits.end(),
                       [&](const TableHit& hit) { return hit.text == text && hit.weight == keys.size(); });
  }
  bool is_among_hits(std::uint64_t text) const {
    for (const TableHit& hit : collector_.hits) {
      if (hit.text == text) return true;
    }
    return false;
  }

  const SearchView& view_;
  VerifyOutcome& verification_;
  HitCollector collector_;
};

// Compares each record with the records it refers to and those that refer to it. A failed read ends the walk that calls
// it; damage is a finding.
class RecordCheck {
 public:
  // `algorithm`: null under the paragraph method.
  RecordCheck(const IndexDatabase& database, const PageAlgorithm* algorithm, VerifyOutcome& verification,
              Findings& findings)
      : database_(database), algorithm_(algorithm), verification_(verification), findings_(findings) {}

  // With `search_tables` null, keys are not checked.
  Status check_text(std::uint64_t text, std::string_view bytes, std::uint64_t next_text, KeyCheck* search_tables) {
    ++verification_.texts;
    TextRecord record;
    Status decoded = decode_text_record(bytes, record);
    if (decoded) decoded = read_text_keys(bytes, algorithm_, keys_);
    if (!decoded) {
      findings_.add(fmt::format("text {}: {}", text, decoded.error().message), kRestoreAdvice);
      return {};
    }
    if (text >= next_text) {
      findings_.add(fmt::format("text {} has a number that has not been assigned yet (next: {})", text, next_text),
                    kRestoreAdvice);
    }
    PageRecord owner;
    PARAPRINT_ASSIGN(const bool has_owner, database_.get_page(record.owner, owner));
    if (!has_owner || owner.text != text) {
      findings_.add(fmt::format("text {} belongs to page {}, which {}", text, record.owner,
                                has_owner ? "has a different text" : "does not exist"),
                    kRestoreAdvice);
    }
    if (search_tables != nullptr && !search_tables->finds_all(text, keys_)) {
      findings_.add(fmt::format("text {} (page {}) is missing from the search tables", text, record.owner),
                    kReopenAdvice);
    }
    return {};
  }

  Status check_origin(std::string_view id, std::string_view bytes) {
    OriginRecord origin;
    if (const Status decoded = decode_origin(bytes, origin); !decoded) {
      findings_.add(fmt::format("page {}: {}", id, decoded.error().message), kRemoveAdvice);
    }
    PageRecord record;
    PARAPRINT_ASSIGN(const bool has_page, database_.get_page(id, record));
    if (!has_page) {
      findings_.add(fmt::format("the statement of page {} is stored, but not the page", id), kRestoreAdvice);
    }
    return {};
  }

  Status check_page(std::string_view id, std::string_view bytes) {
    ++verification_.pages;
    PageRecord record;
    if (Status decoded = decode_page_record(bytes, record); !decoded) {
      findings_.add(fmt::format("page {}: {}", id, decoded.error().message), kRemoveAdvice);
      return {};
    }
    PinnedValue value;
    PARAPRINT_ASSIGN(const bool has_text, database_.get_text(record.text, value));
    TextRecord text;
    if (!has_text || !decode_text_record(value.bytes(), text)) {
      findings_.add(fmt::format("page {} has text {}, which is missing or damaged", id, record.text), kRemoveAdvice);
      return {};
    }
    PARAPRINT_ASSIGN(const bool is_member, database_.has_member(record.text, id));
    // A page is either its text's owner or listed as a member, never both; members require the text's flag.
    if ((text.owner == id) == is_member || (is_member && !text.has_other_pages)) {
      findings_.add(fmt::format("page {} is not listed correctly among the pages of its text {}", id, record.text),
                    kRemoveAdvice);
    }
    if (record.cluster.empty()) return {};
    PARAPRINT_ASSIGN(const bool is_in_cluster, database_.has_cluster_member(record.cluster, id));
    if (!is_in_cluster) {
      findings_.add(fmt::format("page {} is not listed in its cluster {}", id, record.cluster), kRemoveAdvice);
    }
    return {};
  }

  // The record `kind` `name` refers to page `id`; the page's own record must agree.
  template <typename Agrees>
  Status check_naming(std::string_view kind, std::string_view name, std::string_view id, const Agrees& agrees) {
    PageRecord record;
    PARAPRINT_ASSIGN(const bool is_there, database_.get_page(id, record));
    if (!is_there || !agrees(record)) {
      findings_.add(fmt::format("{} {} refers to page {}, which {}", kind, name, id,
                                is_there ? "does not refer back to it" : "does not exist"),
                    kRestoreAdvice);
    }
    return {};
  }

 private:
  const IndexDatabase& database_;
  const PageAlgorithm* algorithm_;
  VerifyOutcome& verification_;
  Findings& findings_;
  TextKeys keys_;
};

}  // namespace

Result<VerifyOutcome> PageIndex::Implementation::verify(bool with_search_tables) {
  VerifyOutcome verification;
  Findings findings(verification);
  const std::lock_guard lock(writer_mutex_);
  PARAPRINT_TRY(check_readable());
  findings.add_if_failed(database_->verify_checksums(), kRestoreAdvice);
  const std::shared_ptr<const SearchView> view = tables_->view();
  for (const auto& segment : view->segments) {
    // Opening checks every byte of the file, not of the copy in memory. A merge may just have removed the file.
    const auto again = SearchSegment::open(segment->path(), SegmentMemory::kMapped);
    if (!again && again.error().code != ErrorCode::kNotFound) findings.add(again.error().message, kReopenAdvice);
  }

  KeyCheck key_check(*view, verification);
  RecordCheck records(*database_, algorithm_.get(), verification, findings);
  const std::uint64_t next_text = next_text_;
  const auto check_text = [&](std::uint64_t text, std::string_view bytes) {
    return records.check_text(text, bytes, next_text, with_search_tables ? &key_check : nullptr);
  };
  const auto check_page = [&](std::string_view id, std::string_view bytes) { return records.check_page(id, bytes); };
  const auto check_membership = [&](std::uint64_t text, std::string_view id) {
    return records.check_naming("text", std::to_string(text), id,
                                [&](const PageRecord& record) { return record.text == text; });
  };
  const auto check_cluster = [&](std::string_view cluster, std::string_view id) {
    return records.check_naming("cluster", cluster, id,
                                [&](const PageRecord& record) { return record.cluster == cluster; });
  };
  const auto check_url = [&](std::string_view url, std::string_view id) {
    return records.check_naming("URL", url, id, [&](const PageRecord& record) { return record.url == url; });
  };
  // Texts and pages are checked against each other; the three lists are walked as well, because an entry that no page
  // knows of can only be found from its own side.
  findings.add_if_failed(database_->for_each_text(0, ~std::uint64_t{0}, check_text), kRestoreAdvice);
  findings.add_if_failed(database_->for_each_page(check_page), kRestoreAdvice);
  findings.add_if_failed(database_->for_each_membership(check_membership), kRestoreAdvice);
  findings.add_if_failed(database_->for_each_cluster_membership(check_cluster), kRestoreAdvice);
  findings.add_if_failed(database_->for_each_url(check_url), kRestoreAdvice);
  const auto check_origin = [&](std::string_view id, std::string_view bytes) {
    return records.check_origin(id, bytes);
  };
  findings.add_if_failed(database_->for_each_origin(check_origin), kRestoreAdvice);

  // A stop request ends the walks above early, which their results show as an error like any other; report it as such.
  // So does a read of another thread that ran out of memory: nothing is damaged.
  PARAPRINT_TRY(check_stop());
  PARAPRINT_TRY(check_readable());
  if (verification.pages != counts_.pages || verification.texts != counts_.texts) {
    findings.add(fmt::format("{} pages and {} texts are stored, but the counters say {} and {}", verification.pages,
                             verification.texts, counts_.pages, counts_.texts),
                 kRestoreAdvice);
  }
  return verification;
}

}  // namespace paraprint
