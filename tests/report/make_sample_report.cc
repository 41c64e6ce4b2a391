// usage: paraprint_sample_report FOLDER. Writes a fictitious report for the browser test.
#include <cstdio>

#include "base/atomic_file.h"
#include "report/compare_report.h"
#include "report/html_report.h"
#include "sample_report.h"

int main(int argc, char** argv) {
  using namespace paraprint;
  if (argc != 2) {
    std::fprintf(stderr, "usage: paraprint_sample_report FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  Status status = write_html_report(folder, sample::report_input(), sample::texts_of);
  if (status) {
    const Comparison comparison = sample::compare(sample::pages()[3], sample::pages()[4]);
    status = write_file_atomically(folder + "/compare.html", comparison_html(comparison));
  }
  if (!status) {
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 1;
  }
  return 0;
}
