// Fingerprints stay encoded until a pair asks for them: an array of bytes that moves to disk under memory pressure, and
// a table of where each page is in it. The two pages of the last pair stay decoded, and pairs come in the order of
// their first page.
#include "distribute/fetched_pages.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/byte_codec.h"
#include "base/propagate.h"
#include "distribute/page_spool.h"
#include "distribute/records.h"
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
  Status add_parcel(std::string_view bytes) override {
    return for_each_record(bytes, "pages", read_fetched_page, [&](const FetchedPage& page) -> Status {
      size_.clear();
      ByteWriter(size_).fixed(std::uint64_t{page.profile.size()});
      PARAPRINT_TRY(bytes_.append(std::span<const char>(page.profile)));
      PARAPRINT_TRY(bytes_.append(std::span<const char>(size_)));
      const std::uint64_t end = bytes_.size();
      PARAPRINT_ASSIGN(const std::uint64_t* const added, end_of_page_.find_or_add(page.page, end));
      return *added == end ? Status{} : corrupt("pages");
    });
  }

  Status finish() override { return {}; }

  Result<Match> score(std::uint32_t page_a, std::uint32_t page_b) override {
    PARAPRINT_TRY(load(page_a, a_));
    PARAPRINT_TRY(load(page_b, b_));
    const FingerprintSimilarity similarity = similarity_of(fingerprinter_, a_.fingerprint, b_.fingerprint);
    Match match =
        match_of(similarity, fingerprinter_.threshold(), a_.content_characters, b_.content_characters, options_);
    match.page_a = page_a;
    match.page_b = page_b;
    return match;
  }

  bool is_stored(const Match& match) const override { return has_resemblance(match, fingerprinter_.threshold()); }

 private:
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
    const std::uint64_t end = end_of_page_.find(page);
    if (end == 0) return failure(ErrorCode::kNotFound, fmt::format("fingerprints: page {} was not fetched", page));
    const char* const size_at = bytes_.data() + end - sizeof(std::uint64_t);
    const auto size = ByteReader(std::string_view(size_at, sizeof(std::uint64_t))).fixed<std::uint64_t>();
    ByteReader in(std::string_view(size_at - size, size));
    into.content_characters =
        static_cast<std::uint32_t>(in.variable_below(std::uint64_t{std::numeric_limits<std::uint32_t>::max()} + 1));
    if (!in.ok()) return corrupt("fingerprints");
    PARAPRINT_TRY(decode_fingerprint_of(fingerprinter_, in.bytes(in.left_bytes()), into.fingerprint));
    into.page = page;
    into.is_valid = true;
    return {};
  }

  const PageFingerprinter& fingerprinter_;
  const MatchOptions options_;
  SpillArray<char> bytes_;  // of each page: FetchedPage::profile, then its size in bytes
  SpillHashTable<std::uint64_t, std::uint64_t> end_of_page_;
  std::string size_;
  Loaded a_;
  Loaded b_;
};

}  // namespace

std::unique_ptr<FetchedPages> make_fetched_pages(const FingerprintIndex* index, const SiteBoilerplate& boilerplate,
                                                 const MatchOptions& options, const std::string& temporary_folder,
                                                 MemoryBudget* budget) {
  if (index != nullptr) return std::make_unique<FetchedFingerprints>(*index, options, budget);
  return std::make_unique<PageSpool>(boilerplate, options, temporary_folder, budget);
}

void write_fetched_fingerprint(std::uint32_t content_characters, std::string_view fingerprint, std::string& bytes) {
  bytes.clear();
  ByteWriter(bytes).variable(content_characters);
  bytes += fingerprint;
}

}  // namespace paraprint::distribute
