// Fingerprints stay encoded until a pair asks for them: an array of bytes that moves to disk under memory pressure, and
// a table of where each page is in it. Pairs come in the order of their first page, with which a page in a crowd is the
// second one of many pairs; so decoded fingerprints stay until no pair can have them, as many as there is room for.
#include "distribute/fetched_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/byte_codec.h"
#include "base/propagate.h"
#include "distribute/page_spool.h"
#include "engine/fingerprint_match.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"
#include "profile/fingerprint_codec.h"
#include "profile/page_match.h"

namespace paraprint::distribute {
namespace {

class FetchedFingerprints : public FetchedPages {
 public:
  FetchedFingerprints(const FingerprintIndex& index, const MatchOptions& options, MemoryBudget* budget)
      : fingerprinter_(index.fingerprinter()),
        sets_(index.sets()),
        options_(options),
        bytes_(budget),
        end_of_page_(budget),
        loaded_bytes_maximum_(budget->target_bytes() / kLoadedShare) {}

  // The table has ends, not beginnings, because it cannot have a 0.
  Status add(const FetchedPage& page) override {
    trailer_.clear();
    ByteWriter out(trailer_);
    out.fixed(page.content_characters);
    out.fixed(std::uint64_t{page.profile.size()});
    PARAPRINT_TRY(bytes_.append(std::span<const char>(page.profile)));
    PARAPRINT_TRY(bytes_.append(std::span<const char>(trailer_)));
    const std::uint64_t end = bytes_.size();
    PARAPRINT_ASSIGN(const std::uint64_t* const added, end_of_page_.find_or_add(page.page, end));
    return *added == end ? Status{} : corrupt("pages");
  }

  Status finish() override { return {}; }

  std::size_t size() const override { return end_of_page_.size(); }

  std::optional<std::uint32_t> content_characters(std::uint32_t page) const override {
    const std::optional<Stored> stored = find(page);
    return stored ? std::optional(stored->content_characters) : std::nullopt;
  }

  Result<Match> score(std::uint32_t page_a, std::uint32_t page_b) override {
    PARAPRINT_ASSIGN(const LoadedPair loaded, load_pair(page_a, page_b));
    const FingerprintSimilarity similarity = similarity_of(fingerprinter_, loaded.a.fingerprint, loaded.b.fingerprint);
    Match match = match_of(similarity, fingerprinter_.threshold(), loaded.a.content_characters,
                           loaded.b.content_characters, options_);
    match.page_a = page_a;
    match.page_b = page_b;
    return match;
  }

  Result<ComparedSets> compared_sets(std::uint32_t page_a, std::uint32_t page_b) override {
    if (!sets_) return FetchedPages::compared_sets(page_a, page_b);
    PARAPRINT_ASSIGN(const LoadedPair loaded, load_pair(page_a, page_b));
    return ComparedSets{loaded.a.set, loaded.b.set};
  }

  bool is_stored(const Match& match) const override { return has_resemblance(match, fingerprinter_.threshold()); }

 private:
  static constexpr std::size_t kTrailerBytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);
  static constexpr std::uint64_t kLoadedShare = 16;  // of the memory of the process

  struct Stored {
    std::uint32_t content_characters = 0;
    std::string_view fingerprint;  // encoded
  };

  // Nothing for pages that were not added. The view is valid until the next page is added.
  std::optional<Stored> find(std::uint32_t page) const {
    const std::uint64_t end = end_of_page_.find(page);
    if (end == 0) return std::nullopt;
    const char* const trailer = bytes_.data() + end - kTrailerBytes;
    ByteReader in(std::string_view(trailer, kTrailerBytes));
    Stored stored;
    stored.content_characters = in.fixed<std::uint32_t>();
    const auto size = in.fixed<std::uint64_t>();
    stored.fingerprint = std::string_view(trailer - size, size);
    return stored;
  }

  struct Loaded {
    std::uint32_t content_characters = 0;
    PageFingerprint fingerprint;
    sets::PageSet set;  // of it; empty if pages are not found by sets

    std::size_t size_bytes() const {
      return sizeof(Loaded) + fingerprint.values.capacity() * sizeof(std::uint64_t) +
             fingerprint.weights.capacity() * sizeof(float);
    }
  };
  struct LoadedPage {
    std::uint32_t page = 0;
    std::unique_ptr<Loaded> loaded;
  };
  struct LoadedPair {
    const Loaded& a;
    const Loaded& b;
  };

  // Later pairs have no page before their first one; if one did, it would be decoded again.
  Result<LoadedPair> load_pair(std::uint32_t page_a, std::uint32_t page_b) {
    while (!loaded_.empty() && loaded_.begin()->first < std::min(page_a, page_b)) {
      loaded_bytes_ -= loaded_.begin()->second->size_bytes();
      loaded_.erase(loaded_.begin());
    }
    PARAPRINT_ASSIGN(const Loaded* const a, load(page_a, last_a_));
    PARAPRINT_ASSIGN(const Loaded* const b, load(page_b, last_b_));
    return LoadedPair{*a, *b};
  }

  // Those that come first stay: pairs come back to a page in turn, so that the one used last would be of no use.
  Result<const Loaded*> load(std::uint32_t page, LoadedPage& last) {
    if (const auto found = loaded_.find(page); found != loaded_.end()) return found->second.get();
    if (last.loaded && last.page == page) return last.loaded.get();
    last.loaded = nullptr;
    const std::optional<Stored> stored = find(page);
    if (!stored) return failure(ErrorCode::kNotFound, fmt::format("fingerprints: page {} is missing", page));
    auto loaded = std::make_unique<Loaded>();
    loaded->content_characters = stored->content_characters;
    PARAPRINT_TRY(decode_fingerprint_of(fingerprinter_, stored->fingerprint, loaded->fingerprint));
    if (sets_) {
      PARAPRINT_ASSIGN(loaded->set, sets_->set_of(loaded->fingerprint));
    }
    if (loaded_bytes_ + loaded->size_bytes() > loaded_bytes_maximum_) {
      last = {page, std::move(loaded)};
      return last.loaded.get();
    }
    loaded_bytes_ += loaded->size_bytes();
    return loaded_.emplace(page, std::move(loaded)).first->second.get();
  }

  const PageFingerprinter& fingerprinter_;
  const std::optional<sets::PageSets>& sets_;
  const MatchOptions options_;
  SpillArray<char> bytes_;  // of each page: the fingerprint, then a trailer of its content characters and its size
  SpillHashTable<std::uint64_t, std::uint64_t> end_of_page_;
  std::string trailer_;
  std::map<std::uint32_t, std::unique_ptr<Loaded>> loaded_;  // by page
  std::uint64_t loaded_bytes_ = 0;
  const std::uint64_t loaded_bytes_maximum_;
  LoadedPage last_a_;  // those that there was no room for
  LoadedPage last_b_;
};

}  // namespace

Status FetchedPages::add_parcel(std::string_view bytes) {
  return for_each_record(bytes, "pages", read_fetched_page, [this](const FetchedPage& page) { return add(page); });
}

Result<FetchedPages::ComparedSets> FetchedPages::compared_sets(std::uint32_t, std::uint32_t) {
  return failure(ErrorCode::kInvalidArgument, "no sets are compared");
}

std::unique_ptr<FetchedPages> make_fetched_pages(const FingerprintIndex* index, const SiteBoilerplate& boilerplate,
                                                 const MatchOptions& options, const std::string& temporary_folder,
                                                 MemoryBudget* budget) {
  if (index != nullptr) return std::make_unique<FetchedFingerprints>(*index, options, budget);
  return std::make_unique<PageSpool>(boilerplate, options, temporary_folder, budget);
}

}  // namespace paraprint::distribute
