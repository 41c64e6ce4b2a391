// The stages of a divided run (paraprint/distributed.h) for the package paraprint.spark. Data crosses as bytes, in the
// form of docs/formats/distributed.md; the work itself runs without the GIL.
#include <fmt/format.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>

#include "arrow_input.h"
#include "arrow_output.h"
#include "module.h"
#include "options.h"
#include "page_rows.h"
#include "paraprint/distributed.h"
#include "task_input.h"
#include "utf8.h"

namespace paraprint::python {
namespace {

std::string_view view(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

nb::bytes bytes_of(std::string_view text) {
  return nb::bytes(text.data(), text.size());
}

std::vector<std::string> strings_of(const std::vector<nb::bytes>& parcels) {
  std::vector<std::string> parts;
  for (const nb::bytes& parcel : parcels) parts.emplace_back(view(parcel));
  return parts;
}

DedupOptions options_of_run(const std::vector<std::string>& inputs, const nb::dict& keywords) {
  DedupOptions options = dedup_options_of(inputs, keywords);
  check(check_distributed(options));
  return options;
}

// (pages, facts, profiles, notes, sampled ids) of a batch.
nb::tuple profiled_tuple(const ProfiledPages& pages) {
  nb::list ids;
  for (const std::string& id : pages.sampled_ids) ids.append(bytes_of(id));
  return nb::make_tuple(pages.pages, bytes_of(pages.facts), bytes_of(pages.profiles), text(pages.notes), ids);
}

// Calls visit() with each batch of a file. The GIL is only held for these calls. An exception of theirs ends the call.
void profile_file(ProfileStage& stage, const nb::object& given, std::uint32_t file_index, const nb::callable& visit) {
  const TaskInput input(given);
  Status status;
  std::exception_ptr raised;
  {
    const nb::gil_scoped_release released;
    const auto visit_held = [&](ProfiledPages&& pages) -> Status {
      const nb::gil_scoped_acquire held;
      try {
        visit(profiled_tuple(pages));
        return {};
      } catch (...) {
        raised = std::current_exception();
        return tl::unexpected<Error>(Error{ErrorCode::kCancelled, "a batch could not be stored"});
      }
    };
    status = stage.profile_file(input.get(), file_index, visit_held, {});
  }
  if (raised) std::rethrow_exception(raised);
  input.check();
  check(status);
}

// The columns that a table row is read from.
struct StageColumns {
  PageColumns page;
  std::optional<TextColumn> id, date;
};

// Sets `row`; returns a message if the row is not a page.
std::optional<std::string> set_row(const StageColumns& columns, std::int64_t r, const ReadOptions& reading,
                                   PageInputRow& row) {
  const RowContent found = page_row(columns.page, r, reading);
  if (!found.defect.empty()) return complaint_of(columns.page, found, row.ordinal, reading);
  const auto value = [r](const std::optional<TextColumn>& column) {
    return column ? column->at(r).value_or("") : std::string_view();
  };
  row.body = found.body;
  row.body_is_utf8 = found.column->is_utf8();
  row.is_text = columns.page.plain && found.column == &*columns.page.plain;
  row.id = value(columns.id);
  row.url = value(columns.page.url);
  row.date = value(columns.date);
  row.content_type = value(columns.page.content_type);
  if (row.id.empty()) return fmt::format("column '{}', row {}: null or empty", reading.id_field, row.ordinal);
  return std::nullopt;
}

StageColumns columns_of(const ArrowChunk& chunk, const nb::dict& names) {
  const auto find = [&](const char* key) {
    return names.contains(key) ? chunk.find(nb::cast<std::string>(names[key])) : std::optional<TextColumn>{};
  };
  return {{.html = find("html"),
           .plain = find("text"),
           .content_type = find("content_type"),
           .url = find("url"),
           .score = {}},
          find("id"),
          find("date")};
}

// `ordinals` are those of the rows, eight bytes each in native byte order. Returns the batch, and ordinal and message
// of every row that is not a page.
nb::tuple profile_rows(ProfileStage& stage, const DedupOptions& options, const ArrowChunk& chunk,
                       const nb::bytes& ordinals, const nb::dict& names) {
  const StageColumns columns = columns_of(chunk, names);
  const auto count = static_cast<std::size_t>(chunk.rows());
  if (ordinals.size() != count * sizeof(std::uint64_t)) throw nb::value_error("ordinals must have eight bytes per row");
  std::vector<PageInputRow> rows;
  std::vector<std::pair<std::uint64_t, std::string>> no_pages;
  ProfiledPages pages;
  {
    const nb::gil_scoped_release released;
    for (std::size_t r = 0; r < count; ++r) {
      PageInputRow row;
      std::memcpy(&row.ordinal, ordinals.c_str() + r * sizeof row.ordinal, sizeof row.ordinal);
      std::optional<std::string> complaint = set_row(columns, static_cast<std::int64_t>(r), options.reading, row);
      if (!complaint) {
        rows.push_back(row);
      } else {
        no_pages.emplace_back(row.ordinal, std::move(*complaint));
      }
    }
    pages = stage.profile_rows(rows);
  }
  return nb::make_tuple(profiled_tuple(pages), no_pages);
}

// Rows that are not pages are ignored here; profile_rows() reports them.
void count_rows(WordCountStage& stage, const DedupOptions& options, const ArrowChunk& chunk, const nb::dict& names) {
  const StageColumns columns = columns_of(chunk, names);
  const nb::gil_scoped_release released;
  std::vector<PageInputRow> rows;
  for (std::int64_t r = 0; r < chunk.rows(); ++r) {
    PageInputRow row;
    if (!set_row(columns, r, options.reading, row)) rows.push_back(row);
  }
  stage.count_rows(rows);
}

// (kind, partition, bytes) of each parcel.
nb::list parcels_list(std::vector<Parcel>&& parcels) {
  nb::list list;
  for (const Parcel& parcel : parcels) {
    list.append(nb::make_tuple(text(parcel.kind), parcel.partition, bytes_of(parcel.bytes)));
  }
  return list;
}

// Runs the call without the GIL, and raises its error afterwards, with the GIL.
template <class Call>
void without_lock(Call&& call) {
  Status status;
  {
    const nb::gil_scoped_release released;
    status = call();
  }
  check(status);
}

// The outcome of pages: file_index, ordinal, kept, cluster, id, url, kept_id.
std::vector<OutputColumn> page_columns() {
  using enum ColumnType;
  std::vector<OutputColumn> columns;
  for (const auto& [name, type] : std::initializer_list<std::pair<const char*, ColumnType>>{{"file_index", kInteger},
                                                                                            {"ordinal", kInteger},
                                                                                            {"kept", kBoolean},
                                                                                            {"cluster", kInteger},
                                                                                            {"id", kText},
                                                                                            {"url", kText},
                                                                                            {"kept_id", kText}}) {
    columns.emplace_back(name, type);
  }
  return columns;
}

// Invalid UTF-8 is replaced, as in every text for Python.
Status append_text(OutputColumn& column, std::string_view bytes) {
  return column.append(is_valid_utf8(bytes) ? bytes : std::string_view(text(bytes).c_str()));
}

// The rows of an "outcome" parcel.
OutputBatch outcome_batch(const nb::bytes& parcel) {
  std::vector<OutputColumn> columns = page_columns();
  Status status;
  check(read_outcome(view(parcel), [&](const PageOutcomeRow& row) {
    columns[0].append(std::int64_t{row.file_index});
    columns[1].append(static_cast<std::int64_t>(row.ordinal));
    columns[2].append(row.is_kept);
    columns[3].append(std::int64_t{row.cluster});
    const std::string_view texts[] = {row.id, row.url, row.kept_id};
    for (std::size_t i = 0; i < std::size(texts) && status; ++i) status = append_text(columns[4 + i], texts[i]);
  }));
  check(status);
  return OutputBatch(std::move(columns));
}

// (name, levels, stored, joined, repeated levels, repeated until) of each job, a level being a list of (stage, kinds).
nb::list jobs_list(const std::vector<DistributedJob>& declared) {
  nb::list jobs;
  for (const DistributedJob& job : declared) {
    nb::list levels;
    for (const std::vector<DistributedStage>& level : job.levels) {
      nb::list stages;
      for (const DistributedStage& stage : level) stages.append(nb::make_tuple(stage.name, stage.kinds));
      levels.append(stages);
    }
    jobs.append(nb::make_tuple(job.name, levels, job.stored, job.joined, job.repeated_levels, job.repeated_until));
  }
  return jobs;
}

// (pages, facts, profiles) of each batch in a parcel.
nb::list batches_list(const nb::bytes& parcel) {
  nb::list list;
  for (const ProfiledPages& pages : take(read_batches(view(parcel)))) {
    list.append(nb::make_tuple(pages.pages, bytes_of(pages.facts), bytes_of(pages.profiles)));
  }
  return list;
}

// The optional job that learns word weights.
void bind_words(nb::module_& module) {
  nb::class_<WordCountStage>(module, "WordCountStage")
      .def_static("create", [](const DedupOptions& options) { return take(WordCountStage::create(options)); })
      .def("count_file",
           [](WordCountStage& stage, const nb::object& given) {
             const TaskInput input(given);
             Status status;
             {
               const nb::gil_scoped_release released;
               status = stage.count_file(input.get(), {});
             }
             input.check();
             check(status);
           })
      .def("count_rows", &count_rows)
      .def("take_parcels", [](WordCountStage& stage, std::uint32_t partitions) {
        return parcels_list(stage.take_parcels(partitions));
      });
  module.def("join_words",
             [](const std::vector<nb::bytes>& parcels) { return bytes_of(take(join_words(strings_of(parcels)))); });
}

// The tasks between profiles and tables.
void bind_tasks(nb::module_& module) {
  nb::class_<StageTask>(module, "StageTask")
      .def_static(
          "create",
          [](const DedupOptions& options, const std::string& stage, std::uint32_t partitions, std::uint32_t share,
             const std::vector<std::uint32_t>& first_pages, const std::vector<nb::bytes>& first_ids,
             const std::vector<std::string>& inputs, const nb::bytes& referred_places, const nb::bytes& large_sites,
             const nb::bytes& boilerplate, std::uint64_t fingerprints, const std::vector<std::uint64_t>& known_texts,
             const nb::bytes& known_templates, bool is_remembered, std::uint32_t process_stages,
             const std::string& temporary_folder) {
            StageSettings settings;
            settings.stage = stage;
            settings.partitions = settings.shares = partitions;
            settings.share = share;
            settings.first_pages = first_pages;
            settings.first_ids = strings_of(first_ids);
            settings.inputs = inputs;
            settings.referred_places = view(referred_places);
            settings.large_sites = view(large_sites);
            settings.boilerplate = view(boilerplate);
            settings.fingerprints = fingerprints;
            settings.known_texts = known_texts;
            settings.known_templates = view(known_templates);
            settings.is_remembered = is_remembered;
            settings.process_stages = process_stages;
            settings.temporary_folder = temporary_folder;
            return take(StageTask::create(options, settings));
          },
          // The task refers to the options, so Python must keep them alive as long as the task.
          nb::keep_alive<0, 1>())
      .def("add_parcel",
           [](StageTask& task, const std::string& kind, const nb::bytes& bytes) {
             without_lock([&] { return task.add_parcel(kind, view(bytes)); });
           })
      .def("end_parcels", [](StageTask& task) { without_lock([&] { return task.end_parcels(); }); })
      .def("known_table", [](const StageTask& task) { return text(task.known_table()); })
      .def("needs_known", &StageTask::needs_known)
      .def("add_known", [](StageTask& task, std::uint32_t run,
                           const nb::bytes& block) { without_lock([&] { return task.add_known(run, view(block)); }); })
      .def("needs_pages", &StageTask::needs_pages)
      .def("needs_profiles", &StageTask::needs_profiles)
      .def("add_pages",
           [](StageTask& task, std::uint64_t first_position, const nb::bytes& facts, const nb::bytes& profiles) {
             without_lock([&] { return task.add_pages(first_position, view(facts), view(profiles)); });
           })
      .def("finish", [](StageTask& task) { without_lock([&] { return task.finish(); }); })
      .def("take_parcels", [](StageTask& task) { return parcels_list(take(task.take_parcels())); })
      .def("counters", &StageTask::counters);
}

// The driver's part of a run that writes records.
void bind_plan(nb::module_& module) {
  nb::class_<RecordsPlan>(module, "RecordsPlan")
      .def_static(
          "create",
          [](const DedupOptions& options, const std::vector<std::string>& inputs, const std::string& temporary_folder) {
            return take(RecordsPlan::create(options, inputs, temporary_folder));
          })
      .def("record_names", &RecordsPlan::record_names)
      .def("check_removed", [](const RecordsPlan& plan, std::uint64_t removed,
                               std::uint64_t pages) { check(plan.check_removed(removed, pages)); })
      .def("add_claims", [](RecordsPlan& plan, const nb::bytes& claims) { check(plan.add_claims(view(claims))); })
      .def("end_claims",
           [](RecordsPlan& plan, std::size_t bytes_maximum) { return bytes_of(take(plan.end_claims(bytes_maximum))); })
      .def("add_captures",
           [](RecordsPlan& plan, const nb::bytes& captures) { check(plan.add_captures(view(captures))); })
      .def("end_captures", [](RecordsPlan& plan) { return bytes_of(take(plan.end_captures())); })
      .def("add_referred_pages",
           [](RecordsPlan& plan, const nb::bytes& pages) { check(plan.add_referred_pages(view(pages))); })
      .def("write_input_revisits",
           [](RecordsPlan& plan, const std::string& folder) { return take(plan.write_input_revisits(folder)); })
      .def("add_savings", [](RecordsPlan& plan, const nb::bytes& savings) { check(plan.add_savings(view(savings))); })
      .def("write_savings",
           [](const RecordsPlan& plan, const std::string& folder) { check(plan.write_savings(folder)); });
}

// Calls read() with the input, without the GIL.
template <class Read>
auto read_unlocked(const nb::object& given, Read&& read) {
  const TaskInput input(given);
  auto result = [&] {
    const nb::gil_scoped_release released;
    return read(input.get());
  }();
  input.check();
  return take(std::move(result));
}

// The tasks that resolve revisit records of the input.
void bind_revisits(nb::module_& module) {
  nb::class_<CaptureSearch>(module, "CaptureSearch")
      .def_static("create",
                  [](const DedupOptions& options, const nb::bytes& claimed) {
                    return take(CaptureSearch::create(options, view(claimed)));
                  })
      .def("read_input",
           [](const CaptureSearch& search, const nb::object& given, std::uint32_t file_index, bool ends_early) {
             return parcels_list(read_unlocked(given, [&](const DistributedInput& input) {
               return search.read_input(input, file_index, ends_early, {});
             }));
           });
  module.attr("CLAIMED_NAMES_BYTES") = kClaimedNamesBytes;
  module.def("read_claims",
             [](const DedupOptions& options, const nb::object& given, std::uint32_t file_index, bool ends_early) {
               return parcels_list(read_unlocked(given, [&](const DistributedInput& input) {
                 return read_distributed_claims(options, input, file_index, ends_early);
               }));
             });
}

}  // namespace

void bind_spark_stages(nb::module_& module) {
  nb::class_<DedupOptions>(module, "DividedOptions")
      .def_static("create", &options_of_run)
      .def("identity", [](const DedupOptions& options) { return text(distributed_identity(options)); })
      .def("jobs", [](const DedupOptions& options,
                      bool compares_known) { return jobs_list(distributed_jobs(options, compares_known)); })
      .def_prop_ro("memory_bytes", [](const DedupOptions& options) { return options.resources.memory; })
      .def("check_known", [](const DedupOptions& options) { check(check_known(options)); })
      .def("known_jobs", [](const DedupOptions& options) { return jobs_list(distributed_known_jobs(options)); })
      .def("record_jobs", [](const DedupOptions& options) { return jobs_list(distributed_record_jobs(options)); })
      .def("settings_identity",
           [](const DedupOptions& options, const nb::bytes& words) {
             return text(take(distributed_settings_identity(options, view(words))));
           })
      .def_prop_ro("learns_words",
                   [](const DedupOptions& options) { return options.profile.idf == IdfSource::kCorpus; })
      .def_prop_ro("has_evidence", [](const DedupOptions& options) { return options.output.evidence; })
      // Column names by use.
      .def("row_fields",
           [](const DedupOptions& options) {
             const ReadOptions& reading = options.reading;
             nb::dict fields;
             fields["id"] = text(reading.id_field);
             fields["url"] = text(reading.url_field);
             fields["date"] = text(reading.date_field);
             fields["html"] = text(reading.html_field);
             fields["text"] = text(reading.text_field);
             return fields;
           })
      // Paths as bytes, which need not be UTF-8.
      .def("list_inputs", [](const DedupOptions& options) {
        nb::list paths;
        for (const std::string& path : take(list_distributed_inputs(options))) paths.append(bytes_of(path));
        return paths;
      });
  nb::class_<ProfileStage>(module, "ProfileStage")
      .def_static("create",
                  [](const DedupOptions& options, const std::string& temporary_folder, const nb::bytes& words) {
                    return take(ProfileStage::create(options, temporary_folder, view(words)));
                  })
      .def("profile_file", &profile_file)
      .def("profile_rows", &profile_rows);
  bind_words(module);
  bind_tasks(module);
  bind_plan(module);
  bind_revisits(module);
  module.def("list_parts", [](const nb::object& given) {
    nb::list paths;
    for (const std::string& path : read_unlocked(given, list_distributed_parts)) paths.append(text(path));
    return paths;
  });
  module.def("stamp_input", [](const std::string& path) {
    Result<std::string> stamp = [&] {
      const nb::gil_scoped_release released;
      return stamp_distributed_input(path);
    }();
    return take(std::move(stamp));
  });
  module.def("read_targets", [](const DedupOptions& options, const nb::object& given, const nb::bytes& wanted,
                                bool ends_early, const std::vector<std::uint32_t>& first_pages) {
    return parcels_list(read_unlocked(given, [&](const DistributedInput& input) {
      return read_distributed_targets(options, input, view(wanted), ends_early, first_pages);
    }));
  });
  module.def("write_records", [](const DedupOptions& options, const nb::object& given, const nb::bytes& removed,
                                 bool ends_early, const std::string& output_path) {
    const WrittenRecords records = read_unlocked(given, [&](const DistributedInput& input) {
      return write_distributed_records(options, input, view(removed), ends_early, output_path);
    });
    return nb::make_tuple(records.counters, bytes_of(records.savings));
  });
  module.def("join_entries",
             [](const std::vector<nb::bytes>& parcels) { return bytes_of(take(join_entries(strings_of(parcels)))); });
  module.def("read_batches", &batches_list);
  module.def("outcome_batch", &outcome_batch);
  module.def("id_ranges", [](const std::vector<nb::bytes>& sampled_ids, std::uint32_t ranges) {
    nb::list first;
    for (const std::string& id : id_ranges(strings_of(sampled_ids), ranges)) first.append(bytes_of(id));
    return first;
  });
}

}  // namespace paraprint::python
