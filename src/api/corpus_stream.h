// Pages read for their texts alone: what models are trained on and corpora are made of.
#pragma once

#include "paraprint/engine.h"

namespace paraprint {

// `options` has inputs, reading and extractor, as those of every command that takes a corpus.
template <class CorpusOptions>
PageStreamOptions content_stream(const CorpusOptions& options, unsigned threads) {
  PageStreamOptions stream;
  stream.inputs = options.inputs;
  stream.reading = options.reading;
  stream.profile.extractor = options.extractor;
  stream.with_profiles = false;
  stream.threads = threads;
  return stream;
}

}  // namespace paraprint
