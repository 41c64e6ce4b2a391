// What a batch stores of each page in "profiles": its profile, and under a page-level algorithm its fingerprint.
#pragma once

#include <string>
#include <string_view>

#include "distribute/records.h"
#include "paraprint/result.h"

namespace paraprint::distribute {

// Views point into the bytes that were read.
struct BatchedPage {
  std::string_view profile;
  std::string_view fingerprint;  // empty under the paragraph method
};

// Appends a record of "profiles".
inline void write_batched_page(const BatchedPage& page, std::string& profiles) {
  if (page.fingerprint.empty()) {
    ByteWriter(profiles).text(page.profile);
    return;
  }
  std::string both;
  ByteWriter(both).text(page.profile);
  both += page.fingerprint;
  ByteWriter(profiles).text(both);
}

// `bytes` is a record as for_each_page_of_batch() gives it. kCorruptData if there should be a fingerprint and is none.
inline Result<BatchedPage> read_batched_page(std::string_view bytes, bool has_fingerprint) {
  if (!has_fingerprint) return BatchedPage{bytes, {}};
  ByteReader in(bytes);
  BatchedPage page;
  page.profile = in.text();
  page.fingerprint = in.bytes(in.left_bytes());
  if (!in.ok() || page.fingerprint.empty()) return corrupt("profiles");
  return page;
}

}  // namespace paraprint::distribute
