"""Uses the explorer's page in headless Chromium and measures what a person waits for: from the key or the click to the
frame that shows the answer, by the clock of the page. For bench/view.py. Standard library only."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/cli"))
import devtools  # noqa: E402

# Runs in the page before its own scripts. `taken` has the milliseconds from the last input to the frame after the view
# was complete (main is no longer busy) and, on the threshold's view, after its examples were replaced.
RECORDER = """
(() => {
  const record = window.record = { taken: null, examples: null, first: null };
  let begin = null;
  for (const kind of ["keydown", "click"]) {
    addEventListener(kind, (event) => {
      begin = event.timeStamp;
      record.taken = record.examples = null;
      record.frame = null;
      afterFrame(() => { record.frame = performance.now() - begin; });
    }, true);
  }
  const afterFrame = (call) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = call;
    channel.port2.postMessage(0);
  });
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "childList" && change.target.parentElement && change.target.parentElement.id === "main"
          && document.querySelector(".command code")) {
        const started = begin;
        afterFrame(() => { record.examples = performance.now() - started; });
      }
      const isView = change.type === "attributes" && change.target.id === "main";
      if (!isView || change.target.hasAttribute("aria-busy")) continue;
      const started = begin;
      afterFrame(() => {
        if (record.first === null) record.first = performance.now();
        if (started !== null) record.taken = performance.now() - started;
      });
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-busy"] });
})();
"""


class PageUser:
    def __init__(self, url):
        self.url = url
        self.browser = devtools.Browser()
        self.browser.call("Page.addScriptToEvaluateOnNewDocument", source=RECORDER)

    def close(self):
        self.browser.close()

    def first_view(self):
        """Milliseconds from the navigation to the frame that shows the first view."""
        self.browser.open("about:blank")
        self.browser.open(self.url)
        self.browser.wait("window.record.first !== null")
        return self.browser.run("window.record.first")

    def go(self, view):
        self.browser.run("document.activeElement.blur(); record.taken = null")
        self.browser.run(f"location.hash = '#/{view}'")
        self.browser.wait("!document.getElementById('main').hasAttribute('aria-busy')")
        self.browser.run("new Promise((resolve) => setTimeout(resolve, 50))")

    def press(self, key, member="taken"):
        """Press the key and return the milliseconds until the answer is shown."""
        self.browser.run("record.taken = record.examples = record.frame = null")
        self.browser.key(key)
        self.browser.wait(f"record.{member} !== null")
        return self.browser.run(f"record.{member}")

    def search(self, view, field, text):
        """Type into a field of the search and press Enter."""
        self.go(view)
        self.browser.run(f"(() => {{ const f = document.querySelector('form.search [name={field}]'); f.focus();"
                         f" f.value = {json.dumps(text)}; }})()")
        return self.press("Enter")

    def click(self, selector):
        box = json.loads(self.browser.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            " return JSON.stringify([b.x + b.width / 2, b.y + b.height / 2]); })()"))
        self.browser.run("record.taken = null")
        for kind in ["mousePressed", "mouseReleased"]:
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        self.browser.wait("record.taken !== null")
        return self.browser.run("record.taken")

    def interactions(self, rounds):
        """Name of each kind of interaction -> its times."""
        taken = {}

        def add(name, milliseconds):
            taken.setdefault(name, []).append(milliseconds)

        for round_number in range(rounds):
            add("first view", self.first_view())
            for key, name in [("2", "pages"), ("3", "pairs"), ("4", "threshold"), ("1", "overview")]:
                add(f"key to {name}", self.press(key))
            add("search by URL", self.search("pages", "url", str(100 + round_number)))
            add("search by host", self.search("pages?order=-cluster", "host", "abcdefgh"[round_number % 8]))
            add("search by score", self.search("pages?order=score&fate=removed", "score_maximum", "0.7"))
            add("search pairs by score", self.search("pairs?verdict=near", "score_minimum", f"0.{30 + round_number}"))
            add("search pairs by URL", self.search("pairs", "url", str(100 + round_number)))
            self.go(f"pages?order=-cluster&fate=removed&offset={50 * round_number}")
            add("next part of a list", self.press("ArrowRight"))
            add("next row", self.press("j", "frame"))
            add("row to its cluster", self.press("Enter"))
            self.go(f"pages?order=score&fate=removed&offset={50 * round_number}")
            self.browser.key("j")
            add("row to two texts side by side", self.press("c"))
            self.go("overview")
            add("click on the largest cluster", self.click("tr.row td.page a"))
            self.go("threshold?near=0." + str(35 + round_number % 50))
            add("slider: figures", self.press("]", "frame"))
            self.browser.wait("record.examples !== null")
            add("slider: examples at the border", self.press("]", "examples"))
            add("language", self.press("l"))
        return taken
