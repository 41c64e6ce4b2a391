// Two pages side by side: shared passages are linked, changed words marked, ribbons join the partners, and one text takes
// the other along when it is scrolled. The same view as the report's.
import * as api from "./api.js";
import { address, el, number, percent, score, svg } from "./dom.js";
import { t } from "./messages.js";
import { clusterLink, fateMark, pairLink } from "./widgets.js";

// The panes of the texts of `pair`. Returns { element, step(by), clear() }.
export function comparisonPanes(pair) {
  const passages = pair.passages.map((passage) => ({ ...passage, sides: [[], []] }));
  const panes = [side("a", pair.a, pair.text_a), side("b", pair.b, pair.text_b)];
  const ribbons = svg("svg", { id: "ribbons", "aria-hidden": "true" });
  const follow = el("input", { type: "checkbox", id: "follow", checked: true });
  let chosen = -1;
  let driver = -1;

  function side(name, page, text) {
    const at = name === "a" ? 0 : 1;
    const seen = new Set();
    const mark = (element, index) => {
      element.dataset.m = index + 1;
      passages[index].sides[at].push(element);
      if (!seen.has(index)) element.prepend(el("span", { class: "n" }, index + 1));
      seen.add(index);
      return element;
    };
    const kindOf = (index) => `${passages[index].kind}${passages[index].is_moved ? " moved" : ""}`;
    const words = (run) => {
      if (!run.kind) return document.createTextNode(run.text);
      const title = run.kind === "synonym" ? `${at === 0 ? "B" : "A"}: ${run.partner}` : null;
      return el(at === 0 ? "del" : "ins", { class: run.kind === "changed" ? null : run.kind, title }, run.text);
    };
    const lines = text.lines.map((line) => {
      const role = `line${line.role === "paragraph" ? "" : ` ${line.role}`}${line.is_boilerplate ? " boilerplate" : ""}`;
      const first = line.runs.length ? line.runs[0].passage : undefined;
      if (line.runs.every((run) => run.passage === undefined)) return el("div", { class: `${role} alone` }, line.runs.map(words));
      if (line.runs.every((run) => run.passage === first)) {
        return mark(el("div", { class: `${role} whole ${kindOf(first - 1)}`, tabindex: 0, role: "button" }, line.runs.map(words)), first - 1);
      }
      const groups = [];
      for (const run of line.runs) {
        const last = groups[groups.length - 1];
        if (last && last.passage === run.passage) last.runs.push(run);
        else groups.push({ passage: run.passage, runs: [run] });
      }
      return el("div", { class: role }, groups.map((group) => group.passage === undefined ? el("span", { class: "rest" }, group.runs.map(words))
        : mark(el("span", { class: `m ${kindOf(group.passage - 1)}`, tabindex: 0, role: "button" }, group.runs.map(words)), group.passage - 1)));
    });
    return el("article", { class: "pane", id: `pane-${name}`, "aria-label": name.toUpperCase(), tabindex: -1 },
      el("header", {}, el("b", {}, name.toUpperCase()), el("div", {}, el("span", { class: "role" }, fateMark(page.fate)), el("bdi", { class: "title break" }, text.title || page.id)),
        el("span", { class: "url" }, page.date ? `${page.date.slice(0, 10)} \u2002` : "", `${number(page.characters)} `, page.url ? address(page.url) : page.id)),
      el("div", { class: "text" }, lines));
  }

  function extent(index, at) {
    const origin = panes[at].getBoundingClientRect().top - panes[at].scrollTop;
    const boxes = passages[index].sides[at].map((element) => element.getBoundingClientRect());
    return { top: Math.min(...boxes.map((box) => box.top)) - origin, bottom: Math.max(...boxes.map((box) => box.bottom)) - origin };
  }
  function toggle(index, name, state) {
    for (const elements of passages[index].sides) for (const element of elements) element.classList.toggle(name, state);
    paths[index].classList.toggle("on", state);
  }
  const paths = passages.map((passage) => {
    const path = svg("path", { class: passage.is_moved ? "moved" : passage.kind });
    ribbons.append(path);
    return path;
  });
  let isScheduled = false;
  function schedule() {
    if (!isScheduled) requestAnimationFrame(draw);
    isScheduled = true;
  }
  function draw() {
    isScheduled = false;
    if (!ribbons.isConnected || getComputedStyle(ribbons).display === "none") return;
    const width = ribbons.getBoundingClientRect().width;
    passages.forEach((passage, index) => {
      if (!passage.sides[0].length || !passage.sides[1].length) return;
      const ends = [0, 1].map((at) => {
        const place = extent(index, at);
        return { top: place.top - panes[at].scrollTop, bottom: place.bottom - panes[at].scrollTop };
      });
      if (ends.every((end) => end.bottom < 0 || end.top > panes[0].clientHeight)) return paths[index].removeAttribute("d");
      const [a, b] = ends;
      const half = width / 2;
      paths[index].setAttribute("d", `M0,${a.top}C${half},${a.top} ${half},${b.top} ${width},${b.top}V${b.bottom}C${half},${b.bottom} ${half},${a.bottom} 0,${a.bottom}Z`);
    });
  }

  // Heights of passages that kept their order are pairs; between them, the texts are scrolled in proportion.
  function partnerHeight(height, from) {
    const anchors = [[0, 0]];
    passages.forEach((passage, index) => {
      if (passage.is_moved || !passage.sides[0].length || !passage.sides[1].length) return;
      const place = [extent(index, 0).top, extent(index, 1).top];
      const last = anchors[anchors.length - 1];
      if (place[0] > last[0] && place[1] > last[1]) anchors.push(place);
    });
    anchors.push(panes.map((pane, at) => Math.max(pane.scrollHeight, anchors[anchors.length - 1][at] + 1)));
    let i = 1;
    while (i + 1 < anchors.length && anchors[i][from] < height) ++i;
    const [low, high] = [anchors[i - 1], anchors[i]];
    return low[1 - from] + ((height - low[from]) * (high[1 - from] - low[1 - from])) / (high[from] - low[from]);
  }

  function choose(index, at) {
    if (chosen >= 0) for (const name of ["chosen", "on"]) toggle(chosen, name, false);
    chosen = index;
    if (index < 0) return;
    for (const name of ["chosen", "on"]) toggle(index, name, true);
    driver = -1;
    for (const each of at === undefined ? [0, 1] : [1 - at]) {
      if (!passages[index].sides[each].length) continue;
      const height = at === undefined ? panes[each].clientHeight / 3 : extent(index, at).top - panes[at].scrollTop;
      panes[each].scrollTop = extent(index, each).top - Math.max(height, 60);
    }
    schedule();
  }

  panes.forEach((pane, at) => {
    const indexOf = (event) => {
      const element = event.target.closest("[data-m]");
      return element ? Number(element.dataset.m) - 1 : -1;
    };
    for (const kind of ["wheel", "touchstart", "pointerdown", "keydown"]) pane.addEventListener(kind, () => { driver = at; }, { passive: true });
    pane.addEventListener("scroll", () => {
      if (driver === at && follow.checked) {
        const eye = pane.clientHeight / 3;
        panes[1 - at].scrollTop = partnerHeight(pane.scrollTop + eye, at) - eye;
      }
      schedule();
    }, { passive: true });
    for (const [kind, state] of [["mouseover", true], ["mouseout", false]]) {
      pane.addEventListener(kind, (event) => {
        const index = indexOf(event);
        if (index >= 0 && index !== chosen) toggle(index, "on", state);
      });
    }
    pane.addEventListener("click", (event) => {
      if (indexOf(event) >= 0 && String(getSelection()) === "") choose(indexOf(event), at);
    });
    pane.addEventListener("keydown", (event) => {
      if (indexOf(event) >= 0 && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        event.stopPropagation();
        choose(indexOf(event), at);
      }
    });
  });
  const observer = new ResizeObserver(schedule);
  panes.forEach((pane) => observer.observe(pane));
  return {
    element: el("div", { class: "panes" }, panes[0], ribbons, panes[1]),
    follow: el("label", { class: "small quiet" }, follow, " ", t("follow")),
    step(by) {
      if (passages.length) choose(Math.min(passages.length - 1, Math.max(0, chosen < 0 ? (by > 0 ? 0 : passages.length - 1) : chosen + by)));
    },
    // Whether there was something to clear.
    clear() {
      const hadOne = chosen >= 0;
      choose(-1);
      return hadOne;
    },
  };
}

export function legendOf(totals) {
  return el("div", { class: "legend" }, el("span", { class: "l-equal" }, t("same-words", totals.equal)),
    totals.changed ? el("span", { class: "l-changed" }, t("changed-words", totals.changed), ": ", el("del", {}, "A"), " ", el("ins", {}, "B")) : null,
    totals.moved ? el("span", { class: "l-moved" }, t("moved-passages", totals.moved)) : null,
    totals.only_a ? el("span", { class: "l-only" }, t("only-in", totals.only_a, "A")) : null, totals.only_b ? el("span", { class: "l-only" }, t("only-in", totals.only_b, "B")) : null,
    totals.boilerplate ? el("span", { class: "l-only" }, el("s", {}, t("templates", totals.boilerplate))) : null);
}

export function scoresOf(pair) {
  return el("div", { class: "scores" }, el("span", {}, el("b", {}, percent(pair.containment_a)), " ", t("a-in-b")), el("span", {}, el("b", {}, percent(pair.containment_b)), " ", t("b-in-a")),
    el("span", {}, t("resemblance"), " ", el("b", {}, score(pair.resemblance))), el("span", {}, t("word-by-word"), " ", el("b", {}, score(pair.word_resemblance))));
}

export async function pair({ main, path, signal, keys, notice }) {
  const found = await api.get("pair", { a: path[0], b: path[1] }, signal);
  const ruling = el("div", { class: "ruling", role: "group", "aria-label": t("ruling") });
  const note = el("p", { class: "small quiet", role: "status" });
  const rule = async (name) => {
    const saved = await api.post("rulings", { a: found.a.page, b: found.b.page, ruling: name });
    found.ruling = name;
    show();
    note.textContent = name === "none" ? "" : t("ruling-note", saved[name].path, saved.command);
  };
  const act = (name) => rule(name).catch((error) => notice(t("failed", error.message)));
  const show = () => ruling.replaceChildren(...["never", "always", "none"].map((name) => el("button", { type: "button", "data-rule": name, "aria-pressed": String(found.ruling === name),
    on: { click: () => act(name) } }, name === "none" ? t("no-ruling") : t(name))));
  show();
  Object.assign(keys, { n: () => act("never"), a: () => act("always"), 0: () => act("none"), s: () => { location.hash = pairLink(path[1], path[0]); } });
  const links = el("p", { class: "small" }, ["a", "b"].map((name) => [el("a", { href: clusterLink(found[name].page) }, `${t("cluster")} ${name.toUpperCase()}`), "\u2002"]));
  if (found.no_texts) {
    main.replaceChildren(el("h1", {}, t("pair")), ...["a", "b"].map((name) => el("p", {}, el("b", {}, name.toUpperCase()), " ", found[name].url ? address(found[name].url) : found[name].id)),
      el("p", { class: "callout" }, t("no-texts", found.no_texts)), ruling, note, links);
    return;
  }
  const view = comparisonPanes(found);
  Object.assign(keys, { j: () => view.step(1), k: () => view.step(-1), Escape: () => view.clear() });
  main.replaceChildren(el("header", { class: "head" }, el("div", { class: "head-line" }, el("h1", {}, t(`headline-${found.verdict}`)), ruling), scoresOf(found),
    el("div", { class: "head-line" }, legendOf(found.totals), view.follow), links, note,
    found.text_a.is_cut || found.text_b.is_cut ? el("p", { class: "small quiet" }, t("text-cut")) : null), view.element);
}
