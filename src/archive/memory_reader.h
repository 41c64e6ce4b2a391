// Pages that the caller holds in memory, as an input of a run.
#pragma once

#include <memory>
#include <span>

#include "archive/record_reader.h"
#include "paraprint/model.h"

namespace paraprint {

// The input that open_records() reads `pages` from; they must outlive it. Its name in messages is "pages in memory".
InputFile memory_input(std::span<const Page> pages);

// Each page is a record, numbered by its position, and can be read alone. A page without an id gets its position as id.
std::unique_ptr<RecordReader> make_memory_reader(const InputFile& input);

}  // namespace paraprint
