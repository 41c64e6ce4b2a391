// Reads the parameters and bodies of the explorer's calls.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paraprint/result.h"
#include "serve/http_message.h"
#include "serve/refusal.h"
#include "serve/router.h"

namespace paraprint::inline explorer {

// The parameters of one request. After the first one that cannot be used, refused() has the reason, and the values that
// were read since are defaults.
class CallParameters {
 public:
  // kBadParameter for a name that is not in `names`, and for one that occurs twice.
  CallParameters(const std::vector<TargetParameter>& parameters, std::initializer_list<std::string_view> names);

  std::string text(std::string_view name) const;
  // Within [minimum, maximum]; `otherwise` if it is not given.
  std::uint64_t number(std::string_view name, std::uint64_t otherwise, std::uint64_t maximum);
  double share(std::string_view name, double otherwise);
  // Page numbers separated by commas, below `pages`, at most `count`.
  std::vector<std::uint32_t> page_list(std::string_view name, std::uint32_t pages, std::size_t count);
  // A page number below `pages`, which must be given.
  std::uint32_t page(std::string_view name, std::uint32_t pages);
  // A year, month or day: "2010", "2010-03", "2010-03-01"; empty if it is not given.
  std::string day(std::string_view name);
  // The parameter "format": "tsv", "jsonl", or "" for JSON.
  std::string export_format();
  // kBadParameter with this message.
  void refuse_value(std::string message);

  Answer<void> refused() const;

 private:
  const std::vector<TargetParameter>& parameters_;
  std::optional<Refused> refused_;
};

// What the bodies of the calls have: an object of numbers and words.
struct CallBody {
  std::optional<std::uint64_t> a;  // page
  std::optional<std::uint64_t> b;
  std::optional<std::uint64_t> number;  // of a pair in the sample
  std::optional<std::uint64_t> pairs;
  std::optional<std::uint64_t> seed;
  std::string ruling;
  std::string judgement;
};

// Refusals: kUnsupportedType unless it is JSON, kBadJson, kBadField for a member of another kind.
Answer<CallBody> read_call_body(const RequestHead& head, std::string_view body);

// An error of the run as a refusal.
Refused refused_by_run(const Error& error);

}  // namespace paraprint::inline explorer
