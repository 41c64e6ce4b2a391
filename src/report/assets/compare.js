// The side-by-side view: pointing at a passage marks its partner, clicking brings it into view at the same height, ribbons
// join partners, and scrolling one text takes the other along.
"use strict";
(function () {
  const panes = [document.getElementById("pane-a"), document.getElementById("pane-b")];
  const ribbons = document.getElementById("ribbons");
  const follow = document.getElementById("follow");
  const passages = new Map();  // number -> { kind, sides: [elements of a, elements of b] }
  let chosen = null;
  let driver = null;  // the pane that the reader is scrolling

  panes.forEach((pane, side) => {
    for (const element of pane.querySelectorAll("[data-m]")) {
      const number = Number(element.dataset.m);
      if (!passages.has(number)) {
        const kind = element.classList.contains("moved") ? "moved" : element.classList.contains("changed") ? "changed" : "equal";
        passages.set(number, { kind, sides: [[], []] });
      }
      passages.get(number).sides[side].push(element);
    }
  });
  const numbers = Array.from(passages.keys()).sort((x, y) => x - y);

  // Top and bottom of a passage in its pane's content.
  function extent(number, side) {
    const elements = passages.get(number).sides[side];
    const origin = panes[side].getBoundingClientRect().top - panes[side].scrollTop;
    let top = Infinity;
    let bottom = -Infinity;
    for (const element of elements) {
      const box = element.getBoundingClientRect();
      top = Math.min(top, box.top);
      bottom = Math.max(bottom, box.bottom);
    }
    return { top: top - origin, bottom: bottom - origin };
  }

  function mark(number, name, state) {
    const passage = passages.get(number);
    if (!passage) return;
    for (const side of passage.sides) for (const element of side) element.classList.toggle(name, state);
    const path = ribbons.querySelector('path[data-r="' + number + '"]');
    if (path) path.classList.toggle("on", state);
  }

  // Ribbons. Drawn again at most once a frame.
  const isWide = () => getComputedStyle(ribbons).display !== "none";
  const paths = new Map();
  for (const number of numbers) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.dataset.r = number;
    path.setAttribute("class", passages.get(number).kind);
    ribbons.append(path);
    paths.set(number, path);
  }
  let isScheduled = false;
  function draw() {
    isScheduled = false;
    if (!isWide()) return;
    const width = ribbons.clientWidth || ribbons.getBoundingClientRect().width;
    const height = panes[0].clientHeight;
    const heads = panes.map((pane) => pane.querySelector("header").offsetHeight);
    for (const number of numbers) {
      const path = paths.get(number);
      const ends = [0, 1].map((side) => {
        const { top, bottom } = extent(number, side);
        return { top: top - panes[side].scrollTop, bottom: bottom - panes[side].scrollTop, head: heads[side] };
      });
      if (ends.every((end) => end.bottom < end.head || end.top > height)) {
        path.removeAttribute("d");
        continue;
      }
      const [a, b] = ends;
      const half = width / 2;
      path.setAttribute("d", "M0," + a.top + "C" + half + "," + a.top + " " + half + "," + b.top + " " + width + "," + b.top +
        "V" + b.bottom + "C" + half + "," + b.bottom + " " + half + "," + a.bottom + " 0," + a.bottom + "Z");
    }
  }
  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(draw);
  }

  // Scrolling together: passages that kept their order are pairs of heights; between them, straight lines.
  let anchors = null;
  function findAnchors() {
    const pairs = numbers.filter((number) => passages.get(number).kind !== "moved" && passages.get(number).sides.every((s) => s.length))
      .map((number) => [extent(number, 0).top, extent(number, 1).top]);
    pairs.sort((x, y) => x[0] - y[0]);
    anchors = [[0, 0]];
    for (const pair of pairs) {
      const last = anchors[anchors.length - 1];
      if (pair[0] > last[0] && pair[1] > last[1]) anchors.push(pair);
    }
    anchors.push([Math.max(panes[0].scrollHeight, anchors[anchors.length - 1][0] + 1), Math.max(panes[1].scrollHeight, anchors[anchors.length - 1][1] + 1)]);
  }
  function partnerHeight(height, from) {
    if (!anchors) findAnchors();
    const to = 1 - from;
    let i = 1;
    while (i + 1 < anchors.length && anchors[i][from] < height) ++i;
    const [low, high] = [anchors[i - 1], anchors[i]];
    return low[to] + (height - low[from]) * (high[to] - low[to]) / (high[from] - low[from]);
  }
  panes.forEach((pane, side) => {
    for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) {
      pane.addEventListener(kind, () => { driver = side; }, { passive: true });
    }
    pane.addEventListener("scroll", () => {
      if (driver === side && follow.checked) {
        const eye = pane.clientHeight / 3;
        panes[1 - side].scrollTop = partnerHeight(pane.scrollTop + eye, side) - eye;
      }
      schedule();
    }, { passive: true });
  });
  addEventListener("resize", () => { anchors = null; schedule(); });

  // Puts a passage of `side` at `height` below the pane's upper edge.
  function bring(number, side, height) {
    panes[side].scrollTop = extent(number, side).top - height;
  }

  function choose(number, side) {
    if (chosen !== null) {
      mark(chosen, "chosen", false);
      mark(chosen, "on", false);
    }
    chosen = number;
    if (number === null) return;
    mark(number, "chosen", true);
    mark(number, "on", true);
    driver = null;
    if (side === undefined) {
      for (const each of [0, 1]) bring(number, each, panes[each].clientHeight / 3);
    } else {
      const { top } = extent(number, side);
      const height = top - panes[side].scrollTop;
      const head = panes[1 - side].querySelector("header").offsetHeight + 8;
      bring(number, 1 - side, Math.max(head, isWide() ? height : panes[1 - side].clientHeight / 3));
    }
    schedule();
  }

  panes.forEach((pane, side) => {
    const numberAt = (event) => {
      const element = event.target.closest("[data-m]");
      return element ? Number(element.dataset.m) : null;
    };
    pane.addEventListener("mouseover", (event) => {
      const number = numberAt(event);
      if (number !== null && number !== chosen) mark(number, "on", true);
    });
    pane.addEventListener("mouseout", (event) => {
      const number = numberAt(event);
      if (number !== null && number !== chosen) mark(number, "on", false);
    });
    pane.addEventListener("click", (event) => {
      const number = numberAt(event);
      if (number !== null && String(getSelection()) === "") choose(number, side);
    });
    pane.addEventListener("keydown", (event) => {
      const number = numberAt(event);
      if (number !== null && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        choose(number, side);
      }
    });
  });

  function step(by) {
    if (!numbers.length) return;
    const at = chosen === null ? (by > 0 ? -1 : numbers.length) : numbers.indexOf(chosen);
    choose(numbers[Math.min(numbers.length - 1, Math.max(0, at + by))]);
  }
  const visit = (id) => {
    const link = document.getElementById(id);
    if (link && link.hasAttribute("href")) location.href = link.href;
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j" || event.key === "n") step(1);
    else if (event.key === "k" || event.key === "p") step(-1);
    else if (event.key === "ArrowLeft") visit("previous");
    else if (event.key === "ArrowRight") visit("next");
    else if (event.key === "Escape") choose(null);
  });

  draw();
  if (document.fonts && document.fonts.ready) document.fonts.ready.then(() => { anchors = null; schedule(); });

  // For the browser test: partners exist, pointing marks both, clicking shows the partner, keys walk.
  function selfCheck() {
    const faults = [];
    for (const number of numbers) {
      const { sides } = passages.get(number);
      if (!sides[0].length || !sides[1].length) {
        faults.push("passage " + number + " has no partner");
        continue;
      }
      for (const side of [0, 1]) {
        const [from, to] = [sides[side][0], sides[1 - side][0]];
        from.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
        if (!to.classList.contains("on")) faults.push("pointing at passage " + number + " does not mark its partner");
        from.dispatchEvent(new MouseEvent("mouseout", { bubbles: true }));
        if (to.classList.contains("on")) faults.push("the mark of passage " + number + " stays");
        from.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        const pane = panes[1 - side].getBoundingClientRect();
        const box = to.getBoundingClientRect();
        if (!to.classList.contains("chosen")) faults.push("clicking passage " + number + " does not choose its partner");
        if (box.top > pane.bottom || box.bottom < pane.top) faults.push("passage " + number + " is not brought into view");
        choose(null);
      }
    }
    for (let i = 0; i < numbers.length; ++i) {
      dispatchEvent(new KeyboardEvent("keydown", { key: "j" }));
      if (chosen !== numbers[i]) faults.push("key j does not reach passage " + numbers[i]);
    }
    draw();
    if (isWide() && numbers.length && !ribbons.querySelector("path[d]")) faults.push("no ribbon is drawn");
    dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    if (chosen !== null || document.querySelector(".on")) faults.push("Escape leaves a mark");
    return faults;
  }
  const fragment = location.hash.slice(1);
  if (fragment === "self-check") {
    const faults = selfCheck();
    document.documentElement.dataset.selfCheck = faults.length ? "failed: " + faults.join("; ") : "ok " + numbers.length;
  } else if (/^passage-\d+$/.test(fragment) && passages.has(Number(fragment.slice(8)))) {
    choose(Number(fragment.slice(8)));
  }
})();
