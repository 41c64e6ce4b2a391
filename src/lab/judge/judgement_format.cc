// Fields that a person fills in come first in a line, and the texts follow; what may bias a judge, which algorithms
// found the pair and how they scored it, comes last.
#include "lab/judge/judgement_format.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "base/propagate.h"
#include "http/header_block.h"
#include "report/text_safety.h"

namespace paraprint::inline lab::inline judge {
namespace {

using simdjson::SUCCESS;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

constexpr std::string_view kHeadField = "paraprint_sample";
constexpr std::string_view kFound = "found";
constexpr std::string_view kVarious = "various";
constexpr std::string_view kBelow = "below";
constexpr int kScoreDigits = 6;
// Exact in a double, so other programs read the same counts.
constexpr std::uint64_t kCountMaximum = std::uint64_t{1} << 53;
// A longer value is no judgement; this much of it is shown.
constexpr std::size_t kShownValueBytes = 40;

struct JudgementWord {
  std::string_view word;
  Judgement judgement;
};
constexpr JudgementWord kWords[] = {
    {"", Judgement::kNone},           {"y", Judgement::kCopy},          {"yes", Judgement::kCopy},
    {"copy", Judgement::kCopy},       {"dup", Judgement::kCopy},        {"near", Judgement::kCopy},
    {"n", Judgement::kDifferent},     {"no", Judgement::kDifferent},    {"diff", Judgement::kDifferent},
    {"topic", Judgement::kDifferent}, {"event", Judgement::kDifferent}, {"?", Judgement::kUnsure},
    {"unsure", Judgement::kUnsure},
};

std::string_view kind_of(const Stratum& stratum) {
  if (stratum.is_various) return kVarious;
  return stratum.is_below() ? kBelow : kFound;
}

void write_found_by(const SampleFrame& frame, std::uint64_t found_by, JsonWriter& json) {
  json.key("found_by");
  json.begin_array();
  for (std::size_t i = 0; i < frame.algorithms.size(); ++i) {
    if ((found_by >> i & 1) != 0) json.value(frame.algorithms[i].label);
  }
  json.end_array();
}

void write_page(std::string_view side, const SampledPage& page, JsonWriter& json) {
  json.member(fmt::format("url_{}", side), page.url);
  json.member(fmt::format("title_{}", side), page.title);
  json.member(fmt::format("text_{}", side), page.text);
  if (page.is_cut) json.member(fmt::format("cut_{}", side), true);
}

tl::unexpected<Error> refused(std::string message) {
  return failure(ErrorCode::kInvalidArgument, std::move(message));
}

Result<std::uint64_t> count_in(const Object& object, std::string_view field) {
  std::uint64_t count = 0;
  if (object.at_key(field).get(count) != SUCCESS || count > kCountMaximum) {
    return refused(fmt::format("field \"{}\" is missing or not a count", field));
  }
  return count;
}

Result<std::string> text_in(const Object& object, std::string_view field) {
  std::string_view text;
  if (object.at_key(field).get(text) != SUCCESS) {
    return refused(fmt::format("field \"{}\" is missing or not a string", field));
  }
  return std::string(text);
}

// An id is a string, or a number whose digits are kept.
Result<std::string> id_in(const Object& object, std::string_view field) {
  simdjson::dom::element element;
  if (object.at_key(field).get(element) != SUCCESS) return refused(fmt::format("missing field \"{}\"", field));
  std::string_view text;
  std::string id = element.get(text) == SUCCESS ? std::string(text)
                   : element.is_number()        ? std::string(simdjson::minify(element))
                                                : std::string();
  if (id.empty()) return refused(fmt::format("field \"{}\" is not an id", field));
  if (id.size() > kPageIdBytesMaximum) {
    return refused(fmt::format("field \"{}\" is longer than {} bytes", field, kPageIdBytesMaximum));
  }
  return id;
}

Result<std::uint64_t> found_by_in(const Object& object, const SampleFrame& frame) {
  Array names;
  if (object.at_key("found_by").get(names) != SUCCESS) return refused("field \"found_by\" is missing or not a list");
  std::uint64_t found_by = 0;
  for (const simdjson::dom::element element : names) {
    std::string_view name;
    if (element.get(name) != SUCCESS) return refused("field \"found_by\" has a value that is not a string");
    const auto known = std::find_if(frame.algorithms.begin(), frame.algorithms.end(),
                                    [&](const SampledAlgorithm& algorithm) { return algorithm.label == name; });
    if (known == frame.algorithms.end()) {
      return refused(fmt::format("field \"found_by\" names '{}', which is no algorithm of the sample",
                                 utf8_prefix(name, kShownValueBytes)));
    }
    found_by |= std::uint64_t{1} << (known - frame.algorithms.begin());
  }
  return found_by;
}

Result<SampledAlgorithm> read_algorithm(const Object& object) {
  SampledAlgorithm algorithm;
  PARAPRINT_ASSIGN(algorithm.label, text_in(object, "algorithm"));
  PARAPRINT_ASSIGN(algorithm.canonical, text_in(object, "settings"));
  PARAPRINT_ASSIGN(algorithm.pairs, count_in(object, "pairs"));
  if (object.at_key("threshold").get(algorithm.range.threshold) != SUCCESS ||
      object.at_key("minimum").get(algorithm.range.minimum) != SUCCESS) {
    return refused("an algorithm lacks threshold or minimum");
  }
  return algorithm;
}

Result<Stratum> read_stratum(const Object& object, const SampleFrame& frame) {
  Stratum stratum;
  PARAPRINT_ASSIGN(stratum.pairs, count_in(object, "pairs"));
  PARAPRINT_ASSIGN(stratum.sampled, count_in(object, "sampled"));
  PARAPRINT_ASSIGN(const std::string kind, text_in(object, "kind"));
  PARAPRINT_ASSIGN(const std::string band, text_in(object, "band"));
  PARAPRINT_ASSIGN(stratum.key.found_by, found_by_in(object, frame));
  stratum.key.band = band_of_name(band);
  stratum.is_various = kind == kVarious;
  if (kind_of(stratum) != kind || stratum.key.band == 0 || (stratum.is_various && stratum.key.found_by != 0)) {
    return refused(fmt::format("a stratum has the kind '{}' and the band '{}', which do not fit", kind, band));
  }
  Array counts;
  if (object.at_key("found").get(counts) != SUCCESS || counts.size() != frame.algorithms.size()) {
    return refused("a stratum lacks its count of pairs per algorithm");
  }
  for (const simdjson::dom::element element : counts) {
    std::uint64_t found = 0;
    const bool is_expected = stratum.is_various || (stratum.key.found_by >> stratum.found.size() & 1) != 0;
    if (element.get(found) != SUCCESS || found > stratum.pairs || (!is_expected && found > 0) ||
        (is_expected && !stratum.is_various && found != stratum.pairs)) {
      return refused("a stratum has counts per algorithm that contradict each other");
    }
    stratum.found.push_back(found);
  }
  if (stratum.pairs == 0 || stratum.sampled > stratum.pairs) return refused("a stratum has impossible counts");
  return stratum;
}

// The totals of the strata are what estimates rest on, so they must be those of the algorithms.
Status check_totals(const SampleFrame& frame) {
  std::uint64_t sampled = 0;
  std::vector<std::uint64_t> found(frame.algorithms.size());
  for (const Stratum& stratum : frame.strata) {
    sampled += stratum.sampled;
    for (std::size_t i = 0; i < found.size(); ++i) found[i] += stratum.found[i];
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != frame.algorithms[i].pairs)
      return refused("the strata do not add up to the pairs of the algorithms");
  }
  if (sampled > kSamplePairsMaximum) return refused("the sample has too many pairs");
  return {};
}

}  // namespace

std::string_view judgement_text(Judgement judgement) {
  switch (judgement) {
    case Judgement::kNone:
      return "";
    case Judgement::kCopy:
      return "y";
    case Judgement::kDifferent:
      return "n";
    case Judgement::kUnsure:
      return "?";
  }
  return "";
}

std::string stratum_name(const SampleFrame& frame, const Stratum& stratum) {
  if (stratum.is_various) return "various";
  std::string name;
  for (std::size_t i = 0; i < frame.algorithms.size(); ++i) {
    if ((stratum.key.found_by >> i & 1) == 0) continue;
    name += (name.empty() ? "" : " + ") + frame.algorithms[i].label;
  }
  return name.empty() ? "none" : name;
}

void write_head(const SampleFrame& frame, JsonWriter& json) {
  json.begin_object();
  json.member(kHeadField, kSampleFormatVersion);
  json.member("sample", frame.sample);
  json.member("seed", frame.seed);
  json.member("pages", frame.pages);
  json.member("equal_texts", frame.equal_texts);
  json.key("algorithms");
  json.begin_array();
  for (const SampledAlgorithm& algorithm : frame.algorithms) {
    json.begin_object();
    json.member("algorithm", algorithm.label);
    json.member("settings", algorithm.canonical);
    json.member("threshold", Real{algorithm.range.threshold, kScoreDigits});
    json.member("minimum", Real{algorithm.range.minimum, kScoreDigits});
    json.member("pairs", algorithm.pairs);
    json.end_object();
  }
  json.end_array();
  json.key("strata");
  json.begin_array();
  for (std::size_t i = 0; i < frame.strata.size(); ++i) {
    const Stratum& stratum = frame.strata[i];
    json.begin_object();
    json.member("stratum", i + 1);
    json.member("kind", kind_of(stratum));
    write_found_by(frame, stratum.key.found_by, json);
    json.member("band", band_name(stratum.key.band));
    json.member("pairs", stratum.pairs);
    json.member("sampled", stratum.sampled);
    json.key("found");
    json.begin_array();
    for (const std::uint64_t found : stratum.found) json.value(found);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_pair(const SampleFrame& frame, const SampledPair& pair, const SampledPage& a, const SampledPage& b,
                const std::vector<NamedScore>& scores, JsonWriter& json) {
  const Stratum& stratum = frame.strata[pair.stratum];
  json.begin_object();
  json.member("pair", pair.number);
  json.member("judgement", "");
  json.member("judge", "");
  json.member("note", "");
  json.member("id_a", pair.id_a);
  json.member("id_b", pair.id_b);
  write_page("a", a, json);
  write_page("b", b, json);
  json.member("sample", frame.sample);
  json.member("stratum", std::uint64_t{pair.stratum} + 1);
  json.member("weight", Real{static_cast<double>(stratum.pairs) / static_cast<double>(stratum.sampled), kScoreDigits});
  write_found_by(frame, pair.found_by, json);
  json.key("scores");
  json.begin_object();
  for (const NamedScore& score : scores) json.member(score.algorithm, Real{score.score, kScoreDigits});
  json.end_object();
  json.end_object();
}

struct JudgementParser::Json {
  simdjson::dom::parser parser;
  Object object;
};

JudgementParser::JudgementParser() : json_(std::make_unique<Json>()) {}
JudgementParser::~JudgementParser() = default;

Status JudgementParser::parse(std::string_view line) {
  if (json_->parser.parse(line).get(json_->object) != SUCCESS) return refused("not a JSON object");
  return {};
}

bool JudgementParser::is_head() const {
  simdjson::dom::element ignored;
  return json_->object.at_key(kHeadField).get(ignored) == SUCCESS;
}

Result<SampleFrame> JudgementParser::head() const {
  const Object& object = json_->object;
  PARAPRINT_ASSIGN(const std::uint64_t version, count_in(object, kHeadField));
  if (version != kSampleFormatVersion) {
    return failure(ErrorCode::kUnsupported,
                   fmt::format("version {} of the format; this program reads {}", version, kSampleFormatVersion));
  }
  SampleFrame frame;
  PARAPRINT_ASSIGN(frame.sample, text_in(object, "sample"));
  if (object.at_key("seed").get(frame.seed) != SUCCESS) return refused("field \"seed\" is missing or not a number");
  PARAPRINT_ASSIGN(frame.pages, count_in(object, "pages"));
  PARAPRINT_ASSIGN(frame.equal_texts, count_in(object, "equal_texts"));
  Array algorithms;
  Array strata;
  if (object.at_key("algorithms").get(algorithms) != SUCCESS || object.at_key("strata").get(strata) != SUCCESS) {
    return refused("the head lacks algorithms or strata");
  }
  if (algorithms.size() == 0 || algorithms.size() > kSampledAlgorithmsMaximum || strata.size() > kStrataReadMaximum) {
    return refused("the head has too many algorithms or strata, or none");
  }
  for (const simdjson::dom::element element : algorithms) {
    Object row;
    if (element.get(row) != SUCCESS) return refused("an algorithm is not an object");
    PARAPRINT_ASSIGN(SampledAlgorithm algorithm, read_algorithm(row));
    frame.algorithms.push_back(std::move(algorithm));
  }
  for (const simdjson::dom::element element : strata) {
    Object row;
    if (element.get(row) != SUCCESS) return refused("a stratum is not an object");
    PARAPRINT_ASSIGN(Stratum stratum, read_stratum(row, frame));
    frame.strata.push_back(std::move(stratum));
  }
  PARAPRINT_TRY(check_totals(frame));
  return frame;
}

Result<JudgementLine> JudgementParser::judgement() const {
  const Object& object = json_->object;
  JudgementLine line;
  PARAPRINT_ASSIGN(line.id_a, id_in(object, "id_a"));
  PARAPRINT_ASSIGN(line.id_b, id_in(object, "id_b"));
  std::string_view text;
  if (object.at_key("sample").get(text) == SUCCESS) line.sample = text;
  if (object.at_key("judge").get(text) == SUCCESS) line.judge = utf8_prefix(trim(text), kJudgeNameBytesMaximum);
  simdjson::dom::element value;
  line.has_judgement = object.at_key("judgement").get(value) == SUCCESS;
  if (!line.has_judgement || value.is_null()) return line;
  bool truth = false;
  if (value.get(truth) == SUCCESS) {
    line.judgement = truth ? Judgement::kCopy : Judgement::kDifferent;
    return line;
  }
  if (value.get(text) != SUCCESS) return refused("field \"judgement\" is not a string");
  std::string word(utf8_prefix(trim(text), kShownValueBytes));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto* const known = std::find_if(std::begin(kWords), std::end(kWords),
                                         [&](const JudgementWord& candidate) { return candidate.word == word; });
  if (known == std::end(kWords)) {
    return refused(fmt::format("field \"judgement\" is '{}'; it must be y, n, ? or empty", word));
  }
  line.judgement = known->judgement;
  return line;
}

Result<std::optional<SampledPair>> JudgementParser::pair(const SampleFrame& frame) const {
  const Object& object = json_->object;
  std::uint64_t stratum = 0;
  simdjson::dom::element ignored;
  if (object.at_key("stratum").get(ignored) != SUCCESS) return std::optional<SampledPair>{};
  SampledPair pair;
  PARAPRINT_ASSIGN(stratum, count_in(object, "stratum"));
  PARAPRINT_ASSIGN(pair.number, count_in(object, "pair"));
  PARAPRINT_ASSIGN(pair.id_a, id_in(object, "id_a"));
  PARAPRINT_ASSIGN(pair.id_b, id_in(object, "id_b"));
  if (stratum == 0 || stratum > frame.strata.size()) return refused("field \"stratum\" is no stratum of the sample");
  pair.stratum = static_cast<std::uint32_t>(stratum - 1);
  PARAPRINT_ASSIGN(pair.found_by, found_by_in(object, frame));
  const Stratum& own = frame.strata[pair.stratum];
  const bool fits = own.is_various ? pair.found_by != 0 : pair.found_by == own.key.found_by;
  if (!fits) return refused("field \"found_by\" does not fit the pair's stratum");
  return std::optional(std::move(pair));
}

}  // namespace paraprint::inline lab::inline judge
