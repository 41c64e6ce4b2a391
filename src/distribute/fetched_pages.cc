// Fingerprints stay encoded until a pair asks for them: an array of bytes that moves to disk under memory pressure, and
// a table of where each page is in it. The two pages of the last pair stay decoded, and pairs come in the order of
// their first page.
#include "distribute/fetched_pages.h"

#include <fmt/format.h>

#include <utility>

#include "base/byte_codec.h"
#include "base/propagate.h"
#include "distribute/page_spool.h"
#include "engine/fingerprint_match.h"
#include "memory/spill_array.h"
#include "memory/spill_hash_table.h"
#include "profile/page_match.h"

namespace paraprint::distribute {
namespace {

class FetchedFingerprints : public FetchedPages {
 public:
  FetchedFingerprints(const FingerprintIndex& index, const MatchOptions& options, MemoryBudget* budget)
      : fingerprinter_(index.fingerprinter()), options_(options), bytes_(budget), end_of_page_(budget) {}

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
    PARAPRINT_ASSIGN(const ComparedFingerprints compared, fingerprints(page_a, page_b));
    const FingerprintSimilarity similarity = similarity_of(fingerprinter_, compared.a, compared.b);
    Match match =
        match_of(similarity, fingerprinter_.threshold(), a_.content_characters, b_.content_characters, options_);
    match.page_a = page_a;
    match.page_b = page_b;
    return match;
  }

  Result<ComparedFingerprints> fingerprints(std::uint32_t page_a, std::uint32_t page_b) override {
    PARAPRINT_TRY(load(page_a, a_));
    PARAPRINT_TRY(load(page_b, b_));
    return ComparedFingerprints{a_.fingerprint, b_.fingerprint};
  }

  bool is_stored(const Match& match) const override { return has_resemblance(match, fingerprinter_.threshold()); }

 private:
  static constexpr std::size_t kTrailerBytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);

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
    bool is_valid = false;
    std::uint32_t page = 0;
    std::uint32_t content_characters = 0;
    PageFingerprint fingerprint;
  };

  // `into` stays invalid if decoding fails half-way.
  Status load(std::uint32_t page, Loaded& into) {
    if (into.is_valid && into.page == page) return {};
    into.is_valid = false;
    const std::optional<Stored> stored = find(page);
    if (!stored) return failure(ErrorCode::kNotFound, fmt::format("fingerprints: page {} is missing", page));
    into.content_characters = stored->content_characters;
    PARAPRINT_TRY(decode_fingerprint_of(fingerprinter_, stored->fingerprint, into.fingerprint));
    into.page = page;
    into.is_valid = true;
    return {};
  }

  const PageFingerprinter& fingerprinter_;
  const MatchOptions options_;
  SpillArray<char> bytes_;  // of each page: the fingerprint, then a trailer of its content characters and its size
  SpillHashTable<std::uint64_t, std::uint64_t> end_of_page_;
  std::string trailer_;
  Loaded a_;
  Loaded b_;
};

}  // namespace

Status FetchedPages::add_parcel(std::string_view bytes) {
  return for_each_record(bytes, "pages", read_fetched_page, [this](const FetchedPage& page) { return add(page); });
}

Result<FetchedPages::ComparedFingerprints> FetchedPages::fingerprints(std::uint32_t, std::uint32_t) {
  return failure(ErrorCode::kInvalidArgument, "profiles are compared, not fingerprints");
}

std::unique_ptr<FetchedPages> make_fetched_pages(const FingerprintIndex* index, const SiteBoilerplate& boilerplate,
                                                 const MatchOptions& options, const std::string& temporary_folder,
                                                 MemoryBudget* budget) {
  if (index != nullptr) return std::make_unique<FetchedFingerprints>(*index, options, budget);
  return std::make_unique<PageSpool>(boilerplate, options, temporary_folder, budget);
}

}  // namespace paraprint::distribute
