// Mappers and reducers of `paraprint dedup` as MapReduce jobs, by the contract of Hadoop streaming: lines on standard
// input, lines on standard output, the key in front of the first tab, counters as "reporter:counter:" lines on standard
// error. docs/mapreduce.md has the jobs; run_local.py runs them on one machine.
//
//   mapreduce_stage COMMAND [FILE...] [NAME=VALUE...]
//
// A file is named by what it contains: ranges=FILE, ids=FILE, templates=FILE, pages=FILE, ...; `scratch`, `tasks` and
// `fingerprints` are settings of the jobs. All other names are options of `paraprint dedup`, with '_' for '-'.
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "lines.h"
#include "options/option_table.h"
#include "paraprint/distributed.h"

namespace paraprint::mapreduce {
namespace {

// Ends the task: the scheduler repeats it or fails the job.
[[noreturn]] void fail(const std::string& message) {
  std::cerr << "mapreduce_stage: " << message << std::endl;
  std::exit(1);
}

void check(const Status& status) {
  if (!status) fail(status.error().message);
}
template <class Value>
Value take(Result<Value> result) {
  if (!result) fail(result.error().message);
  return std::move(*result);
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) fail("'" + std::string(text) + "' is not a number");
  return number;
}

std::string decoded(std::string_view text) {
  std::string bytes;
  if (!bytes_of(text, bytes)) fail("a field is not hexadecimal: '" + std::string(text.substr(0, 40)) + "'");
  return bytes;
}

struct Setup {
  DedupOptions options;
  std::map<std::string, std::string, std::less<>> settings;

  const std::string& setting(std::string_view name) const {
    const auto found = settings.find(name);
    if (found == settings.end()) fail("no " + std::string(name) + "=... given");
    return found->second;
  }
  std::uint32_t tasks() const { return static_cast<std::uint32_t>(number_of(setting("tasks"))); }
};

// One of `paraprint dedup`'s options; false if there is none of that name.
bool set_option_named(const std::string& name, const std::string& value, DedupOptions& options) {
  bool is_known = false;
  const auto set = [&](const auto rows, auto& group) {
    for (const auto& row : rows) {
      if (row.name != name) continue;
      is_known = true;
      check(set_option(row, group, std::span(&value, 1)));
    }
  };
  set(survivor_option_rows(), options.survivors);
  set(match_option_rows(), options.match);
  set(candidate_option_rows(), options.candidates);
  set(profile_option_rows(), options.profile);
  set(read_option_rows(), options.reading);
  set(resource_option_rows(), options.resources);
  return is_known;
}

Setup read_arguments(int count, char** arguments) {
  Setup setup;
  setup.options.output.records = false;
  setup.options.output.report = false;
  setup.options.output.evidence = false;
  setup.options.output.out = "unused";
  for (int i = 2; i < count; ++i) {
    const std::string argument = arguments[i];
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) {
      setup.options.inputs.push_back(argument);
      continue;
    }
    const std::string name = argument.substr(0, equals);
    const std::string value = argument.substr(equals + 1);
    if (!set_option_named(name, value, setup.options)) setup.settings[name] = value;
  }
  if (setup.options.inputs.empty()) setup.options.inputs = {"unused"};
  const std::string& algorithm = setup.options.profile.algorithm;
  if (algorithm != "paragraph") fail("algorithm=" + algorithm + ": these jobs are those of the paragraph method");
  check(check_distributed(setup.options));
  if (setup.options.profile.idf == IdfSource::kCorpus) fail("idf=corpus is not one of these jobs");
  return setup;
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) fail("cannot read " + path);
  return content.str();
}

// Calls visit(fields) for each line.
void for_each_line(std::istream& lines, const std::function<void(const std::vector<std::string_view>&)>& visit) {
  std::string line;
  while (std::getline(lines, line)) visit(fields_of(line));
  if (lines.bad()) fail("reading a line failed");
}
void for_each_line_of(const std::string& path, const std::function<void(const std::vector<std::string_view>&)>& visit) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot read " + path);
  for_each_line(file, visit);
}

void need_fields(const std::vector<std::string_view>& fields, std::size_t count) {
  if (fields.size() != count)
    fail("a line has " + std::to_string(fields.size()) + " fields instead of " + std::to_string(count));
}

void write_parcels_of(StageTask& task) {
  while (true) {
    const std::vector<Parcel> parcels = take(task.take_parcels());
    if (parcels.empty()) return;
    for (const Parcel& parcel : parcels) {
      std::cout << sortable(parcel.partition) << '\t' << parcel.kind << '\t' << hex_of(parcel.bytes) << '\n';
    }
  }
}

void write_counters(const StageTask& task) {
  for (const auto& [name, amount] : task.counters()) {
    std::cerr << "reporter:counter:paraprint," << name << ',' << amount << '\n';
  }
}

// The first page of each task, and the number of all pages.
std::vector<std::uint32_t> read_ranges(const std::string& path) {
  std::vector<std::uint32_t> first_pages;
  for_each_line_of(path, [&](const std::vector<std::string_view>& fields) {
    need_fields(fields, 1);
    first_pages.push_back(static_cast<std::uint32_t>(number_of(fields[0])));
  });
  return first_pages;
}

// The paths that list_inputs() has written.
std::vector<std::string> read_inputs(const std::string& path) {
  std::vector<std::string> inputs;
  for_each_line_of(path, [&](const std::vector<std::string_view>& fields) {
    need_fields(fields, 2);
    inputs.emplace_back(fields[1]);
  });
  return inputs;
}

// The first id of each task but the first.
std::vector<std::string> read_ids(const std::string& path) {
  std::vector<std::string> ids;
  for_each_line_of(path, [&](const std::vector<std::string_view>& fields) {
    need_fields(fields, 1);
    ids.push_back(decoded(fields[0]));
  });
  return ids;
}

// `partition` is that of the parcels that the task receives.
std::unique_ptr<StageTask> make_task(const Setup& setup, const std::string& stage, std::uint32_t partition,
                                     bool takes_any_pages = false) {
  StageSettings settings;
  settings.takes_any_pages = takes_any_pages;
  settings.stage = stage;
  if (setup.settings.contains("ranges")) settings.first_pages = read_ranges(setup.setting("ranges"));
  if (setup.settings.contains("ids")) settings.first_ids = read_ids(setup.setting("ids"));
  if (setup.settings.contains("inputs")) settings.inputs = read_inputs(setup.setting("inputs"));
  if (setup.settings.contains("sites")) settings.large_sites = whole_file(setup.setting("sites"));
  if (setup.settings.contains("templates")) settings.boilerplate = whole_file(setup.setting("templates"));
  settings.partitions = setup.tasks();
  settings.share = partition;
  settings.shares = setup.tasks();
  if (setup.settings.contains("fingerprints")) settings.fingerprints = number_of(setup.setting("fingerprints"));
  settings.temporary_folder = setup.setting("scratch");
  return take(StageTask::create(setup.options, settings));
}

// Position of the first page, number of pages, facts, profiles.
void add_page_line(StageTask& task, const std::vector<std::string_view>& fields) {
  need_fields(fields, 4);
  const std::uint64_t position = number_of(fields[0]);
  if (!task.needs_pages(position, number_of(fields[1]))) return;
  check(task.add_pages(position, decoded(fields[2]), decoded(fields[3])));
}

// ---------------------------------------------------------------------------------------------------------------------
// Mappers

// Index and path of an input -> its batches of pages, with some of their ids.
void map_inputs(const Setup& setup) {
  const std::unique_ptr<ProfileStage> stage = take(ProfileStage::create(setup.options, setup.setting("scratch"), {}));
  RunControl control;
  control.warning = [](std::string_view text) { std::cerr << text << '\n'; };
  for_each_line(std::cin, [&](const std::vector<std::string_view>& fields) {
    need_fields(fields, 2);
    const std::uint64_t file = number_of(fields[0]);
    std::uint64_t batch = 0;
    const auto write = [&](ProfiledPages&& pages) -> Status {
      std::cout << sortable(file) << sortable(batch++) << '\t' << sortable(pages.pages) << '\t' << hex_of(pages.facts)
                << '\t' << hex_of(pages.profiles);
      for (const std::string& id : pages.sampled_ids) std::cout << '\t' << hex_of(id);
      std::cout << '\n';
      return {};
    };
    check(stage->profile_file({std::string(fields[1])}, static_cast<std::uint32_t>(file), write, control));
  });
}

// Batches of pages -> parcels.
void map_pages(const Setup& setup, const std::string& stage) {
  const std::unique_ptr<StageTask> task = make_task(setup, stage, 0, true);
  if (setup.settings.contains("copies")) {
    for_each_line_of(setup.setting("copies"), [&](const std::vector<std::string_view>& fields) {
      need_fields(fields, 3);
      check(task->add_parcel(fields[1], decoded(fields[2])));
    });
  }
  check(task->end_parcels());
  for_each_line(std::cin, [&](const std::vector<std::string_view>& fields) {
    add_page_line(*task, fields);
    write_parcels_of(*task);
  });
  check(task->finish());
  write_parcels_of(*task);
  write_counters(*task);
}

// Parcels, however they are divided among the mappers -> parcels.
void map_parcels(const Setup& setup, const std::string& stage) {
  const std::unique_ptr<StageTask> task = make_task(setup, stage, 0);
  for_each_line(std::cin, [&](const std::vector<std::string_view>& fields) {
    need_fields(fields, 3);
    check(task->add_parcel(fields[1], decoded(fields[2])));
    write_parcels_of(*task);
  });
  check(task->end_parcels());
  check(task->finish());
  write_parcels_of(*task);
  write_counters(*task);
}

// ---------------------------------------------------------------------------------------------------------------------
// Reducer

// Parcels of one partition, with all of which one task works, follow each other.
class Reducer {
 public:
  Reducer(const Setup& setup, std::string stage) : setup_(setup), stage_(std::move(stage)) {}

  void add(const std::vector<std::string_view>& fields) {
    need_fields(fields, 3);
    if (!task_ || fields[0] != partition_) {
      end();
      partition_ = fields[0];
      task_ = make_task(setup_, stage_, static_cast<std::uint32_t>(number_of(fields[0])));
    }
    check(task_->add_parcel(fields[1], decoded(fields[2])));
  }

  void end() {
    if (!task_) return;
    check(task_->end_parcels());
    if (setup_.settings.contains("pages")) {
      for_each_line_of(setup_.setting("pages"), [&](const std::vector<std::string_view>& fields) {
        add_page_line(*task_, fields);
        write_parcels_of(*task_);
      });
    }
    check(task_->finish());
    write_parcels_of(*task_);
    write_counters(*task_);
    task_.reset();
  }

 private:
  const Setup& setup_;
  const std::string stage_;
  std::string partition_;
  std::unique_ptr<StageTask> task_;
};

void reduce(const Setup& setup, const std::string& stage) {
  Reducer reducer(setup, stage);
  for_each_line(std::cin, [&](const std::vector<std::string_view>& fields) { reducer.add(fields); });
  reducer.end();
}

// ---------------------------------------------------------------------------------------------------------------------
// The driver, between the jobs

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) fail("cannot write " + path);
}

// Index and path of every input, for the first mapper.
void list_inputs(const Setup& setup) {
  std::uint64_t index = 0;
  for (const std::string& path : take(list_distributed_inputs(setup.options))) {
    if (path.find_first_of("\t\n") != std::string::npos) fail("a path has a tab or a line end: " + path);
    std::cout << sortable(index++) << '\t' << path << '\n';
  }
}

// The batches of the file `pages`, whose lines are in order, with the number of the first page of each; `ranges` gets
// the numbers that divide them among the tasks, `ids` the ids that divide all ids.
void number_pages(const Setup& setup) {
  std::vector<std::uint64_t> first_of_batch;
  std::uint64_t pages = 0;
  std::vector<std::string> sampled_ids;
  for_each_line_of(setup.setting("pages"), [&](const std::vector<std::string_view>& fields) {
    if (fields.size() < 4) need_fields(fields, 4);
    for (std::size_t field = 4; field < fields.size(); ++field) sampled_ids.push_back(decoded(fields[field]));
    std::cout << sortable(pages) << '\t' << fields[1] << '\t' << fields[2] << '\t' << fields[3] << '\n';
    first_of_batch.push_back(pages);
    pages += number_of(fields[1]);
  });
  std::string ranges;
  std::size_t batch = 0;
  for (std::uint64_t task = 0; task < setup.tasks(); ++task) {
    while (batch < first_of_batch.size() && first_of_batch[batch] * setup.tasks() < task * pages) ++batch;
    ranges += std::to_string(batch < first_of_batch.size() ? first_of_batch[batch] : pages) + "\n";
  }
  write_file(setup.setting("ranges"), ranges + std::to_string(pages) + "\n");
  std::string ids;
  for (const std::string& id : id_ranges(std::move(sampled_ids), setup.tasks())) ids += hex_of(id) + "\n";
  write_file(setup.setting("ids"), ids);
}

// A parcel without records for each task: a reducer starts a task where there is a line.
void wake_tasks(const Setup& setup) {
  for (std::uint32_t task = 0; task < setup.tasks(); ++task) std::cout << sortable(task) << "\tnames\t\n";
}

// Parts of a table, in their order, without what is in front of them.
void write_table(const Setup&) {
  for_each_line(std::cin, [&](const std::vector<std::string_view>& fields) {
    need_fields(fields, 3);
    std::cout << decoded(fields[2]);
  });
}

// Parcels of sorted entries, as side data for the tasks.
void join_parcels(const Setup& setup, const std::string& name) {
  std::vector<std::string> parts;
  for_each_line(std::cin, [&](const std::vector<std::string_view>& fields) {
    need_fields(fields, 3);
    parts.push_back(decoded(fields[2]));
  });
  write_file(setup.setting(name), take(join_entries(parts)));
}

int run(int count, char** arguments) {
  const std::string command = count > 1 ? arguments[1] : "";
  const std::map<std::string, std::function<void(const Setup&)>> commands = {
      {"list-inputs", list_inputs},
      {"map-inputs", map_inputs},
      {"number-pages", number_pages},
      {"map-paragraphs", [](const Setup& setup) { map_pages(setup, "paragraphs"); }},
      {"reduce-boilerplate", [](const Setup& setup) { reduce(setup, "boilerplate"); }},
      {"map-texts", [](const Setup& setup) { map_pages(setup, "texts"); }},
      {"reduce-repeats", [](const Setup& setup) { reduce(setup, "repeats"); }},
      {"reduce-names", [](const Setup& setup) { reduce(setup, "names"); }},
      {"join-sites", [](const Setup& setup) { join_parcels(setup, "sites"); }},
      {"join-templates", [](const Setup& setup) { join_parcels(setup, "templates"); }},
      {"map-keys", [](const Setup& setup) { map_pages(setup, "keys"); }},
      {"reduce-exact", [](const Setup& setup) { reduce(setup, "exact"); }},
      {"reduce-near", [](const Setup& setup) { reduce(setup, "near"); }},
      {"map-buckets", [](const Setup& setup) { map_parcels(setup, "buckets"); }},
      {"reduce-hamming", [](const Setup& setup) { reduce(setup, "hamming"); }},
      {"reduce-sketch", [](const Setup& setup) { reduce(setup, "sketch"); }},
      {"reduce-select", [](const Setup& setup) { reduce(setup, "select"); }},
      {"reduce-fetch", [](const Setup& setup) { reduce(setup, "fetch"); }},
      {"reduce-verify", [](const Setup& setup) { reduce(setup, "verify"); }},
      {"reduce-large-star", [](const Setup& setup) { reduce(setup, "large-star"); }},
      {"reduce-small-star", [](const Setup& setup) { reduce(setup, "small-star"); }},
      {"reduce-gather", [](const Setup& setup) { reduce(setup, "gather"); }},
      {"reduce-assemble", [](const Setup& setup) { reduce(setup, "assemble"); }},
      {"reduce-cluster", [](const Setup& setup) { reduce(setup, "cluster"); }},
      {"wake-tasks", wake_tasks},
      {"reduce-expand-first", [](const Setup& setup) { reduce(setup, "expand-first"); }},
      {"reduce-expand-second", [](const Setup& setup) { reduce(setup, "expand-second"); }},
      {"reduce-number", [](const Setup& setup) { reduce(setup, "number"); }},
      {"reduce-list-pages", [](const Setup& setup) { reduce(setup, "list-pages"); }},
      {"reduce-list-matches", [](const Setup& setup) { reduce(setup, "list-matches"); }},
      {"write-table", write_table},
  };
  const auto found = commands.find(command);
  if (found == commands.end()) {
    std::string names;
    for (const auto& [name, call] : commands) names += " " + name;
    fail("usage: mapreduce_stage COMMAND [INPUT...] [NAME=VALUE...]; commands:" + names);
  }
  found->second(read_arguments(count, arguments));
  std::cout.flush();
  if (!std::cout) fail("cannot write to standard output");
  return 0;
}

}  // namespace
}  // namespace paraprint::mapreduce

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  return paraprint::mapreduce::run(count, arguments);
}
