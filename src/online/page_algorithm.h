// A page-level algorithm in an index (after Zheng Peng 2008 and G. S. Manku, A. Jain, A. Das Sarma, WWW 2007;
// docs/index.md#other-algorithms): the keys under which the search tables hold a fingerprint, and the comparison.
//
// The keys are those of the algorithm's index in a batch (lab/joins/fingerprint_candidates.cc), so that both find the
// same pairs. Fingerprints within a Hamming distance are found in the tables of paragraph fingerprints or, if the
// algorithm names one of Manku's designs (`tables=`), by the keys of the design.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fingerprint/page_fingerprinter.h"
#include "index/hamming_design_keys.h"
#include "paraprint/model.h"
#include "paraprint/options.h"
#include "paraprint/page_fingerprint.h"
#include "paraprint/result.h"
#include "store/search_keys.h"

namespace paraprint::inline online {

inline constexpr std::string_view kParagraphMethod = "paragraph";

// Thread-safe, except for create().
class PageAlgorithm {
 public:
  // Errors: those of choose_algorithm(); kInvalidArgument, with the reason, for an algorithm whose pairs the search
  // tables cannot find, or whose pairs depend on which other pages there are. Requires one other than the paragraph
  // method.
  static Result<std::unique_ptr<const PageAlgorithm>> create(std::string_view specification);

  // Whether a fingerprint can be compared. To be asked about every fingerprint from outside.
  bool accepts(const PageFingerprint& fingerprint) const;

  // Append the keys of a fingerprint that was accepted: what the tables hold, and what they are asked for. The weight
  // of each query is 1. Only usable fingerprints have any.
  void collect_keys(const PageFingerprint& fingerprint, TextKeys& keys) const;
  void collect_queries(const PageFingerprint& fingerprint, std::vector<ExactQuery>& exact,
                       std::vector<NearQuery>& near) const;
  // Whether the tables hold TextKeys::summary, and what it must be like for texts that a query is compared with. An
  // empty function passes all.
  bool has_summaries() const { return fingerprinter_->has_summary() || std::holds_alternative<HammingPlan>(plan_); }
  PageFingerprinter::SummaryFilter summary_filter(const PageFingerprint& fingerprint) const;
  // Whether the tables hold fingerprints, to be found within a distance.
  bool has_near_keys() const {
    return std::holds_alternative<HammingAnyPlan>(plan_) ||
           (std::holds_alternative<HammingPlan>(plan_) && !design_keys_);
  }
  // The number of keys that two copies have in common, at least 1.
  std::uint32_t common_keys_minimum() const { return common_keys_minimum_; }

  // Compares two accepted fingerprints of pages with different texts. The verdict reads "a is <verdict> b"; the page
  // numbers are not set.
  Match match(const PageFingerprint& a, std::uint32_t characters_a, const PageFingerprint& b,
              std::uint32_t characters_b, const MatchOptions& options) const;

 private:
  explicit PageAlgorithm(std::unique_ptr<const PageFingerprinter> fingerprinter);
  // Sets design_keys_ if the plan names a design. Errors: those of HammingDesignKeys::create().
  Status choose_design();
  // Those of the plan, in the order in which they were found.
  std::vector<std::uint64_t> exact_keys(const PageFingerprint& fingerprint) const;
  std::vector<Fingerprint128> near_keys(const PageFingerprint& fingerprint) const;
  // What a Hamming plan compares. Of 64 bits, both halves are the fingerprint.
  Fingerprint128 hamming_key(const PageFingerprint& fingerprint) const;
  Fingerprint128 summary_of(const PageFingerprint& fingerprint) const;

  std::unique_ptr<const PageFingerprinter> fingerprinter_;
  IndexPlan plan_;
  std::optional<HammingDesignKeys> design_keys_;  // of a Hamming plan with a design
  std::uint32_t common_keys_minimum_ = 1;
  double small_set_share_ = 0;  // 0: fingerprints are no small sets
};

}  // namespace paraprint::inline online
