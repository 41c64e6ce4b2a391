// Site boilerplate: the paragraphs of each page are shuffled to the task of its site, where they are counted by the
// code of a run in one process. Counting looks at one site at a time, so dividing by site does not change the answer.
// Sites with too few pages are not shuffled, because they cannot have a template.
#include <algorithm>

#include "base/hash.h"
#include "base/propagate.h"
#include "distribute/batched_page.h"
#include "distribute/task_base.h"
#include "engine/pair_scorer.h"
#include "profile/profile_codec.h"

namespace paraprint::distribute {
namespace {

// Sends what the counter needs of each page, hashes and sizes, instead of whole profiles.
class ParagraphsTask : public TaskBase {
 public:
  explicit ParagraphsTask(TaskInput&& input)
      : TaskBase(std::move(input)), box_(add_box("paragraphs", settings_.partitions)) {}

  bool needs_pages(std::uint64_t, std::uint64_t) const override { return !large_sites_.empty(); }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    return for_each_own_page(
        first_position, facts, profiles, [&](std::uint32_t, const DriverPage& page, std::string_view bytes) -> Status {
          const std::uint64_t site = site_of_url(page.url);
          const bool is_large = std::binary_search(large_sites_.begin(), large_sites_.end(), site);
          if (page.content_characters == 0 || !is_large) return {};
          PARAPRINT_ASSIGN(const BatchedPage stored, read_batched_page(bytes, page_level_.has_value()));
          PARAPRINT_TRY(decode_profile(stored.profile, profile_));
          // Partitioned by site: all pages of a site meet in one task.
          ByteWriter out(box_.record_for(static_cast<std::uint32_t>(mix64(site) % settings_.partitions)));
          out.fixed(site);
          for (const std::uint64_t half : profile_.text_hash) out.fixed(half);
          out.variable(page.content_characters);
          out.variable(profile_.paragraphs.size());
          for (const ParagraphProfile& paragraph : profile_.paragraphs) {
            out.fixed(paragraph.hash);
            out.variable(paragraph.content_characters);
          }
          return {};
        });
  }

  Status finish() override {
    end_boxes();
    return {};
  }

 private:
  ParcelBox& box_;
  Profile profile_;
};

// Counts the sites of one partition. The counter spills, and the order of pages does not influence its answer.
class BoilerplateTask : public TaskBase {
 public:
  explicit BoilerplateTask(TaskInput&& input) : TaskBase(std::move(input)), counter_(counter_options()) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    return for_each_record(
        bytes, "site templates", [this](ByteReader& in) { return read_site_page(in); },
        [this](std::uint64_t site) { return counter_.add_page(site, profile_); });
  }

  Status finish() override {
    PARAPRINT_ASSIGN(const SiteBoilerplate boilerplate, counter_.finish());
    add_box("boilerplate", 1).record_for(0) = write_entries(boilerplate.entries());
    count(counters_, "sites_with_templates_sought", counter_.statistics().sites);
    count(counters_, "boilerplate_paragraphs", boilerplate.size());
    count(counters_, "boilerplate_paragraphs_spared", counter_.statistics().suspects_spared);
    end_boxes();
    return {};
  }

 private:
  SiteBoilerplateOptions counter_options() {
    SiteBoilerplateOptions options;
    options.memory_limit_bytes = candidate_options_.memory_limit_bytes;
    options.temporary_directory = settings_.temporary_folder;
    options.budget = &budget_;
    return options;
  }

  // Fills the fields of profile_ that the counter uses, and returns the site. The number of paragraphs is bounded by
  // the bytes left before anything is allocated for it.
  std::uint64_t read_site_page(ByteReader& in) {
    constexpr std::size_t kParagraphBytesMinimum = 9;
    const auto site = in.fixed<std::uint64_t>();
    for (std::uint64_t& half : profile_.text_hash) half = in.fixed<std::uint64_t>();
    profile_.content_characters = static_cast<std::uint32_t>(in.variable());
    profile_.paragraphs.resize(in.variable_below(in.left_bytes() / kParagraphBytesMinimum + 1));
    for (ParagraphProfile& paragraph : profile_.paragraphs) {
      paragraph.hash = in.fixed<std::uint64_t>();
      paragraph.content_characters = static_cast<std::uint32_t>(in.variable());
    }
    return site;
  }

  SiteBoilerplateCounter counter_;
  Profile profile_;
};

}  // namespace

std::unique_ptr<StageTask> make_paragraphs_task(TaskInput&& input) {
  return std::make_unique<ParagraphsTask>(std::move(input));
}

std::unique_ptr<StageTask> make_boilerplate_task(TaskInput&& input) {
  return std::make_unique<BoilerplateTask>(std::move(input));
}

}  // namespace paraprint::distribute

namespace paraprint {

// Sorted, so that the bytes don't depend on which task finished first.
Result<std::string> join_entries(std::span<const std::string> parcels) {
  std::vector<std::uint64_t> all;
  for (const std::string& parcel : parcels) {
    PARAPRINT_ASSIGN(const std::vector<std::uint64_t> entries, distribute::read_entries(parcel));
    all.insert(all.end(), entries.begin(), entries.end());
  }
  std::sort(all.begin(), all.end());
  return distribute::write_entries(all);
}

}  // namespace paraprint
