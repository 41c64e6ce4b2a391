// Removes equal payloads from web archives: records of any type and status whose payload is stored elsewhere in the
// collection, or in an earlier one, become revisit records, which players resolve to that payload.
//
// Example:
//
//   PayloadOptions options;
//   options.inputs = {"crawl/"};
//   options.out = "smaller";
//   Result<PayloadOutcome> outcome = deduplicate_payloads(options);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paraprint/options.h"
#include "paraprint/read_options.h"
#include "paraprint/result.h"
#include "paraprint/run_control.h"

namespace paraprint {

// How payloads of earlier collections are compared with those of the inputs.
enum class ListedDigest : std::uint8_t { kSha1, kSha256 };

struct PayloadOptions {
  std::vector<std::string> inputs;  // files, folders, or "-" for standard input
  std::string out;                  // output folder
  // Indexes of earlier collections, in CDXJ or CDX, or output folders that have an index.cdxj or index.cdx: what they
  // list need not be stored again. Lists are trusted.
  std::vector<std::string> known;
  ListedDigest listed_digest = ListedDigest::kSha1;  // entries with other digests are passed over
  // Smaller payloads are stored again: a revisit record has some 300 bytes that other records do not have.
  std::uint64_t min_payload_bytes = 512;
  // A capture that is younger by more than this is stored again; 0: never for its age.
  std::uint64_t max_age_days = 0;
  CdxForm cdx = CdxForm::kNone;  // write the index of the output next to it
  // Each thread holds one record in memory, unless it is larger: its digests are computed while it is read.
  std::uint64_t max_record_bytes = ReadOptions().max_record_bytes;
  ResourceOptions resources;

  Status validate() const;
};

// Summary of a finished run; everything else is in the output folder.
struct PayloadOutcome {
  std::uint64_t records = 0;              // of all kinds
  std::uint64_t captures = 0;             // whose payloads were compared
  std::uint64_t listed = 0;               // captures of earlier collections that they were compared with
  std::uint64_t listed_passed_over = 0;   // without a digest of the chosen kind, or revisit records
  std::uint64_t revisits_written = 0;     // in place of captures
  std::uint64_t payload_bytes_saved = 0;  // as stored in the archive's records, before compression of the file
  std::uint64_t bytes_read = 0;           // of the input files
  std::uint64_t bytes_written = 0;        // of the output files
  std::uint64_t broken_records = 0;       // of inputs and lists; counted in summary.json under "broken"
  std::uint64_t unreadable_inputs = 0;    // files that could not be read to the end
  std::vector<std::string> unreadable_reasons;
};

// Copies the inputs to `options.out`/records, byte for byte except that captures whose payload is stored already become
// revisit records, and lists these in revisits.jsonl (docs/archives.md). Payloads are compared with each other, not by
// the digests that records state. When in doubt, a payload is kept.
//
// The output does not depend on the order of inputs or on threads. A killed call is repeated from the start. Errors:
// kInvalidArgument (options, a folder in `known` without an index, or an output folder that holds a run of
// deduplicate()), kNotFound and kPermissionDenied for inputs, kCorruptData if an input changes meanwhile, kNoSpace,
// kInputOutput, kCancelled. Broken records are not errors: they are counted, and copied where they can be. Cost: every
// input is read twice. Memory: `options.resources.memory` and a record for each thread; what does not fit goes to files
// in `tmp`.
Result<PayloadOutcome> deduplicate_payloads(const PayloadOptions& options, const RunControl& control = {});

}  // namespace paraprint
