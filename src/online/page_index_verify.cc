// The integrity check: checksums, pages against texts in both directions, keys against search tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "online/page_index_state.h"
#include "paraprint/stop.h"
#include "profile/profile_codec.h"

namespace paraprint {
namespace {

constexpr std::size_t kFindingsMaximum = 100;

constexpr const char* kRestoreAdvice = "restore the last backup ('paraprint index restore'), then add what came since";
constexpr const char* kReopenAdvice =
    "remove the file 'tables/manifest' in the index folder and open the index again: search tables are made anew";
constexpr const char* kRemoveAdvice = "remove the page ('paraprint index delete') and add it again";

class Findings {
 public:
  explicit Findings(IndexVerification& verification) : verification_(verification) {}

  void add(std::string what, std::string_view advice) {
    if (verification_.findings.size() == kFindingsMaximum) {
      ++verification_.findings_left_out;
      return;
    }
    verification_.findings.push_back({std::move(what), std::string(advice)});
  }
  // Damage is a finding; the check goes on with what can be read.
  void add_if_failed(const Status& status, std::string_view advice) {
    if (!status) add(status.error().message, advice);
  }

 private:
  IndexVerification& verification_;
};

// The texts and keys of one look-up table against the database.
class KeyCheck {
 public:
  KeyCheck(const SearchView& view, IndexVerification& verification) : view_(view), verification_(verification) {
    // Of any number of texts with a key, each one has to be found.
    collector_.key_cap = ~std::uint32_t{0};
  }

  bool finds_all(std::uint64_t text, const TextKeys& keys) {
    bool all = true;
    collector_.first_text = text;  // older texts are not asked for
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
    verification_.keys += keys.exact.size() + keys.fingerprints.size() + keys.sketch.size();
    return all;
  }

 private:
  // A table with all keys of the text gives it its whole weight.
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
  IndexVerification& verification_;
  HitCollector collector_;
};

// Each record against the others that name it. A failed read ends the walk that asked; damage is a finding.
class RecordCheck {
 public:
  RecordCheck(const IndexDatabase& database, IndexVerification& verification, Findings& findings)
      : database_(database), verification_(verification), findings_(findings) {}

  // Null search tables: not checked.
  Status check_text(std::uint64_t text, std::string_view bytes, std::uint64_t next_text, KeyCheck* search_tables) {
    ++verification_.texts;
    TextRecord record;
    Status decoded = decode_text_record(bytes, record);
    if (decoded) decoded = read_text_keys(bytes, keys_);
    if (!decoded) {
      findings_.add(fmt::format("text {}: {}", text, decoded.error().message), kRestoreAdvice);
      return {};
    }
    if (text >= next_text) {
      findings_.add(fmt::format("text {} has a number that was not given yet ({})", text, next_text), kRestoreAdvice);
    }
    PageRecord owner;
    const Result<bool> has_owner = database_.get_page(record.owner, owner);
    if (!has_owner) return tl::unexpected<Error>(has_owner.error());
    if (!*has_owner || owner.text != text) {
      findings_.add(fmt::format("text {} belongs to page {}, which {}", text, record.owner,
                                *has_owner ? "has another text" : "is not there"),
                    kRestoreAdvice);
    }
    if (search_tables != nullptr && !search_tables->finds_all(text, keys_)) {
      findings_.add(fmt::format("text {} (page {}) is not found in the search tables", text, record.owner),
                    kReopenAdvice);
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
    const Result<bool> has_text = database_.get_text(record.text, value);
    if (!has_text) return tl::unexpected<Error>(has_text.error());
    TextRecord text;
    if (!*has_text || !decode_text_record(value.bytes(), text)) {
      findings_.add(fmt::format("page {} has text {}, which is not there", id, record.text), kRemoveAdvice);
      return {};
    }
    const Result<bool> is_member = database_.has_member(record.text, id);
    if (!is_member) return tl::unexpected<Error>(is_member.error());
    if ((text.owner == id) == *is_member || (*is_member && !text.has_other_pages)) {
      findings_.add(fmt::format("page {} is not among the pages of its text {}", id, record.text), kRemoveAdvice);
    }
    if (record.cluster.empty()) return {};
    const Result<bool> is_in_cluster = database_.has_cluster_member(record.cluster, id);
    if (!is_in_cluster) return tl::unexpected<Error>(is_in_cluster.error());
    if (!*is_in_cluster) {
      findings_.add(fmt::format("page {} is not listed in its cluster {}", id, record.cluster), kRemoveAdvice);
    }
    return {};
  }

  // `kind` `name` names the page: the page must say the same of itself.
  template <typename Agrees>
  Status check_naming(std::string_view kind, std::string_view name, std::string_view id, const Agrees& agrees) {
    PageRecord record;
    const Result<bool> is_there = database_.get_page(id, record);
    if (!is_there) return tl::unexpected<Error>(is_there.error());
    if (!*is_there || !agrees(record)) {
      findings_.add(
          fmt::format("{} {} names page {}, which {}", kind, name, id, *is_there ? "says otherwise" : "is not there"),
          kRestoreAdvice);
    }
    return {};
  }

 private:
  const IndexDatabase& database_;
  IndexVerification& verification_;
  Findings& findings_;
  TextKeys keys_;
};

}  // namespace

Result<IndexVerification> PageIndex::Implementation::verify(bool with_search_tables) {
  IndexVerification verification;
  Findings findings(verification);
  const std::lock_guard lock(writer_mutex_);
  findings.add_if_failed(database_->verify_checksums(), kRestoreAdvice);
  const std::shared_ptr<const SearchView> view = tables_->view();
  for (const auto& segment : view->segments) {
    const auto again = SearchSegment::open(segment->path(), SegmentMemory::kMapped);
    // A merge may have replaced the file a moment ago.
    if (!again && again.error().code != ErrorCode::kNotFound) findings.add(again.error().message, kReopenAdvice);
  }

  KeyCheck key_check(*view, verification);
  RecordCheck records(*database_, verification, findings);
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
  findings.add_if_failed(database_->for_each_text(0, ~std::uint64_t{0}, check_text), kRestoreAdvice);
  findings.add_if_failed(database_->for_each_page(check_page), kRestoreAdvice);
  findings.add_if_failed(database_->for_each_membership(check_membership), kRestoreAdvice);
  findings.add_if_failed(database_->for_each_cluster_membership(check_cluster), kRestoreAdvice);
  findings.add_if_failed(database_->for_each_url(check_url), kRestoreAdvice);

  if (Status going_on = check_stop(); !going_on) return tl::unexpected<Error>(going_on.error());
  if (verification.pages != counts_.pages || verification.texts != counts_.texts) {
    findings.add(fmt::format("{} pages and {} texts are stored, {} and {} were counted", verification.pages,
                             verification.texts, counts_.pages, counts_.texts),
                 kRestoreAdvice);
  }
  return verification;
}

}  // namespace paraprint
