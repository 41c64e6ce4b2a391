// A page of a cluster as the tracing of copies sees it, and what is found out about it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/page_metadata.h"
#include "paraprint/model.h"
#include "provenance/sentence_marks.h"

namespace paraprint::inline provenance {

struct TracedSentence {
  std::uint64_t hash = 0;
  std::uint32_t content_characters = 0;
  SentenceMarks marks{};
};

struct TracedPage {
  std::string id;
  std::string url;           // empty if unknown
  std::string capture_date;  // of the crawl; a page cannot be published later, and nothing else follows from it
  StatedOrigin stated;
  std::array<std::uint64_t, 2> text_hash{};  // equal for pages of equal text
  // Of pages with equal text, one has it, which may be any of them; of the others it is not read.
  std::vector<TracedSentence> sentences;
  PageSketch sketch;
};

// What speaks for or against a page being the source of another one.
enum class Reason : std::uint8_t {
  kDate,          // of publication
  kStatedSource,  // the copy names the source's page, host or site
  kCanonical,     // the copy's canonical address is on the source's host
  kLink,          // the copy links to the source's page
  kContainment,   // one has the whole text of the other
  kText,          // what each lost, added or changed, compared with each other and with other pages of the cluster
  kAlternate,     // one names the other as its version for a language or region; says nothing of the direction
};
inline constexpr std::size_t kReasonCount = 7;
std::string_view reason_name(Reason reason);  // "date", "stated-source"

// What is odd about the statements of a page. It is then not relied upon.
enum class StatementProblem : std::uint8_t {
  kDateInFuture,             // the page states a date later than its capture
  kDateBeforeWeb,            // before 6 August 1991
  kModifiedBeforePublished,  // both dates count less
  kNamesItself,              // as the source
  kSourceElsewhere,          // the source that it states is not in the cluster
  kSourcesInCircle,          // it names a page that, directly or over others, names it
  kSourceIsLater,            // by its date, the source that it names was published later
};
inline constexpr std::size_t kStatementProblemCount = 7;
std::string_view problem_name(StatementProblem problem);  // "date-in-future"

struct TracedOrigin {
  std::optional<std::uint32_t> copied_from;  // place among the pages of the cluster; empty if none is likely
  double confidence = 0;                     // in [0, 1]: that this page is its source, directly or over others
  std::vector<Reason> reasons;               // for it, in the order of Reason
  std::vector<Reason> against;
  bool is_first = false;        // of the cluster; one page is
  double first_confidence = 0;  // in [0, 1]; 0 for the others
  std::vector<StatementProblem> problems;
};

}  // namespace paraprint::inline provenance
