// Everything is written through AtomicFile and renamed at the end, so a corpus is complete or absent. Records arrive
// compressed from the workers; this thread only distributes them. Labels of negative pairs are found here, in stream
// order, because they need the pages of earlier groups.
#include "lab/simulate/simulated_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "archive/member_writer.h"
#include "archive/warc_record.h"
#include "base/propagate.h"
#include "memory/release_memory.h"
#include "report/json_writer.h"
#include "report/text_safety.h"

namespace paraprint::inline lab::inline simulate {
namespace {

// At most this many page files, each then larger: all are open until commit(), and descriptors are limited.
constexpr std::size_t kFilesMaximum = 500;
// A collision in the table of topic words only loses a possible pair of one topic, so it may stay small.
constexpr std::size_t kTopicSlots = std::size_t{1} << 18;
constexpr std::size_t kSharedTopicWords = 2;  // of six: pages that share fewer are not called one topic
// In the order of TableFile; the last one only of corpora made to trace copies.
constexpr std::array<std::string_view, 5> kTableNames = {"labels.tsv", "clusters.tsv", "edits.jsonl", "docs.jsonl",
                                                         "copies.tsv"};

// A page as a WARC response record, with the HTTP header that declares its charset, rightly or wrongly.
std::string page_record(const SimulatedPage& page) {
  const std::string id = fmt::format("<{}>", page.id);
  const std::string content = fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}",
                                          page.http_content_type, page.body.size(), page.body);
  return make_warc_record("response",
                          {{"WARC-Record-ID", id},
                           {"WARC-Date", page.date},
                           {"WARC-Target-URI", page.url},
                           {"Content-Type", "application/http; msgtype=response"}},
                          content);
}

// The id is derived from the seed and the date is fixed, so that the same options give the same bytes.
std::string information_record(std::uint64_t seed, std::size_t file) {
  const std::uint64_t number = derive_seed(seed, {file});
  const std::string id =
      fmt::format("<urn:uuid:{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}>", number >> 32, number >> 16 & 0xFFFF,
                  number >> 4 & 0xFFF, number & 0xFFF, number >> 8 & 0xFFFFFFFFFF);
  const std::string content = fmt::format(
      "software: paraprint {}\r\nformat: WARC File Format 1.1\r\n"
      "description: simulated reposts, seed {}\r\n",
      version(), seed);
  return make_warc_record("warcinfo",
                          {{"WARC-Record-ID", id},
                           {"WARC-Date", "2020-01-01T00:00:00Z"},
                           {"WARC-Filename", page_file_name(file)},
                           {"Content-Type", "application/warc-fields"}},
                          content);
}

// The columns `edits` and `strengths`, such as "synonyms+template" and "0.30+0.50". A page without edits gives its
// role, "original" or "formula", and "-".
std::string edit_names(const SimulatedPage& page) {
  if (page.edits.empty()) return std::string(page_role_name(page.role));
  std::string names;
  for (const AppliedEdit& edit : page.edits) names.append(names.empty() ? "" : "+").append(edit.row->info.name);
  return names;
}
std::string edit_strengths(const SimulatedPage& page) {
  if (page.edits.empty()) return "-";
  std::string strengths;
  for (const AppliedEdit& edit : page.edits)
    strengths += fmt::format("{}{:.2f}", strengths.empty() ? "" : "+", edit.strength);
  return strengths;
}

void write_counts(JsonWriter& json, std::string_view name, const std::map<std::string, std::uint64_t>& counts) {
  json.key(name);
  json.begin_object();
  for (const auto& [key, count] : counts) json.member(key, count);
  json.end_object();
}

}  // namespace

std::string page_file_name(std::size_t number) {
  return fmt::format("pages-{:04}.warc.gz", number);
}

// Compression is the expensive part of writing, so it is done by the workers. Each record is a gzip member of its own,
// as readers expect of WARC files.
EncodedGroup encode_group(PageGroup&& group) {
  EncodedGroup encoded;
  for (SimulatedPage& page : group.pages) {
    encoded.records.push_back(gzip_member(page_record(page)));
    release_memory(page.body);
  }
  encoded.group = std::move(group);
  return encoded;
}

// All files are created at once: which file a page goes to is random, and a folder that cannot be written shows up
// here.
Result<SimulatedFiles> SimulatedFiles::create(const SimulateOptions& options, std::uint32_t sites, bool is_traced) {
  SimulatedFiles files(options);
  files.last_of_site_.resize(sites);
  files.topics_.resize(kTopicSlots);
  const std::uint64_t wanted = (options.pages + options.pages_per_file - 1) / options.pages_per_file;
  const std::size_t count = std::min<std::uint64_t>(wanted, kFilesMaximum);
  for (std::size_t i = 0; i < count; ++i) {
    PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(options.out + "/" + page_file_name(i)));
    PARAPRINT_TRY(file.write(gzip_member(information_record(options.seed, i))));
    files.pages_.push_back(std::move(file));
  }
  for (const std::string_view name : kTableNames) {
    if (name == kTableNames[kCopies] && !is_traced) continue;
    PARAPRINT_ASSIGN(AtomicFile file, AtomicFile::create(fmt::format("{}/{}", options.out, name)));
    files.tables_.push_back(std::move(file));
  }
  for (const auto& [table, header] :
       {std::pair(kLabels, "id_a\tid_b\tlabel\tedits\tstrengths\tkind\tdice\tcontainment_a\tcontainment_b\n"),
        std::pair(kClusters, "id\tcluster\n")}) {
    PARAPRINT_TRY(files.tables_[table].write(header));
  }
  if (is_traced) {
    PARAPRINT_TRY(files.tables_[kCopies].write(
        "id\tcopied_from\toriginal\tpublished\tstated_date\tdate_form\tstated_source\tsource_form\n"));
  }
  return files;
}

// Pages before pairs: labels refer to ids that docs.jsonl has introduced.
Status SimulatedFiles::add(const EncodedGroup& encoded) {
  const PageGroup& group = encoded.group;
  if (!group.formula.empty()) formula_counts_[group.formula] += group.pages.size();
  for (std::size_t page = 0; page < group.pages.size(); ++page) {
    PARAPRINT_TRY(add_page(encoded, page));
  }
  for (const LabelledPair& pair : group.pairs) {
    PARAPRINT_TRY(add_pair(group, pair));
  }
  return add_negatives(group);
}

// The file is chosen by the page's own random number: copies of one article are spread over all files.
Status SimulatedFiles::add_page(const EncodedGroup& encoded, std::size_t number) {
  const SimulatedPage& page = encoded.group.pages[number];
  const std::size_t file = page.random % pages_.size();
  PARAPRINT_TRY(pages_[file].write(encoded.records[number]));
  const std::string& cluster = encoded.group.pages[page.cluster].id;
  PARAPRINT_TRY(tables_[kClusters].write(fmt::format("{}\t{}\n", page.id, cluster)));
  JsonWriter json;
  json.begin_object();
  json.member("id", page.id);
  json.member("url", page.url);
  json.member("lang", language_name(page.language));
  json.member("title", page.title);
  json.member("role", page_role_name(page.role));
  json.key("bases");
  json.begin_array();
  for (const std::uint32_t base : page.bases) json.value(base);
  json.end_array();
  json.member("site", page.site);
  json.member("charset", page.charset);
  json.member("file", page_file_name(file));
  if (options_.texts) json.member("text", page.text);
  json.end_object();
  ++page_count_;
  ++role_counts_[std::string(page_role_name(page.role))];
  ++language_counts_[std::string(language_name(page.language))];
  ++charset_counts_[page.charset];
  PARAPRINT_TRY(tables_[kDocuments].write(json.take() + "\n"));
  if (tables_.size() > kCopies && page.role != PageRole::kFormula) PARAPRINT_TRY(add_origin(encoded.group, page));
  return add_edits(page);
}

Status SimulatedFiles::add_origin(const PageGroup& group, const SimulatedPage& page) {
  const auto id_of = [&](std::optional<std::size_t> number) {
    return number ? group.pages[*number].id : std::string();
  };
  const PageOrigin& origin = page.origin;
  return tables_[kCopies].write(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", page.id, id_of(origin.copied_from),
                                            id_of(origin.original), origin.published, origin.stated_date,
                                            origin.date_form, id_of(origin.stated_source), origin.source_form));
}

// One line per edit. The seed is written in hexadecimal, because JSON readers may round large integers.
Status SimulatedFiles::add_edits(const SimulatedPage& page) {
  for (const AppliedEdit& edit : page.edits) {
    ++edit_counts_[std::string(edit.row->info.name)];
    JsonWriter json;
    json.begin_object();
    json.member("page", page.id);
    json.member("base", page.bases.front());
    json.member("edit", edit.row->info.name);
    json.member("strength", Real{edit.strength, 2});
    json.member("seed", fmt::format("{:016x}", edit.seed));
    json.member("changes", edit.changes);
    json.key("places");
    json.begin_array();
    for (const std::uint32_t place : edit.places) json.value(place);
    json.end_array();
    if (!edit.note.empty()) json.member("note", edit.note);
    json.end_object();
    PARAPRINT_TRY(tables_[kEdits].write(json.take() + "\n"));
  }
  return {};
}

// Rows have id_a < id_b, so the two pages and what belongs to each are swapped together.
Status SimulatedFiles::add_pair(const PageGroup& group, const LabelledPair& pair) {
  const SimulatedPage* a = &group.pages[pair.a];
  const SimulatedPage* b = &group.pages[pair.b];
  double containment_a = pair.shared.containment_a;
  double containment_b = pair.shared.containment_b;
  if (b->id < a->id) {
    std::swap(a, b);
    std::swap(containment_a, containment_b);
  }
  ++label_counts_[std::string(pair_label_name(pair.label))];
  ++kind_counts_[std::string(pair_kind_name(pair.kind))];
  return tables_[kLabels].write(fmt::format("{}\t{}\t{}\t{}|{}\t{}|{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\n", a->id, b->id,
                                            pair_label_name(pair.label), edit_names(*a), edit_names(*b),
                                            edit_strengths(*a), edit_strengths(*b), pair_kind_name(pair.kind),
                                            pair.shared.dice, containment_a, containment_b));
}

// Lists hard negatives: for each original page at most one pair with the previous original on the same site, and one
// with the last original on the same topic. One of each keeps labels linear in the number of articles.
Status SimulatedFiles::add_negatives(const PageGroup& group) {
  for (const PageGroup::Family& family : group.families) {
    const SimulatedPage& page = group.pages[family.original];
    std::string& last = last_of_site_[page.site];
    if (!last.empty()) {
      PARAPRINT_TRY(add_negative(last, page.id, PairKind::kSameSite));
    }
    const std::string same_site = std::exchange(last, page.id);
    std::map<std::string, std::size_t> shared;
    for (const std::uint64_t word : family.topic_words) {
      TopicSlot& slot = topics_[word % kTopicSlots];
      if (word != 0 && slot.word == word && !slot.id.empty()) ++shared[slot.id];
    }
    const auto most = std::max_element(shared.begin(), shared.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != shared.end() && most->second >= kSharedTopicWords && most->first != same_site) {
      PARAPRINT_TRY(add_negative(most->first, page.id, PairKind::kSameTopic));
    }
    // Registered after the search, so that a page does not find itself. 0 marks an unused word.
    for (const std::uint64_t word : family.topic_words) {
      if (word != 0) topics_[word % kTopicSlots] = {word, page.id};
    }
  }
  return {};
}

// Original pages on both sides, so the columns of edits are fixed; similarities are not measured for these pairs.
Status SimulatedFiles::add_negative(const std::string& a, const std::string& b, PairKind kind) {
  ++label_counts_[std::string(pair_label_name(PairLabel::kDifferent))];
  ++kind_counts_[std::string(pair_kind_name(kind))];
  return tables_[kLabels].write(fmt::format("{}\t{}\t{}\toriginal|original\t-|-\t{}\t\t\t\n", std::min(a, b),
                                            std::max(a, b), pair_label_name(PairLabel::kDifferent),
                                            pair_kind_name(kind)));
}

std::string SimulatedFiles::set_json() const {
  JsonWriter json;
  json.begin_object();
  json.member("name", "simulated");
  json.member("world", "closed");
  json.member("kind", "html");
  json.member("side", "simulated");
  json.end_object();
  return json.take() + "\n";
}

// Maps are sorted, so equal corpora have equal summaries.
std::string SimulatedFiles::summary_json(const SimulateOutcome& outcome) const {
  JsonWriter json(JsonLayout::kIndented);
  json.begin_object();
  json.member("version", version());
  json.member("seed", options_.seed);
  json.member("pages", page_count_);
  json.member("page_files", pages_.size());
  json.member("pages_read", outcome.pages_read);
  json.member("bases_usable", outcome.bases_usable);
  json.member("bases_used", outcome.bases_used);
  json.member("broken_records", outcome.broken_records);
  write_counts(json, "roles", role_counts_);
  write_counts(json, "languages", language_counts_);
  write_counts(json, "charsets", charset_counts_);
  write_counts(json, "edits", edit_counts_);
  write_counts(json, "formulas", formula_counts_);
  write_counts(json, "labels", label_counts_);
  write_counts(json, "kinds", kind_counts_);
  json.key("options");
  json.begin_object();
  json.member("extractor", options_.extractor);
  json.member("edits", fmt::format("{}", fmt::join(options_.edits, ",")));
  json.member("edits_per_page", options_.edits_per_page);
  json.member("template_share", Real{options_.template_share});
  json.member("formula_share", Real{options_.formula_share});
  if (tables_.size() > kCopies) {
    json.member("chain_share", Real{options_.chain_share});
    json.member("dated_share", Real{options_.dated_share});
    json.member("sourced_share", Real{options_.sourced_share});
  }
  json.member("base_characters_minimum", options_.min_characters);
  json.member("base_characters_maximum", options_.max_characters);
  json.member("pages_per_file", options_.pages_per_file);
  json.end_object();
  json.end_object();
  return json.take() + "\n";
}

// Renaming many files is not atomic; if one fails, those that have appeared are removed again.
Status SimulatedFiles::commit(SimulateOutcome& outcome) {
  outcome.pages = page_count_;
  outcome.pairs_duplicate = label_counts_["dup"];
  outcome.pairs_near = label_counts_["near"];
  outcome.pairs_topic = label_counts_["topic"];
  outcome.pairs_different = label_counts_["diff"];
  std::vector<std::string> appeared;
  Status status = commit_files(outcome, appeared);
  if (!status) {
    for (const std::string& path : appeared) std::remove(path.c_str());
  }
  return status;
}

// set.json and summary.json come last: a corpus without them is recognisably unfinished.
Status SimulatedFiles::commit_files(const SimulateOutcome& outcome, std::vector<std::string>& appeared) {
  for (std::vector<AtomicFile>* files : {&pages_, &tables_}) {
    for (AtomicFile& file : *files) {
      PARAPRINT_TRY(file.commit());
      appeared.push_back(file.path());
    }
  }
  for (const auto& [name, bytes] :
       {std::pair("/set.json", set_json()), std::pair("/summary.json", summary_json(outcome))}) {
    const std::string path = options_.out + name;
    PARAPRINT_TRY(write_file_atomically(path, bytes));
    appeared.push_back(path);
  }
  return {};
}

}  // namespace paraprint::inline lab::inline simulate
