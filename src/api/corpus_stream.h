// Stream options for commands that need the texts of pages and no profiles: training and simulation.
#pragma once

#include "paraprint/engine.h"

namespace paraprint::inline api {

// `CorpusOptions` has the members inputs, reading and extractor.
template <class CorpusOptions>
PageStreamOptions corpus_stream_options(const CorpusOptions& options, unsigned threads) {
  PageStreamOptions stream;
  stream.inputs = options.inputs;
  stream.reading = options.reading;
  stream.profile.extractor = options.extractor;
  stream.with_profiles = false;
  stream.threads = threads;
  return stream;
}

}  // namespace paraprint::inline api
