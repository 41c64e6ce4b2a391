// Parcels that a task has made faster than they are taken, in an unnamed file.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memory/temporary_file.h"
#include "paraprint/distributed.h"
#include "paraprint/result.h"

namespace paraprint::distribute {

// Not thread-safe.
class ParcelFile {
 public:
  // The file is created in `folder` with the first parcel.
  explicit ParcelFile(std::string folder) : folder_(std::move(folder)) {}

  // Errors, those of writing a file, are returned by take(), because parcels are made where nothing can fail.
  void add(Parcel&& parcel);
  // Moves some of the parcels, about `bytes_maximum` bytes of them, to `parcels`, in the order in which they were
  // added.
  Status take(std::vector<Parcel>& parcels, std::size_t bytes_maximum);

 private:
  struct ParcelPlace {
    std::string_view kind;
    std::uint32_t partition = 0;
    std::uint64_t offset_bytes = 0;
    std::size_t size_bytes = 0;
  };

  std::string folder_;
  TemporaryFile file_;
  std::vector<ParcelPlace> places_;
  std::size_t taken_ = 0;  // of `places_`
  Status status_;
};

}  // namespace paraprint::distribute
