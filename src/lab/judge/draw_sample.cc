// `paraprint eval --sample`: which pairs people shall judge. Read draw_sample() at the end first.
//
// The choice depends only on ids, scores and the seed: pairs are numbered by the order of ids, and in each stratum
// those with the smallest hashes are taken, as if tickets had been drawn. A larger sample from the same strata
// therefore contains the smaller one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/atomic_file.h"
#include "base/propagate.h"
#include "base/stop.h"
#include "engine/stored_page_reader.h"
#include "lab/evaluate/evaluate_inputs.h"
#include "lab/evaluate/evaluate_match.h"
#include "lab/evaluate/evaluate_variants.h"
#include "lab/judge/judged_report.h"
#include "lab/judge/judgement_format.h"
#include "lab/judge/pair_pool.h"
#include "lab/judge/sample_strata.h"
#include "lab/judge/sample_tickets.h"
#include "memory/memory_budget.h"
#include "memory/scratch_folder.h"
#include "options/command_tables.h"
#include "paraprint/judged_samples.h"
#include "report/text_safety.h"

namespace paraprint {
namespace {

// Fills the pool with what each variant finds, and keeps the page table of the first way of reading.
class PoolFiller final : public VariantReceiver {
 public:
  PoolFiller(PairPool& pool, std::vector<SampledAlgorithm>& algorithms) : pool_(pool), algorithms_(algorithms) {}

  Status add(std::size_t number, const EvaluationVariant& variant, const MatchedVariant& matched,
             const EvaluationSpool& spool) override {
    if (!has_pages_) PARAPRINT_TRY(pool_.set_pages(*spool.profiles, spool.pages));
    has_pages_ = true;
    algorithms_[number] = {variant.label, variant.choice.canonical, {matched.threshold, matched.min_score}, 0};
    return pool_.add(static_cast<std::uint32_t>(number), variant.label, matched.found);
  }

  Status end_group(const ProfileOptions& profile, EvaluationSpool& spool) override {
    if (has_table_) return {};
    has_table_ = true;
    profile_ = profile;
    read_.pages = std::move(spool.pages);
    return {};
  }

  const ReadOutcome& read() const { return read_; }
  const ProfileOptions& profile() const { return profile_; }

 private:
  PairPool& pool_;
  std::vector<SampledAlgorithm>& algorithms_;
  bool has_pages_ = false;
  bool has_table_ = false;
  ReadOutcome read_;
  ProfileOptions profile_;
};

std::vector<ScoreRange> ranges_of(const SampleFrame& frame) {
  std::vector<ScoreRange> ranges;
  for (const SampledAlgorithm& algorithm : frame.algorithms) ranges.push_back(algorithm.range);
  return ranges;
}

// The tickets with the smallest hashes in each stratum, and in `frame` the counts of all pairs.
Result<std::vector<Ticket>> draw_tickets(const PairPool& pool, const PageTable& pages, std::uint32_t wanted,
                                         SampleFrame& frame) {
  const std::vector<ScoreRange> ranges = ranges_of(frame);
  std::map<StratumKey, std::uint64_t> pairs_of_key;
  PARAPRINT_TRY(pool.for_each(
      [&](std::span<const PooledScore> scores, std::uint64_t) { ++pairs_of_key[key_of(scores, ranges)]; }));
  Strata chosen = choose_strata(pairs_of_key, wanted);
  allocate(wanted, chosen.strata);
  for (Stratum& stratum : chosen.strata) stratum.found.resize(ranges.size());
  std::vector<std::vector<Ticket>> drawn(chosen.strata.size());
  PARAPRINT_TRY(pool.for_each([&](std::span<const PooledScore> scores, std::uint64_t first) {
    const StratumKey key = key_of(scores, ranges);
    const std::uint32_t number = chosen.stratum_of_key.at(key);
    Stratum& stratum = chosen.strata[number];
    for (std::size_t i = 0; i < ranges.size(); ++i) stratum.found[i] += key.found_by >> i & 1;
    const std::uint32_t a = scores.front().place_a;
    const std::uint32_t b = scores.front().place_b;
    const Ticket ticket{ticket_hash(frame.seed, pages.id(pool.page_at(a)), pages.id(pool.page_at(b))),
                        first,
                        key.found_by,
                        a,
                        b,
                        number};
    offer_ticket(ticket, stratum.sampled, drawn[number]);
  }));
  frame.strata = std::move(chosen.strata);
  for (const Stratum& stratum : frame.strata) {
    for (std::size_t i = 0; i < ranges.size(); ++i) frame.algorithms[i].pairs += stratum.found[i];
  }
  return in_turns(std::move(drawn));
}

// The identity is a hash of everything that judgements refer to.
void name_sample(const std::vector<Ticket>& tickets, const PairPool& pool, const PageTable& pages, SampleFrame& frame) {
  SampleNamer namer(frame);
  for (const Ticket& ticket : tickets) {
    namer.add_pair(pages.id(pool.page_at(ticket.place_a)), pages.id(pool.page_at(ticket.place_b)));
  }
  frame.sample = namer.name();
}

class SampleWriter {
 public:
  SampleWriter(const PoolFiller& filler, const PairPool& pool, const SampleFrame& frame)
      : filler_(filler), pool_(pool), frame_(frame) {}

  // Reads the texts again, which are not stored. A page that is gone by now has none.
  Status read_texts(const EvaluateOptions& options, const std::vector<InputFile>& inputs, MemoryBudget& budget,
                    const std::vector<Ticket>& tickets) {
    DedupOptions run_options;
    run_options.profile = filler_.profile();
    run_options.reading = options.reading;
    const RunSetup run{run_options, RunMode::kResume, inputs, {}, 1, budget};
    std::vector<std::uint32_t> wanted;
    for (const Ticket& ticket : tickets) {
      wanted.push_back(pool_.page_at(ticket.place_a));
      wanted.push_back(pool_.page_at(ticket.place_b));
    }
    PARAPRINT_ASSIGN(const auto contents, read_contents(run, filler_.read(), wanted));
    for (const auto& [page, content] : contents) {
      const std::string_view text = utf8_prefix(content.text, kSampledTextBytesMaximum);
      texts_[page] = {{}, {}, content.title, std::string(text), text.size() < content.text.size()};
    }
    for (const std::uint32_t page : wanted) {
      texts_[page].id = filler_.read().pages.id(page);
      texts_[page].url = filler_.read().pages.url(page);
    }
    return {};
  }

  Status write_lines(const std::string& path, const std::vector<Ticket>& tickets) const {
    PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(path));
    JsonWriter json;
    write_head(frame_, json);
    PARAPRINT_TRY(file.write(json.take() + "\n"));
    for (std::size_t i = 0; i < tickets.size(); ++i) {
      const Ticket& ticket = tickets[i];
      const SampledPage& a = text_at(ticket.place_a);
      const SampledPage& b = text_at(ticket.place_b);
      std::vector<NamedScore> scores;
      for (const PooledScore& score : pool_.scores_at(ticket.first)) {
        scores.push_back({frame_.algorithms[score.algorithm].label, score.score});
      }
      write_pair(frame_, {i + 1, a.id, b.id, ticket.stratum, ticket.found_by}, a, b, scores, json);
      PARAPRINT_TRY(file.write(json.take() + "\n"));
    }
    return file.commit();
  }

  Status write_pages(const std::string& folder, const std::vector<Ticket>& tickets) const {
    PARAPRINT_TRY(create_folders(folder));
    const std::size_t pages = (tickets.size() + kPairsPerPage - 1) / kPairsPerPage;
    for (std::size_t page = 1; page <= pages; ++page) {
      std::vector<ShownPair> shown;
      for (std::size_t i = (page - 1) * kPairsPerPage; i < std::min(page * kPairsPerPage, tickets.size()); ++i) {
        shown.push_back({i + 1, &text_at(tickets[i].place_a), &text_at(tickets[i].place_b)});
      }
      PARAPRINT_TRY(write_file_atomically(fmt::format("{}/{}.html", folder, page), pairs_page(shown, page, pages)));
    }
    return {};
  }

 private:
  const SampledPage& text_at(std::uint32_t place) const { return texts_.at(pool_.page_at(place)); }

  const PoolFiller& filler_;
  const PairPool& pool_;
  const SampleFrame& frame_;
  std::map<std::uint32_t, SampledPage> texts_;  // by page
};

// One set of pages: a folder, or files.
Result<LabelledSetFiles> pages_to_sample(const EvaluateOptions& options) {
  if (options.sets.size() + (options.inputs.pages.empty() ? 0 : 1) != 1) {
    return failure(ErrorCode::kInvalidArgument, "a sample is drawn from one set of pages: give a folder, or pages");
  }
  if (!options.sets.empty()) {
    PARAPRINT_ASSIGN(std::vector<LabelledSetFiles> sets, find_labelled_sets(options));
    return std::move(sets.front());
  }
  LabelledSetFiles files;
  files.path = options.inputs.pages.front();
  PARAPRINT_ASSIGN(files.pages, expand_inputs(options.inputs.pages, options.reading));
  return files;
}

Status check_request(const EvaluateOptions& options, std::uint32_t pairs) {
  const auto invalid = [](std::string message) -> Status {
    return failure(ErrorCode::kInvalidArgument, std::move(message));
  };
  PARAPRINT_TRY(check_options(evaluate_option_rows(), options));
  if (pairs < kSamplePairsMinimum || pairs > kSamplePairsMaximum) {
    return invalid(fmt::format("sample is {}; it must be {} to {}", pairs, kSamplePairsMinimum, kSamplePairsMaximum));
  }
  if (options.out.empty()) return invalid("a sample needs an output folder");
  if (!options.inputs.labels.empty() || !options.inputs.clusters.empty()) {
    return invalid("a sample is for pages without labels; give no labels and clusters with it");
  }
  // Its judgements are somebody's work.
  const std::string path = options.out + "/sample.jsonl";
  PARAPRINT_ASSIGN(const bool exists, path_exists(path));
  if (exists) return invalid(fmt::format("{}: exists, and may contain judgements; give another folder", path));
  return {};
}

std::string drawn_table(const SampleFrame& frame, const DrawnSample& drawn, std::uint64_t pages_unreadable) {
  std::string out = fmt::format("sample {}: {} of {} pairs of different texts, on {} pages", frame.sample, drawn.pairs,
                                drawn.pooled_pairs, frame.pages);
  if (frame.equal_texts > 0) out += fmt::format("; {} pages have the text of another one", frame.equal_texts);
  if (pages_unreadable > 0) out += fmt::format("; {} pages are unreadable", pages_unreadable);
  out += fmt::format("\n\n{:<60} {:>6} {:>9} {:>7}\n", "found by", "score", "pairs", "sampled");
  for (const Stratum& stratum : frame.strata) {
    out += fmt::format("{:<60} {:>6} {:>9} {:>7}\n", stratum_name(frame, stratum), band_name(stratum.key.band),
                       stratum.pairs, stratum.sampled);
  }
  return out + fmt::format("\npairs to judge: {}\nto read them:   {}\n", drawn.path, drawn.pages_path);
}

}  // namespace

Result<DrawnSample> draw_sample(const EvaluateOptions& options, std::uint32_t pairs, const RunControl& control) {
  // 1. Check the request before reading any page.
  PARAPRINT_TRY(check_request(options, pairs));
  const StopScope scope(control.stop);
  PARAPRINT_ASSIGN(const std::vector<EvaluationVariant> variants, plan_variants(options));
  if (variants.size() > kSampledAlgorithmsMaximum) {
    return failure(ErrorCode::kInvalidArgument, fmt::format("a sample is drawn from at most {} algorithms, not {}",
                                                            kSampledAlgorithmsMaximum, variants.size()));
  }
  PARAPRINT_ASSIGN(const LabelledSetFiles files, pages_to_sample(options));

  // 2. Run one algorithm after the other, and pool their pairs.
  const std::string scratch = temporary_folder(options.resources.tmp);
  MemoryBudget budget(options.resources.memory, scratch);
  PairPool pool(budget, scratch);
  SampleFrame frame;
  frame.algorithms.resize(variants.size());
  PoolFiller filler(pool, frame.algorithms);
  PARAPRINT_ASSIGN(const ReadCounts counts, match_variants(options, files, variants, control, filler));
  PARAPRINT_TRY(pool.finish());
  if (pool.pairs() == 0) {
    return failure(ErrorCode::kInvalidArgument,
                   fmt::format("{}: no algorithm finds a pair of different texts", files.path));
  }

  // 3. Draw.
  frame.seed = options.seed;
  frame.pages = filler.read().pages.size();
  frame.equal_texts = pool.equal_texts();
  PARAPRINT_ASSIGN(const std::vector<Ticket> tickets, draw_tickets(pool, filler.read().pages, pairs, frame));
  name_sample(tickets, pool, filler.read().pages, frame);

  // 4. Read the texts and write. The file of lines comes last: if it is there, everything is.
  SampleWriter writer(filler, pool, frame);
  PARAPRINT_TRY(writer.read_texts(options, files.pages, budget, tickets));
  DrawnSample drawn;
  drawn.sample = frame.sample;
  drawn.path = options.out + "/sample.jsonl";
  drawn.pages_path = options.out + "/pairs/1.html";
  drawn.pairs = tickets.size();
  drawn.pooled_pairs = pool.pairs();
  PARAPRINT_TRY(writer.write_pages(options.out + "/pairs", tickets));
  PARAPRINT_TRY(writer.write_lines(drawn.path, tickets));
  drawn.table = drawn_table(frame, drawn, counts.pages_unreadable);
  return drawn;
}

}  // namespace paraprint
