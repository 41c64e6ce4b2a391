// An external program that compares two copies of a page, using only the installed package.
#include <paraprint/engine.h>

#include <cstdio>

int main() {
  paraprint::Result<paraprint::Profiler> profiler = paraprint::Profiler::create({});
  if (!profiler) return 1;
  paraprint::Page page;
  page.body =
      "<html><body><article><p>The river rose through the night, and by morning the lower road was under water.</p>"
      "<p>Two boats went out to fetch the people who had stayed in their houses.</p></article></body></html>";
  const paraprint::Profile profile = profiler->profile(page);
  const paraprint::Result<paraprint::CompareOutcome> pair = paraprint::compare(profile, profile, {});
  if (!pair) return 1;
  std::printf("resemblance of a page with itself: %.2f\n", pair->match.resemblance);
  return pair->match.verdict == paraprint::Verdict::kSame || pair->match.verdict == paraprint::Verdict::kNear ? 0 : 1;
}
