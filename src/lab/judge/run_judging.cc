// Overall figures are those of `eval --judgements` (judged_figures.h). Those by verdict and by threshold are shares of
// pairs weighted by their strata, with Wilson intervals for as many trials as the weights are worth.
#include "lab/judge/run_judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/stored_page_reader.h"
#include "lab/evaluate/intervals.h"
#include "lab/judge/judged_figures.h"
#include "lab/judge/judgement_files.h"
#include "lab/judge/sample_strata.h"
#include "lab/judge/sample_tickets.h"
#include "memory/appending_file.h"
#include "paraprint/engine.h"
#include "report/text_safety.h"

namespace paraprint::inline lab::inline judge {
namespace {

constexpr int kShareDecimals = 6;

// A weighted share and what its weights are worth.
struct WeightedShare {
  double weight = 0;
  double weight_of_copies = 0;
  double squares = 0;
  std::uint64_t judged = 0;

  void add(double pair_weight, bool is_copy) {
    weight += pair_weight;
    weight_of_copies += is_copy ? pair_weight : 0;
    squares += pair_weight * pair_weight;
    ++judged;
  }
  JudgedShare share() const {
    if (judged == 0) return {};
    const double estimate = weight_of_copies / weight;
    return {true, estimate, wilson_interval_of_share(estimate, weight * weight / squares)};
  }
};

void write_share(const JudgedShare& share, JsonWriter& json) {
  json.member("is_known", share.is_known);
  json.member("estimate", Real{share.estimate, kShareDecimals});
  json.member("low", Real{share.interval.low, kShareDecimals});
  json.member("high", Real{share.interval.high, kShareDecimals});
}

class RunJudging final : public JudgingSession {
 public:
  RunJudging(const RunStore& store, std::string path) : store_(store), path_(std::move(path)) {}

  Status open();
  Status draw(std::uint32_t pairs, std::uint64_t seed) override;
  Status judge(std::uint64_t number, char judgement) override;
  Status write_state(std::uint64_t number, JsonWriter& json) override;

 private:
  // A pair of the sample whose pages the run has.
  struct KnownPair {
    std::uint32_t page_a = 0;
    std::uint32_t page_b = 0;
    const Match* match = nullptr;  // as stored; null if it is not
  };
  const Match* stored_match(std::uint32_t page_a, std::uint32_t page_b) const;
  SampleFrame frame_of(std::uint64_t seed) const;
  std::vector<Ticket> draw_tickets(std::uint32_t pairs, SampleFrame& frame) const;
  Status write_sample(const SampleFrame& frame, const std::vector<Ticket>& tickets) const;
  std::uint32_t own_judge();
  Judgement decision(std::size_t at) const { return decision_of(sample_->pairs[at].votes); }
  std::optional<std::size_t> shown_pair(std::uint64_t number) const;
  double weight_of(const std::vector<std::uint64_t>& judged, std::size_t at) const;
  void write_shares(JsonWriter& json) const;

  const RunStore& store_;
  const std::string path_;
  std::optional<JudgedSample> sample_;
  std::vector<std::optional<KnownPair>> known_;  // by place in the sample
  std::uint64_t unknown_ = 0;
};

// A file that exists is someone's work, so one that cannot be read is an error, not a reason to begin another one.
Status RunJudging::open() {
  sample_.reset();
  known_.clear();
  unknown_ = 0;
  PARAPRINT_ASSIGN(const bool exists, path_exists(path_));
  if (!exists) return {};
  const RunControl silent;
  ProgressReporter progress(silent);
  PARAPRINT_ASSIGN(JudgedSample sample, read_judgements({path_}, progress));
  for (const JudgedPair& pair : sample.pairs) {
    const auto a = store_.pages().find(pair.pair.id_a);
    const auto b = store_.pages().find(pair.pair.id_b);
    if (a && b) {
      known_.push_back(KnownPair{*a, *b, stored_match(*a, *b)});
    } else {
      known_.push_back(std::nullopt);
      ++unknown_;
    }
  }
  unknown_ += sample.unusable_lines;
  sample_ = std::move(sample);
  return {};
}

const Match* RunJudging::stored_match(std::uint32_t page_a, std::uint32_t page_b) const {
  const SpillArray<std::uint32_t>& representatives = store_.matched().scored.representatives;
  const std::pair wanted = std::minmax({representatives[page_a], representatives[page_b]});
  const SpillArray<Match>& matches = store_.matched().scored.matches;
  const Match* const found = std::lower_bound(
      matches.begin(), matches.end(), wanted,
      [](const Match& match, const auto& pair) { return std::pair(match.page_a, match.page_b) < pair; });
  const bool is_there = found != matches.end() && std::pair(found->page_a, found->page_b) == wanted;
  return is_there ? found : nullptr;
}

SampleFrame RunJudging::frame_of(std::uint64_t seed) const {
  const std::optional<FingerprintSet>& fingerprints = store_.matched().basis.fingerprints;
  SampledAlgorithm algorithm;
  algorithm.label = store_.options().profile.algorithm;
  algorithm.canonical = algorithm.label;
  algorithm.range.threshold = fingerprints ? fingerprints->fingerprinter().threshold() : store_.options().match.near;
  algorithm.range.minimum = algorithm.range.threshold;
  for (const Match& match : store_.matched().scored.matches) {
    algorithm.range.minimum = std::min<double>(algorithm.range.minimum, match.resemblance);
  }
  SampleFrame frame;
  frame.seed = seed;
  frame.pages = store_.pages().size();
  for (std::uint32_t page = 0; page < store_.pages().size(); ++page) {
    frame.equal_texts += store_.matched().scored.representatives[page] == page ? 0 : 1;
  }
  frame.algorithms.push_back(std::move(algorithm));
  return frame;
}

std::vector<Ticket> RunJudging::draw_tickets(std::uint32_t pairs, SampleFrame& frame) const {
  const SpillArray<Match>& matches = store_.matched().scored.matches;
  const auto key_of_match = [&](const Match& match) {
    const PooledScore score{0, 1, 0, match.resemblance};
    return key_of(std::span(&score, 1), std::span(&frame.algorithms.front().range, 1));
  };
  std::map<StratumKey, std::uint64_t> pairs_of_key;
  for (const Match& match : matches) ++pairs_of_key[key_of_match(match)];
  Strata chosen = choose_strata(pairs_of_key, pairs);
  allocate(pairs, chosen.strata);
  std::vector<std::vector<Ticket>> drawn(chosen.strata.size());
  for (Stratum& stratum : chosen.strata) stratum.found.resize(1);
  for (std::uint64_t i = 0; i < matches.size(); ++i) {
    const StratumKey key = key_of_match(matches[i]);
    const std::uint32_t number = chosen.stratum_of_key.at(key);
    chosen.strata[number].found[0] += key.found_by;
    frame.algorithms.front().pairs += key.found_by;
    const std::uint64_t hash =
        ticket_hash(frame.seed, store_.pages().id(matches[i].page_a), store_.pages().id(matches[i].page_b));
    offer_ticket({hash, i, key.found_by, matches[i].page_a, matches[i].page_b, number}, chosen.strata[number].sampled,
                 drawn[number]);
  }
  frame.strata = std::move(chosen.strata);
  return in_turns(std::move(drawn));
}

Status RunJudging::draw(std::uint32_t pairs, std::uint64_t seed) {
  PARAPRINT_ASSIGN(const bool exists, path_exists(path_));
  if (sample_ || exists) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("{}: exists, and may contain judgements", path_));
  }
  if (pairs < kSamplePairsMinimum || pairs > kSamplePairsMaximum) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("the sample must have {} to {} pairs", kSamplePairsMinimum, kSamplePairsMaximum));
  }
  if (store_.matched().scored.matches.empty()) {
    return failure(ErrorCode::kInvalidArgument, "the run has no pairs of different texts to draw from");
  }
  SampleFrame frame = frame_of(seed);
  const std::vector<Ticket> tickets = draw_tickets(pairs, frame);
  SampleNamer namer(frame);
  for (const Ticket& ticket : tickets) {
    namer.add_pair(store_.pages().id(ticket.place_a), store_.pages().id(ticket.place_b));
  }
  frame.sample = namer.name();
  PARAPRINT_TRY(write_sample(frame, tickets));
  return open();
}

// With the texts, if they can be read, so that others can judge the same file elsewhere.
Status RunJudging::write_sample(const SampleFrame& frame, const std::vector<Ticket>& tickets) const {
  std::map<std::uint32_t, MainContent> contents;
  if (store_.no_texts().empty()) {
    std::vector<std::uint32_t> wanted;
    for (const Ticket& ticket : tickets) {
      wanted.push_back(ticket.place_a);
      wanted.push_back(ticket.place_b);
    }
    PARAPRINT_ASSIGN(contents, read_contents(store_.setup(), store_.read(), std::move(wanted)));
  }
  const auto sampled_page = [&](std::uint32_t page) {
    SampledPage sampled;
    sampled.id = store_.pages().id(page);
    sampled.url = store_.pages().url(page);
    const auto content = contents.find(page);
    if (content == contents.end()) return sampled;
    sampled.title = content->second.title;
    sampled.text = utf8_prefix(content->second.text, kSampledTextBytesMaximum);
    sampled.is_cut = sampled.text.size() < content->second.text.size();
    return sampled;
  };
  PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path_));
  JsonWriter json;
  write_head(frame, json);
  PARAPRINT_TRY(file.write(json.take() + "\n"));
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    const Ticket& ticket = tickets[i];
    const SampledPage a = sampled_page(ticket.place_a);
    const SampledPage b = sampled_page(ticket.place_b);
    const std::vector<NamedScore> scores = {
        {frame.algorithms.front().label, store_.matched().scored.matches[ticket.first].resemblance}};
    write_pair(frame, {i + 1, a.id, b.id, ticket.stratum, ticket.found_by}, a, b, scores, json);
    PARAPRINT_TRY(file.write(json.take() + "\n"));
  }
  return file.commit();
}

// Lines that name no judge are by the one whom the file is named after.
std::uint32_t RunJudging::own_judge() {
  const std::string file_name = std::filesystem::path(path_).filename().string();
  const std::string name(
      utf8_prefix(std::string_view(file_name).substr(0, file_name.find('.', 1)), kJudgeNameBytesMaximum));
  std::vector<JudgeFigures>& judges = sample_->judges;
  const auto known =
      std::find_if(judges.begin(), judges.end(), [&](const JudgeFigures& each) { return each.name == name; });
  if (known != judges.end()) return static_cast<std::uint32_t>(known - judges.begin());
  JudgeFigures judge;
  judge.name = name;
  judges.push_back(std::move(judge));
  return static_cast<std::uint32_t>(judges.size() - 1);
}

// The line is on disk before the judgement counts.
Status RunJudging::judge(std::uint64_t number, char judgement) {
  if (!sample_) return failure(ErrorCode::kNotFound, "there is no sample yet");
  std::vector<JudgedPair>& pairs = sample_->pairs;
  const auto pair =
      std::find_if(pairs.begin(), pairs.end(), [&](const JudgedPair& each) { return each.pair.number == number; });
  if (pair == pairs.end()) return failure(ErrorCode::kNotFound, fmt::format("the sample has no pair {}", number));
  JsonWriter json;
  json.begin_object();
  json.member("sample", sample_->frame.sample);
  json.member("id_a", pair->pair.id_a);
  json.member("id_b", pair->pair.id_b);
  json.member("judgement", std::string_view(&judgement, 1));
  json.end_object();
  PARAPRINT_TRY(append_line(path_, json.take() + "\n"));
  const std::uint32_t judge = own_judge();
  std::erase_if(pair->votes, [judge](const Vote& vote) { return vote.judge == judge; });
  const Judgement said = judgement == 'y'   ? Judgement::kCopy
                         : judgement == 'n' ? Judgement::kDifferent
                                            : Judgement::kUnsure;
  pair->votes.push_back({judge, said});
  std::sort(pair->votes.begin(), pair->votes.end(), [](const Vote& x, const Vote& y) { return x.judge < y.judge; });
  return {};
}

std::optional<std::size_t> RunJudging::shown_pair(std::uint64_t number) const {
  for (std::size_t at = 0; at < known_.size(); ++at) {
    if (!known_[at]) continue;
    if (number != 0 ? sample_->pairs[at].pair.number == number : sample_->pairs[at].votes.empty()) return at;
  }
  return std::nullopt;
}

// How many pairs of its stratum a decided pair stands for.
double RunJudging::weight_of(const std::vector<std::uint64_t>& judged, std::size_t at) const {
  const std::uint32_t stratum = sample_->pairs[at].pair.stratum;
  return static_cast<double>(sample_->frame.strata[stratum].pairs) / static_cast<double>(judged[stratum]);
}

void RunJudging::write_shares(JsonWriter& json) const {
  std::vector<std::uint64_t> judged(sample_->frame.strata.size());
  const auto is_decided = [this](std::size_t at) {
    return decision(at) == Judgement::kCopy || decision(at) == Judgement::kDifferent;
  };
  for (std::size_t at = 0; at < known_.size(); ++at) {
    if (is_decided(at)) ++judged[sample_->pairs[at].pair.stratum];
  }
  std::map<Verdict, WeightedShare> by_verdict;
  std::set<double> thresholds;
  const ScoreRange& range = sample_->frame.algorithms.front().range;
  for (std::uint32_t band = 0; band < kBands; ++band) {
    const double part = static_cast<double>(band) / kBands;
    thresholds.insert(range.minimum + (range.threshold - range.minimum) * part);
    thresholds.insert(range.threshold + (1 - range.threshold) * part);
  }
  std::map<double, WeightedShare> by_threshold;
  for (const double threshold : thresholds) by_threshold[threshold];
  for (std::size_t at = 0; at < known_.size(); ++at) {
    if (!is_decided(at) || !known_[at]) continue;
    const Match* const match = known_[at]->match;
    const double weight = weight_of(judged, at);
    const bool is_copy = decision(at) == Judgement::kCopy;
    by_verdict[match == nullptr ? Verdict::kDistinct : match->verdict].add(weight, is_copy);
    for (auto& [threshold, share] : by_threshold) {
      if (match != nullptr && match->resemblance >= static_cast<float>(threshold)) share.add(weight, is_copy);
    }
  }
  json.key("by_verdict");
  json.begin_array();
  for (const auto& [verdict, share] : by_verdict) {
    json.begin_object();
    json.member("verdict", verdict_name(verdict));
    json.member("judged", share.judged);
    write_share(share.share(), json);
    json.end_object();
  }
  json.end_array();
  json.key("by_threshold");
  json.begin_array();
  for (const auto& [threshold, share] : by_threshold) {
    json.begin_object();
    json.member("near", Real{threshold, 3});
    json.member("judged", share.judged);
    write_share(share.share(), json);
    json.end_object();
  }
  json.end_array();
}

Status RunJudging::write_state(std::uint64_t number, JsonWriter& json) {
  json.member("path", path_);
  json.member("command", fmt::format("paraprint eval --judgements {}", path_));
  json.member("has_sample", sample_.has_value());
  if (!sample_) return {};
  const auto is_judged = [](const JudgedPair& pair) { return !pair.votes.empty(); };
  const auto judged =
      static_cast<std::uint64_t>(std::count_if(sample_->pairs.begin(), sample_->pairs.end(), is_judged));
  json.member("sample", sample_->frame.sample);
  json.member("pairs", sample_->pairs.size());
  json.member("judged", judged);
  json.member("unknown", unknown_);
  json.key("shown");
  if (const std::optional<std::size_t> at = shown_pair(number)) {
    const std::vector<Vote>& votes = sample_->pairs[*at].votes;
    json.begin_object();
    json.member("number", sample_->pairs[*at].pair.number);
    json.member("a", known_[*at]->page_a);
    json.member("b", known_[*at]->page_b);
    json.member("judgement", votes.empty() ? std::string_view() : judgement_text(decision(*at)));
    json.end_object();
  } else {
    json.null();
  }
  const Result<JudgedEvaluation> evaluation = judged_figures(*sample_);
  for (const auto& [name, share] :
       {std::pair("precision", evaluation ? evaluation->algorithms.front().precision : JudgedShare{}),
        std::pair("recall", evaluation ? evaluation->algorithms.front().recall : JudgedShare{})}) {
    json.key(name);
    json.begin_object();
    write_share(share, json);
    json.end_object();
  }
  write_shares(json);
  return {};
}

}  // namespace

Result<std::unique_ptr<JudgingSession>> open_run_judging(const RunStore& store, const std::string& path) {
  auto judging = std::make_unique<RunJudging>(store, path);
  PARAPRINT_TRY(judging->open());
  return judging;
}

}  // namespace paraprint::inline lab::inline judge
