// Options of the command `plan`, in addition to those of the run that it plans.
#include "options/command_tables.h"

namespace paraprint::inline options {
namespace {

constexpr std::string_view kPlan = "Sample";

const OptionRow<PlanOptions> kPlanRows[] = {
    {.name = "sample",
     .field = &PlanOptions::sample,
     .group = kPlan,
     .help = "Pages of the sample; 0: one in a hundred, but 2,000 to 20,000. More pages give narrower intervals",
     .range = {.minimum = 0, .maximum = 1'000'000}},
    {.name = "seconds",
     .field = &PlanOptions::seconds,
     .group = kPlan,
     .help = "Time for reading the sample; inputs that can only be read from their beginning are read until then",
     .range = {.minimum = 0.01, .maximum = 86'400}},
    {.name = "seed", .field = &PlanOptions::seed, .group = kPlan, .help = "Another seed draws another sample"},
};

}  // namespace

std::span<const OptionRow<PlanOptions>> plan_option_rows() {
  return kPlanRows;
}

}  // namespace paraprint::inline options
