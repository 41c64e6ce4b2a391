// The parts of the library that a program may leave out. The core finds and judges copies by the paragraph method; each
// of these calls adds a part, and links it:
//
// Example:
//
//   enable_laboratory();  // paraprint::lab: the classic algorithms, evaluate.h, simulate.h
//   enable_semantics();   // paraprint::semantics: vectors.h, topics.h, synonyms by word vectors, word alignment
//
// A program calls them at its start, before any other function of the library and before it starts threads; a second
// call has no effect. Options that need a part that was not enabled are refused with kUnsupported.
#pragma once

namespace paraprint {

void enable_laboratory();
void enable_semantics();

}  // namespace paraprint
