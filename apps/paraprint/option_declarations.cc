#include "option_declarations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "paraprint/engine.h"

namespace paraprint::cli {
namespace {

std::string known_extractors() {
  std::string text;
  for (const NamedChoice& choice : extractor_names()) {
    text += "\n    " + std::string(choice.name) + ": " + std::string(choice.summary);
  }
  return text;
}

// "200" or "200-299".
StatusRange parse_status(const std::string& text) {
  const std::size_t dash = text.find('-');
  try {
    StatusRange range;
    range.first = std::stoi(text);
    range.last = dash == std::string::npos ? range.first : std::stoi(text.substr(dash + 1));
    if (range.first >= 100 && range.first <= range.last && range.last <= 999) return range;
  } catch (const std::exception&) {
  }
  throw CLI::ValidationError("--status", "'" + text + "' is no HTTP status or range like 200-299");
}

}  // namespace

CLI::Option* add_switch(CLI::App& command, const char* names, bool& field, const char* help) {
  return command.add_flag(names, field, help)->default_str(field ? "true" : "false");
}

void declare_reading(CLI::App& command, ReadOptions& options) {
  constexpr const char* kGroup = "Reading";
  command.add_option("--id-field", options.id_field, "JSONL: field with the page's id")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--html-field", options.html_field, "JSONL: field with HTML")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--text-field", options.text_field, "JSONL: field with plain text, used where there is no HTML")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--url-field", options.url_field, "JSONL: field with the URL")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--date-field", options.date_field, "JSONL: field with the date of capture")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option_function<std::vector<std::string>>(
          "--status",
          [&options](const std::vector<std::string>& ranges) {
            options.statuses.clear();
            for (const std::string& range : ranges) options.statuses.push_back(parse_status(range));
          },
          "HTTP statuses that count as pages, like 200 or 200-299")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("200")
      ->group(kGroup);
  command.add_option("--content-type", options.content_types, "Media types that count as pages")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str(fmt::format("{}", fmt::join(options.content_types, ",")))
      ->group(kGroup);
  command.add_option("--max-record-bytes", options.max_record_bytes, "Larger records are counted and left alone")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--max-body-bytes", options.max_body_bytes, "The same for a page after decompression")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--max-line-bytes", options.max_line_bytes, "JSONL: longer lines are counted and skipped")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
}

void declare_profile(CLI::App& command, ProfileOptions& options) {
  constexpr const char* kGroup = "Fingerprints";
  command
      .add_option("--algorithm", options.algorithm,
                  "What finds copies, like paragraph or minhash:permutations=256; `paraprint algorithms` lists all")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--extractor", options.extractor, "How the main content is found:" + known_extractors())
      ->capture_default_str()
      ->group(kGroup);
  add_switch(command, "--fold-traditional,!--no-fold-traditional", options.fold_traditional,
             "Compare Traditional and Simplified Chinese as one script")
      ->group(kGroup);
  command
      .add_option("--paragraph-words", options.paragraph_words,
                  "Words a paragraph's fingerprint is made of: full or long")
      ->capture_default_str()
      ->group(kGroup);
  add_switch(command, "--part-of-speech,!--no-part-of-speech", options.weigh_part_of_speech,
             "Let nouns weigh more than verbs, verbs more than adverbs ...")
      ->group(kGroup);
  command.add_option("--word-hash", options.word_hash, "murmur3 or blake2b")->capture_default_str()->group(kGroup);
  command.add_option("--anchors", options.anchors_per_paragraph, "Sentences of a paragraph that may find a copy")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--anchor-characters", options.sentence_candidate_characters,
                  "Letters and digits from which a sentence may be an anchor")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--simhash-words", options.simhash_distinct_words_minimum,
                  "Distinct words below which a paragraph has no SimHash")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option(
          "--synonyms", options.synonyms,
          "Compare words of one meaning as one: off, list (by lists), map (by lists and word vectors), soft, dense")
      ->capture_default_str()
      ->group("Synonyms");
  command
      .add_option("--relevance", options.relevance,
                  "What makes a sentence weigh more: keywords of the page, topics shared with its paragraph, or both")
      ->capture_default_str()
      ->group("Topics");
  declare_meaning(command, options);
}

void declare_meaning(CLI::App& command, ProfileOptions& options) {
  constexpr const char* kGroup = "Synonyms";
  command
      .add_option("--synonym-list", options.synonym_lists,
                  "Files of synonyms, a class a line; bundled is the program's own list")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("bundled")
      ->group(kGroup);
  command
      .add_option("--word-vectors", options.word_vectors,
                  "Model of word vectors for map, soft and dense; `paraprint vectors` makes one")
      ->group(kGroup);
  command
      .add_option("--reduction", options.reduction,
                  "Principal components for dense; `paraprint vectors reduce` makes them")
      ->group(kGroup);
  command
      .add_option("--topic-model", options.topic_model,
                  "Topic model for --relevance; `paraprint topics train` makes one")
      ->group("Topics");
}

void declare_profile_of_run(CLI::App& command, ProfileOptions& options) {
  constexpr const char* kGroup = "Fingerprints";
  command.add_option("--idf", options.idf, "Word weights: bundled, or corpus to learn them from the input first")
      ->capture_default_str()
      ->group(kGroup);
  add_switch(command, "--paragraphs,!--no-paragraphs", options.with_paragraphs,
             "Make paragraphs for evidence and report under another --algorithm too; without, it is much faster")
      ->group(kGroup);
}

void declare_candidates(CLI::App& command, CandidateSearchOptions& options) {
  constexpr const char* kGroup = "Finding candidates";
  command
      .add_option("--candidate-bits", options.distance_bits,
                  "Paragraphs that differ in at most this many of 128 bits make a candidate; -1: off")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--group-cap", options.group_cap, "Pages with one text in common that are all paired with each other")
      ->capture_default_str()
      ->group(kGroup);
  add_switch(command, "--boilerplate,!--no-boilerplate", options.discount_boilerplate,
             "Give no weight to paragraphs a site repeats on its pages")
      ->group(kGroup);
}

void declare_match(CLI::App& command, MatchOptions& options) {
  constexpr const char* kGroup = "Deciding";
  command.add_option("--near", options.near_resemblance, "Resemblance from which two pages are copies of each other")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--containment", options.containment, "Share of a page that must be in another to call it contained")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--paragraph-bits", options.paragraph_distance_bits,
                  "Paragraphs that differ in at most this many of 128 bits are one text, edited")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--min-characters", options.matched_characters_minimum,
                  "Matched letters and digits below which only equal text counts")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--overlap-share", options.overlap_share,
                  "Share of a page that must be in the other to report an overlap")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--list-weight", options.list_weight, "Weight of list items and table rows against running text")
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--after-heading-weight", options.after_heading_weight, "Weight of the paragraph after a heading")
      ->capture_default_str()
      ->group(kGroup);
  add_switch(command, "--sentences,!--no-sentences", options.match_sentences,
             "Compare sentences where paragraphs do not match as a whole")
      ->group(kGroup);
  add_switch(command, "--whole-text,!--no-whole-text", options.match_whole_text,
             "Compare the texts as wholes too: finds copies in which every sentence was touched")
      ->group(kGroup);
}

void declare_alignment(CLI::App& command, MatchOptions& options) {
  add_switch(command, "--align-words,!--no-align-words", options.align_words,
             "Align the words of pairs near the decision, synonyms and moved words included; reads their pages again")
      ->group("Deciding");
}

void declare_survivors(CLI::App& command, SurvivorOptions& options) {
  constexpr const char* kGroup = "Choosing";
  command
      .add_option(
          "--keep", options.keep,
          "Which copy stays; criteria in order, separated by commas: longest, shortest, earliest, latest, first, "
          "last, shortest-url, https, host, scheme")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--prefer-host", options.prefer_hosts,
                  "Hosts to keep, best first; *.example.org includes those below")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kGroup);
  command.add_option("--prefer-scheme", options.prefer_schemes, "URL schemes to keep, best first")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kGroup);
  add_switch(command, "--remove-contained", options.remove_contained,
             "Also remove pages that are part of a longer page")
      ->group(kGroup);
  command
      .add_option("--clusters", options.clusters,
                  "star: every removed page was compared with the kept one; connected: chains")
      ->capture_default_str()
      ->group(kGroup);
}

void declare_output(CLI::App& command, OutputOptions& options) {
  constexpr const char* kGroup = "Output";
  command.add_option("--out", options.folder, "Folder for all output; created if missing")->group(kGroup);
  add_switch(command, "--restart", options.restart, "Discard an earlier run in this folder instead of resuming it")
      ->configurable(false)
      ->group(kGroup);
  add_switch(command, "--records,!--no-records", options.write_records, "Write the surviving records")->group(kGroup);
  add_switch(command, "--revisits", options.write_revisits, "WARC: leave a revisit record where a page was removed")
      ->group(kGroup);
  add_switch(command, "--evidence,!--no-evidence", options.write_evidence, "Write matches.jsonl")->group(kGroup);
  add_switch(command, "--report,!--no-report", options.write_report, "Write report/index.html")->group(kGroup);
}

void declare_evaluation(CLI::App& command, EvaluateOptions& options) {
  command.add_option("sets", options.sets, "Folders of labelled sets, or of corpora that `paraprint simulate` made");
  command.add_option("--pages", options.inputs.pages, "Pages outside a set: what dedup takes as inputs")
      ->allow_extra_args(false)
      ->delimiter(',');
  command.add_option("--labels", options.inputs.labels, "Their labels: id_a, id_b, label; or id, cluster");
  command.add_option("--clusters", options.inputs.clusters, "Their clusters: id, cluster");
  command.add_option("--world", options.world,
                     "open: only labelled pairs count; closed: others are no copies [set.json]");
  command
      .add_option("--algorithms", options.algorithms,
                  "Specifications with commas between, or all; `paraprint algorithms` lists them")
      ->allow_extra_args(false)
      ->default_str("paragraph");
  command.add_option("--sweep", options.sweeps, "ALGORITHM:PARAMETER=V1,V2,...: one row per value")
      ->allow_extra_args(false);
  command.add_flag("--ablation", options.ablation, "Also the paragraph method with its parts on and off");
  command.add_option("--seed", options.seed, "Decides the halves and the bootstrap")->capture_default_str();
  command.add_option("--bootstrap", options.bootstrap_rounds, "Rounds of the bootstrap")->capture_default_str();
  command.add_option("--show", options.shown_examples, "Number of worst misses and false positives to list for each")
      ->capture_default_str();
  command.add_option("--out", options.folder, "Folder for results.json, results.csv, timing.json and report/");
  command.add_flag("--write-pairs", options.write_pairs, "With --out: also every scored pair, pairs/SET/ALGORITHM.tsv");
}

void declare_resources(CLI::App& command, ResourceOptions& options) {
  constexpr const char* kGroup = "Resources";
  command.add_option("--threads", options.threads, "Threads; 0: one per processor. Does not change the output")
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("--memory", options.memory_bytes, "Memory of the process, like 2GB; what does not fit goes to disk")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str()
      ->group(kGroup);
  command.add_option("--tmp", options.temporary_folder, "Folder to spill to [inside the output folder]")->group(kGroup);
}

}  // namespace paraprint::cli
