// Every scored pair of an evaluation as tables, for other scorers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "evaluate/pair_outcomes.h"
#include "paraprint/result.h"

namespace paraprint {

// Writes `folder`/SET/ALGORITHM.tsv: id_a, id_b, score with the nine digits that tell floats apart; pages of equal text
// are expanded. In no particular order of ids. Errors: as AtomicFile.
Status write_found_pairs(const std::string& folder, std::string_view set, std::string_view algorithm,
                         const FoundPairs& found, std::uint32_t pages,
                         const std::function<std::string_view(std::uint32_t page)>& id_of);

}  // namespace paraprint
