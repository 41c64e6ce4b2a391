// The reader computes SHA-1 anyway, so only SHA-256 and the seeded hash are computed here.
#include "payloads/streamed_payload.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <new>
#include <optional>
#include <string>

#include "cdx/digest_text.h"
#include "memory/seeded_hash.h"
#include "zip/sha256_stream.h"

namespace paraprint::inline payloads {

struct StreamedPayload::State {
  State() {
    if (hash == nullptr) throw std::bad_alloc();
  }
  ~State() { XXH3_freeState(hash); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  XXH3_state_t* const hash = XXH3_createState();
  std::optional<Sha256Stream> sha256;
};

StreamedPayload::StreamedPayload(PayloadDigest digest) : digest_(digest) {}
StreamedPayload::~StreamedPayload() = default;

// Most inputs have no such payload, so the state is made for the first one.
void StreamedPayload::begin() {
  if (!state_) state_ = std::make_unique<State>();
  XXH3_128bits_reset_withSeed(state_->hash, process_hash_seed().high);
  state_->sha256.reset();
  if (digest_ == PayloadDigest::kSha256) state_->sha256.emplace();
  size_bytes_ = 0;
}

void StreamedPayload::add(std::string_view piece) {
  XXH3_128bits_update(state_->hash, piece.data(), piece.size());
  if (state_->sha256) state_->sha256->add(piece);
  size_bytes_ += piece.size();
}

PayloadKey StreamedPayload::key(const RevisitTarget& target) {
  std::string listed = target.payload_sha1;
  if (state_->sha256) {
    listed = parse_digest(state_->sha256->take_hex()).bytes;
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->hash);
  return payload_key(listed, {hash.high64, hash.low64}, target);
}

}  // namespace paraprint::inline payloads
