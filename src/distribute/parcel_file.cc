// The file is written and read from front to back; its space is free again when the task ends.
#include "distribute/parcel_file.h"

#include <span>

#include "base/propagate.h"

namespace paraprint::distribute {

void ParcelFile::add(Parcel&& parcel) {
  if (!status_) return;
  if (!file_.is_open()) {
    Result<TemporaryFile> file = TemporaryFile::create(folder_);
    if (!file) {
      status_ = tl::unexpected<Error>(file.error());
      return;
    }
    file_ = std::move(*file);
  }
  places_.push_back({parcel.kind, parcel.partition, file_.size_bytes(), parcel.bytes.size()});
  status_ = file_.append(std::as_bytes(std::span<const char>(parcel.bytes)));
}

Status ParcelFile::take(std::vector<Parcel>& parcels, std::size_t bytes_maximum) {
  if (!status_) return status_;
  for (std::size_t bytes = 0; taken_ < places_.size() && bytes < bytes_maximum; ++taken_) {
    const ParcelPlace& place = places_[taken_];
    Parcel parcel{place.kind, place.partition, std::string(place.size_bytes, '\0')};
    PARAPRINT_TRY(file_.read(place.offset_bytes, std::as_writable_bytes(std::span<char>(parcel.bytes))));
    bytes += place.size_bytes;
    parcels.push_back(std::move(parcel));
  }
  return {};
}

}  // namespace paraprint::distribute
