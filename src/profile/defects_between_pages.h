// Bounds the defects that a reader reports before its next page: a file of two-byte lines that are no JSON, or no
// pages, has one of hundreds of bytes for each of them.
#pragma once

#include <string>
#include <vector>

#include "archive/record.h"

namespace paraprint::inline profile {

// Threads: one at a time. Cost of a defect: constant, like the memory for those after the first 99 of a file.
class DefectsBetweenPages {
 public:
  void add(Defect defect);

  // Call when the reader has returned a page, or has no more. Appends what was added since the last call: the first
  // 99 and the first of each file as they are, and of the others the first of each kind, with the number and the
  // skipped bytes of all of that kind.
  void move_to(std::vector<Defect>& defects);

 private:
  std::vector<Defect> listed_;
  std::string last_file_;
  std::vector<Defect> others_;  // one of each kind
};

}  // namespace paraprint::inline profile
