// Files are read once, in the order of their paths. A line that judges a pair is kept by hashes of its ids and of its
// sample, because the head and the line that defines the pair may be in a file that comes later; lines and pairs are
// joined at the end.
#include "lab/judge/judgement_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "archive/input_files.h"
#include "base/hash.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "lab/evaluate/gold_pages.h"
#include "report/text_safety.h"

namespace paraprint::inline lab::inline judge {
namespace {

namespace fs = std::filesystem;
using PairHash = std::array<std::uint64_t, 2>;

// Two ids in either order, with their lengths, so that no two pairs run together.
PairHash hash_of(std::string_view id_a, std::string_view id_b) {
  if (id_b < id_a) std::swap(id_a, id_b);
  return text_hash_of(fmt::format("{}:{}{}", id_a.size(), id_a, id_b));
}

constexpr std::uint64_t kNoSample = 0;

// Of a line that names none, kNoSample.
std::uint64_t hash_of_sample(std::string_view sample) {
  return sample.empty() ? kNoSample : hash64(sample);
}

// A line that judges a pair.
struct PlacedVote {
  PairHash pair;
  std::uint32_t judge = 0;
  std::uint32_t file = 0;
  std::uint64_t line = 0;
  std::uint64_t sample = kNoSample;
  Judgement judgement = Judgement::kNone;
};

class JudgementReader {
 public:
  JudgementReader(std::vector<InputFile> inputs, ProgressReporter& progress)
      : inputs_(std::move(inputs)), progress_(progress) {
    options_.max_line_bytes = kJudgementLineBytesMaximum;
    name_files();
  }

  Status read() {
    GoldSource source(inputs_, options_);
    progress_.begin("read", source.stored_bytes_total(), "bytes");
    for (;;) {
      PARAPRINT_TRY(check_stop());
      PARAPRINT_ASSIGN(std::optional<GoldBatch> batch, source.next());
      if (!batch) break;
      for (const Defect& defect : batch->defects) PARAPRINT_TRY(add_defect(defect));
      for (const RawRecord& line : batch->lines) PARAPRINT_TRY(add_line(batch->file_index, line));
      progress_.update(batch->stored_bytes_done);
    }
    progress_.end();
    if (!has_frame_) {
      return failure(ErrorCode::kInvalidArgument,
                     fmt::format("{}: no file begins with the head of a sample, which `paraprint eval --sample` writes",
                                 inputs_.front().path));
    }
    return {};
  }

  JudgedSample join();

 private:
  void name_files();
  Status add_defect(const Defect& defect);
  Status add_line(std::uint32_t file, const RawRecord& line);
  Status add_head(std::uint32_t file);
  Status add_pair(const SampledPair& pair);
  std::optional<std::uint32_t> judge_number(const std::string& name);
  void refuse(std::uint32_t file, std::uint64_t line, const std::string& reason);

  std::vector<InputFile> inputs_;
  ReadOptions options_;
  ProgressReporter& progress_;
  JudgementParser parser_;
  JudgedSample sample_;
  bool has_frame_ = false;
  std::uint32_t head_file_ = 0;
  std::set<std::uint32_t> files_with_head_;
  std::vector<std::string> name_of_file_;
  std::map<std::string, std::uint32_t> judges_;
  std::map<PairHash, std::size_t> pair_of_hash_;
  // Per stratum: pairs, and per algorithm those it found. Neither may exceed what the head says.
  std::vector<std::uint64_t> pairs_seen_;
  std::vector<std::vector<std::uint64_t>> found_seen_;
  std::vector<PlacedVote> votes_;
};

// "a/alice.jsonl.gz" is alice; two files of one name are told apart by their paths.
void JudgementReader::name_files() {
  std::map<std::string, int> uses;
  for (const InputFile& input : inputs_) {
    const std::string name = fs::path(input.path).filename().string();
    name_of_file_.push_back(name.substr(0, name.find('.', 1)));
    ++uses[name_of_file_.back()];
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (uses[name_of_file_[i]] > 1) name_of_file_[i] = inputs_[i].path;
    name_of_file_[i] = utf8_prefix(name_of_file_[i], kJudgeNameBytesMaximum);
  }
}

// The reader looks for pages; that a line has none is what is expected here.
Status JudgementReader::add_defect(const Defect& defect) {
  if (defect.kind == DefectKind::kUnreadableFile) return failure(ErrorCode::kInputOutput, describe(defect));
  const bool is_about_pages = defect.kind == DefectKind::kMissingField || defect.kind == DefectKind::kWrongFieldType ||
                              defect.kind == DefectKind::kBadDate;
  if (is_about_pages) return {};
  ++sample_.unusable_lines;
  if (progress_.wants_warnings()) progress_.warn(describe(defect));
  return {};
}

void JudgementReader::refuse(std::uint32_t file, std::uint64_t line, const std::string& reason) {
  ++sample_.unusable_lines;
  if (progress_.wants_warnings()) progress_.warn(fmt::format("{}: line {}: {}", inputs_[file].path, line, reason));
}

Status JudgementReader::add_head(std::uint32_t file) {
  Result<SampleFrame> frame = parser_.head();
  if (!frame) return failure(frame.error().code, fmt::format("{}: {}", inputs_[file].path, frame.error().message));
  if (has_frame_ && frame->sample != sample_.frame.sample) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{} and {} are of different samples", inputs_[head_file_].path, inputs_[file].path));
  }
  files_with_head_.insert(file);
  if (has_frame_) return {};
  has_frame_ = true;
  head_file_ = file;
  sample_.frame = std::move(*frame);
  pairs_seen_.resize(sample_.frame.strata.size());
  found_seen_.assign(pairs_seen_.size(), std::vector<std::uint64_t>(sample_.frame.algorithms.size()));
  return {};
}

// The same pair is in the file of every judge. The counts of the head must hold, since estimates divide by them.
Status JudgementReader::add_pair(const SampledPair& pair) {
  const auto [known, is_new] = pair_of_hash_.try_emplace(hash_of(pair.id_a, pair.id_b), sample_.pairs.size());
  if (!is_new) return {};
  const Stratum& stratum = sample_.frame.strata[pair.stratum];
  std::vector<std::uint64_t>& found = found_seen_[pair.stratum];
  bool fits = pairs_seen_[pair.stratum] < stratum.sampled;
  for (std::size_t i = 0; i < found.size() && fits; ++i) {
    const bool is_found = (pair.found_by >> i & 1) != 0;
    const std::uint64_t others = pairs_seen_[pair.stratum] - found[i];
    fits = is_found ? found[i] < stratum.found[i] : others < stratum.pairs - stratum.found[i];
  }
  if (!fits) {
    pair_of_hash_.erase(known);
    return failure(ErrorCode::kInvalidArgument, "more pairs in this stratum than the head of the sample says");
  }
  ++pairs_seen_[pair.stratum];
  for (std::size_t i = 0; i < found.size(); ++i) found[i] += pair.found_by >> i & 1;
  sample_.pairs.push_back({pair, {}});
  return {};
}

std::optional<std::uint32_t> JudgementReader::judge_number(const std::string& name) {
  const auto known = judges_.find(name);
  if (known != judges_.end()) return known->second;
  if (judges_.size() == kJudgesMaximum) return std::nullopt;
  return judges_.emplace(name, static_cast<std::uint32_t>(judges_.size())).first->second;
}

Status JudgementReader::add_line(std::uint32_t file, const RawRecord& line) {
  if (const Status parsed = parser_.parse(line.header); !parsed) {
    refuse(file, line.line, parsed.error().message);
    return {};
  }
  if (parser_.is_head()) return add_head(file);
  const Result<JudgementLine> said = parser_.judgement();
  if (!said) {
    refuse(file, line.line, said.error().message);
    return {};
  }
  bool defines_pair = false;
  if (files_with_head_.contains(file)) {
    const auto pair = parser_.pair(sample_.frame);
    const Status added = !pair ? Status(tl::unexpected(pair.error())) : *pair ? add_pair(**pair) : Status();
    if (!added) {
      refuse(file, line.line, added.error().message);
      return {};
    }
    defines_pair = pair->has_value();
  }
  if (said->judgement == Judgement::kNone) {
    if (!said->has_judgement && !defines_pair) refuse(file, line.line, "missing field \"judgement\"");
    return {};
  }
  const std::string& name = said->judge.empty() ? name_of_file_[file] : said->judge;
  const std::optional<std::uint32_t> judge = judge_number(name);
  if (!judge) {
    refuse(file, line.line, fmt::format("more than {} judges", kJudgesMaximum));
    return {};
  }
  if (votes_.size() == kJudgementLinesMaximum) {
    return failure(ErrorCode::kLimitExceeded, fmt::format("{}: line {}: more than {} judgements", inputs_[file].path,
                                                          line.line, kJudgementLinesMaximum));
  }
  votes_.push_back(
      {hash_of(said->id_a, said->id_b), *judge, file, line.line, hash_of_sample(said->sample), said->judgement});
  return {};
}

// Judges are renumbered in the order of their names, so that the order of files does not matter.
JudgedSample JudgementReader::join() {
  std::vector<std::uint32_t> number(judges_.size());
  for (const auto& [name, first_number] : judges_) {
    number[first_number] = static_cast<std::uint32_t>(sample_.judges.size());
    sample_.judges.push_back({name, 0, 0, 0, 0});
  }
  const std::uint64_t own_sample = hash_of_sample(sample_.frame.sample);
  for (const PlacedVote& placed : votes_) {
    const auto pair = pair_of_hash_.find(placed.pair);
    const bool is_foreign = placed.sample != kNoSample && placed.sample != own_sample;
    if (is_foreign || pair == pair_of_hash_.end()) {
      refuse(placed.file, placed.line, is_foreign ? "judges a pair of another sample" : "the sample has no such pair");
      continue;
    }
    std::vector<Vote>& votes = sample_.pairs[pair->second].votes;
    const std::uint32_t judge = number[placed.judge];
    const auto place = std::lower_bound(votes.begin(), votes.end(), judge,
                                        [](const Vote& vote, std::uint32_t wanted) { return vote.judge < wanted; });
    if (place != votes.end() && place->judge == judge) {
      ++sample_.judges[judge].revised;
      place->judgement = placed.judgement;
    } else {
      votes.insert(place, {judge, placed.judgement});
    }
  }
  std::sort(sample_.pairs.begin(), sample_.pairs.end(), [](const JudgedPair& x, const JudgedPair& y) {
    return std::tie(x.pair.number, x.pair.id_a, x.pair.id_b) < std::tie(y.pair.number, y.pair.id_a, y.pair.id_b);
  });
  for (const JudgedPair& judged : sample_.pairs) {
    for (const Vote& vote : judged.votes) {
      JudgeFigures& judge = sample_.judges[vote.judge];
      ++(vote.judgement == Judgement::kCopy        ? judge.copies
         : vote.judgement == Judgement::kDifferent ? judge.different
                                                   : judge.unsure);
    }
  }
  return std::move(sample_);
}

}  // namespace

Judgement decision_of(const std::vector<Vote>& votes) {
  if (votes.empty()) return Judgement::kNone;
  std::int64_t balance = 0;
  for (const Vote& vote : votes) {
    balance += vote.judgement == Judgement::kCopy ? 1 : vote.judgement == Judgement::kDifferent ? -1 : 0;
  }
  if (balance == 0) return Judgement::kUnsure;
  return balance > 0 ? Judgement::kCopy : Judgement::kDifferent;
}

Result<JudgedSample> read_judgements(const std::vector<std::string>& files, ProgressReporter& progress) {
  PARAPRINT_ASSIGN(std::vector<InputFile> inputs, expand_inputs(files, ReadOptions{}));
  if (inputs.empty()) return failure(ErrorCode::kInvalidArgument, "no file of judgements given");
  JudgementReader reader(std::move(inputs), progress);
  PARAPRINT_TRY(reader.read());
  return reader.join();
}

std::vector<JudgeAgreement> agreement_of(const JudgedSample& sample) {
  constexpr std::size_t kClasses = 3;  // y, n, ?
  const auto class_of = [](Judgement judgement) { return static_cast<std::size_t>(judgement) - 1; };
  using Table = std::array<std::array<std::uint64_t, kClasses>, kClasses>;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Table> tables;
  for (const JudgedPair& judged : sample.pairs) {
    for (std::size_t a = 0; a < judged.votes.size(); ++a) {
      for (std::size_t b = a + 1; b < judged.votes.size(); ++b) {
        const Vote& first = judged.votes[a];
        const Vote& second = judged.votes[b];
        ++tables[{first.judge, second.judge}][class_of(first.judgement)][class_of(second.judgement)];
      }
    }
  }
  std::vector<JudgeAgreement> result;
  for (const auto& [judges, table] : tables) {
    JudgeAgreement agreement{sample.judges[judges.first].name, sample.judges[judges.second].name, 0, 0, std::nullopt};
    double by_chance = 0;
    for (std::size_t i = 0; i < kClasses; ++i) {
      agreement.agreed += table[i][i];
      std::uint64_t row = 0;
      std::uint64_t column = 0;
      for (std::size_t j = 0; j < kClasses; ++j) {
        row += table[i][j];
        column += table[j][i];
      }
      agreement.pairs += row;
      by_chance += static_cast<double>(row) * static_cast<double>(column);
    }
    const auto pairs = static_cast<double>(agreement.pairs);
    by_chance /= pairs * pairs;
    if (by_chance < 1) agreement.kappa = (static_cast<double>(agreement.agreed) / pairs - by_chance) / (1 - by_chance);
    result.push_back(std::move(agreement));
  }
  return result;
}

}  // namespace paraprint::inline lab::inline judge
