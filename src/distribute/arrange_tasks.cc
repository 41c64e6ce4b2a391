// Gives the rows of a table an order. Rows have none of their own, so they get that of id, URL, date and text: pages
// are sent, with their profiles, to the task of a range of ids, which sorts them and stores them again. From then on
// the number of a page is its place, as in a run over files, and the task that reads a page's batch is known from the
// number alone.
#include <algorithm>
#include <tuple>

#include "base/propagate.h"
#include "distribute/tables/row_boxes.h"
#include "distribute/task_base.h"
#include "memory/spill_array.h"

namespace paraprint::distribute {
namespace {

// Profiles and facts in a batch of the arranged pages, about as many bytes as in a batch of an archive.
constexpr std::size_t kArrangedBatchBytes = std::size_t{4} << 20;

// A map task: it needs every batch of its own, in any order.
class RowsTask : public TaskBase {
 public:
  explicit RowsTask(TaskInput&& input) : TaskBase(std::move(input)), rows_(add_box("rows", settings_.partitions)) {}

  bool needs_pages(std::uint64_t, std::uint64_t) const override { return true; }

  Status add_pages(std::uint64_t first_position, std::string_view facts, std::string_view profiles) override {
    return for_each_own_page(first_position, facts, profiles,
                             [this](std::uint32_t, const DriverPage& page, std::string_view profile) -> Status {
                               std::string& record =
                                   rows_.record_for(tables::range_of_id(settings_.first_ids, page.id));
                               ByteWriter out(record);
                               write_page(page, out);
                               out.text(profile);
                               return {};
                             });
  }

  Status finish() override {
    end_boxes();
    return {};
  }

 private:
  ParcelBox& rows_;
};

// Sorts the pages of one range. Ids of a row and its copies are in one range, so ties are decided here.
class ArrangeTask : public TaskBase {
 public:
  explicit ArrangeTask(TaskInput&& input) : TaskBase(std::move(input)), bytes_(&budget_), places_(&budget_) {}

  Status read_parcel(std::string_view /*kind*/, std::string_view bytes) override {
    const std::uint64_t begin = bytes_.size();
    for (ByteReader in(bytes); !in.at_end();) {
      Place place;
      place.facts_begin = begin + bytes.size() - in.left_bytes();
      read_page(in);
      place.profile_begin = begin + bytes.size() - in.left_bytes();
      in.text();
      if (!in.ok()) return corrupt("rows");
      place.end = begin + bytes.size() - in.left_bytes();
      PARAPRINT_TRY(places_.push_back(place));
    }
    return bytes_.append(std::span<const char>(bytes));
  }

  Status finish() override {
    std::sort(places_.begin(), places_.end(), [this](const Place& x, const Place& y) {
      const DriverPage a = page_at(x);
      const DriverPage b = page_at(y);
      const auto key = [](const DriverPage& page) {
        return std::tie(page.id, page.url, page.date, page.text_hash, page.content_characters, page.location.ordinal);
      };
      return key(a) < key(b);
    });
    ParcelBox& box = add_box("batches", 1);
    std::string facts;
    std::string profiles;
    std::uint64_t pages = 0;
    const auto close = [&] {
      if (pages == 0) return;
      ByteWriter out(box.record_for(0));
      out.variable(pages);
      out.text(facts);
      out.text(profiles);
      facts.clear();
      profiles.clear();
      pages = 0;
    };
    for (const Place& place : places_) {
      facts.append(bytes_.data() + place.facts_begin, place.profile_begin - place.facts_begin);
      profiles.append(bytes_.data() + place.profile_begin, place.end - place.profile_begin);
      ++pages;
      if (facts.size() + profiles.size() >= kArrangedBatchBytes) close();
    }
    close();
    end_boxes();
    return {};
  }

 private:
  struct Place {
    std::uint64_t facts_begin = 0;  // in bytes_
    std::uint64_t profile_begin = 0;
    std::uint64_t end = 0;
  };

  // Views in the result point into bytes_.
  DriverPage page_at(const Place& place) const {
    ByteReader in(std::string_view(bytes_.data() + place.facts_begin, place.profile_begin - place.facts_begin));
    return read_page(in);
  }

  SpillArray<char> bytes_;
  SpillArray<Place> places_;
};

}  // namespace

std::unique_ptr<StageTask> make_rows_task(TaskInput&& input) {
  return std::make_unique<RowsTask>(std::move(input));
}
std::unique_ptr<StageTask> make_arrange_task(TaskInput&& input) {
  return std::make_unique<ArrangeTask>(std::move(input));
}

}  // namespace paraprint::distribute

namespace paraprint {

Result<std::vector<ProfiledPages>> read_batches(std::string_view parcel) {
  std::vector<ProfiledPages> batches;
  PARAPRINT_TRY(distribute::for_each_record(
      parcel, "batches",
      [](ByteReader& in) {
        const auto pages = static_cast<std::uint32_t>(in.variable_below(std::uint64_t{1} << 32));
        const std::string_view facts = in.text();
        return std::tuple(pages, facts, in.text());
      },
      [&](const auto& batch) -> Status {
        ProfiledPages& pages = batches.emplace_back();
        pages.pages = std::get<0>(batch);
        pages.facts = std::get<1>(batch);
        pages.profiles = std::get<2>(batch);
        return {};
      }));
  return batches;
}

}  // namespace paraprint
