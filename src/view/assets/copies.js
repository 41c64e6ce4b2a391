// Who copied from whom in a cluster: the tree of copies and the time line, drawn from data. Every page in them is a link
// that can be reached by keys; what speaks for a copy is shown when it has the focus or the pointer.
import * as api from "./api.js";
import { el, number, percent, safe, svg } from "./dom.js";
import { t } from "./messages.js";
import { dateText, howToGet, nameOf, originText, problemNames, reasonNames, refusedLines } from "./origins.js";
import { clusterLink, pairLink } from "./widgets.js";

const WIDTH_MAXIMUM = 1100;
const ROW = 46;
const INDENT_MAXIMUM = 26;
const SHARE_WIDTH = 46;
const COLUMN = 10;
const PILE_HEIGHT = 96;
const DAY_MILLISECONDS = 86400000;

const width = () => Math.max(300, Math.min(WIDTH_MAXIMUM, document.documentElement.clientWidth - 34));
const partLink = (page, from, skip) => `#/cluster/${page}?from=${from}${skip ? `&skip=${skip}` : ""}`;
// Where a page leads to: the comparison with its source, or its own cluster if it has none.
const linkOf = (page, source) => (source === null || source === undefined ? clusterLink(page) : pairLink(page, source));

// Texts are cut at the edge of the picture, because SVG does not break lines.
function clipped(name, x, y, size, ...children) {
  return [svg("clipPath", { id: name }, svg("rect", { x, y, width: Math.max(0, size), height: ROW })), svg("g", { "clip-path": `url(#${name})` }, ...children)];
}

function copyRow(copy, tree, at, indent, size, tell) {
  const origin = copy.origin;
  const source = copy.source === null ? null : tree.pages[copy.source];
  const x = 8 + copy.depth * indent;
  const y = at * ROW + 14;
  const text = x + 14 + (source ? SHARE_WIDTH : 0);
  const facts = [dateText(origin), source && origin ? reasonNames(origin.reasons || []) : copy.origin && copy.origin.is_first ? t("is-first") : "",
    origin && origin.problems && origin.problems.length ? problemNames(origin.problems) : ""].filter(Boolean).join(" \u00b7 ");
  const href = linkOf(copy.page, source && source.page);
  const on = () => tell(copy);
  return svg("a", { class: `row copy${origin && origin.is_first ? " origin" : ""}`, href, "data-open": href, "data-copy": at,
    "data-compare": source ? href : null, on: { focus: on, mouseenter: on } },
  svg("rect", { class: "ground", x: 0, y: y - 13, width: size, height: ROW - 2, rx: 4 }),
  svg("circle", { cx: x, cy: y, r: 5 }),
  source && origin && !origin.unreadable ? svg("text", { class: "share", x: x + 12, y: y + 4 }, percent(origin.confidence)) : null,
  clipped(`row-${at}`, text, y - 14, size - text - 4, svg("text", { class: "name", x: text, y: y + 4, "data-title-of": copy.page }, nameOf(copy)),
    svg("text", { class: "facts", x: text, y: y + 21 }, facts)));
}

// The line from a source to its copy is the thicker the more certain it is.
function edge(copy, tree, at, indent) {
  const from = { x: 8 + tree.pages[copy.source].depth * indent, y: copy.source * ROW + 14 };
  const to = { x: 8 + copy.depth * indent, y: at * ROW + 14 };
  const confidence = copy.origin ? copy.origin.confidence || 0 : 0;
  return svg("path", { class: "edge", "data-edge": at, d: `M${from.x},${from.y + 5}V${to.y}H${to.x - 5}`, "stroke-width": (1 + 2.5 * confidence).toFixed(2) });
}

// Where the copies are that are left out: after those of this page that are drawn, or below them. Null after the last.
function moreLink(page, tree, copy, at, part) {
  const direct = tree.pages.filter((each) => each.source === at).length;
  const skipped = at === 0 && part.from !== undefined ? Number(part.skip || 0) : 0;
  if (skipped + direct < copy.direct) return partLink(page, copy.page, skipped + direct);
  return at === 0 && part.from !== undefined ? null : partLink(page, copy.page);
}

function treePicture(page, tree, part, tell) {
  const size = width();
  const deepest = Math.max(1, ...tree.pages.map((copy) => copy.depth));
  const indent = Math.min(INDENT_MAXIMUM, (size * 0.4) / deepest);
  const more = (copy, at, href) => href && svg("a", { href, class: "more", "aria-label": `+${number(copy.not_drawn)} ${t("copies-below", nameOf(copy))}` },
    svg("rect", { class: "ground", x: size - 56, y: at * ROW + 2, width: 52, height: 24, rx: 4 }),
    svg("text", { x: size - 8, y: at * ROW + 18, "text-anchor": "end" }, `+${number(copy.not_drawn)}`));
  return svg("svg", { class: "chart wide tree", viewBox: `0 0 ${size} ${tree.pages.length * ROW}`, role: "group", "aria-label": t("copy-graph") },
    tree.pages.map((copy, at) => (copy.source === null ? null : edge(copy, tree, at, indent))),
    tree.pages.map((copy, at) => copyRow(copy, tree, at, indent, copy.not_drawn ? size - 58 : size, tell)),
    tree.pages.map((copy, at) => (copy.not_drawn ? more(copy, at, moreLink(page, tree, copy, at, part)) : null)));
}

// Marks the way from a page to the first one.
function markWay(root, tree, at) {
  root.querySelectorAll(".on").forEach((marked) => marked.classList.remove("on"));
  for (let way = at; way !== null; way = tree.pages[way].source) {
    root.querySelectorAll(`[data-edge="${way}"], [data-copy="${way}"]`).forEach((part) => part.classList.add("on"));
  }
}

function treeSection(page, part, tree) {
  const told = el("p", { class: "told small", "aria-live": "polite" }, t("copy-graph-hint"));
  const picture = treePicture(page, tree, part, (copy) => {
    told.replaceChildren(el("strong", {}, el("bdi", {}, nameOf(copy))), " ", originText(copy.origin));
    markWay(picture, tree, tree.pages.indexOf(copy));
  });
  return el("section", { id: "copy-graph" }, el("h2", {}, t("copy-graph")), el("p", { class: "quiet small" }, t("copy-graph-note")),
    part.from === undefined ? null : el("p", { class: "callout" }, t("copies-of", nameOf(tree.pages[0])), " ", part.skip ? t("copies-skipped", number(part.skip)) + " " : null, el("a", { href: clusterLink(page) }, t("whole-graph"))),
    picture, told,
    tree.pages.length < tree.total ? el("p", { class: "cut" }, t(part.skip ? "copies-part" : "copies-cut", number(tree.pages.length), number(tree.total))) : null,
    tree.apart ? el("p", { class: "cut" }, t("copies-apart", number(tree.apart))) : null);
}

const dayNumber = (day) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MILLISECONDS);
const dayText = (day) => new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10);

function timePicture(pages) {
  const size = width();
  const days = pages.map((page) => dayNumber(page.day));
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const x = (day) => (last === first ? size / 2 : 6 + ((day - first) / (last - first)) * (size - 12));
  const columns = days.map((day) => Math.min(Math.floor(x(day) / COLUMN), Math.floor(size / COLUMN) - 1));
  const piles = new Map();
  columns.forEach((column) => piles.set(column, (piles.get(column) || 0) + 1));
  const step = Math.min(COLUMN, PILE_HEIGHT / Math.max(...piles.values()));
  const floor = step * Math.max(...piles.values()) + 6;
  const filled = new Map();
  const dots = pages.map((page, at) => {
    const pile = (filled.get(columns[at]) || 0) + 1;
    filled.set(columns[at], pile);
    const label = `${page.day}: ${nameOf(page)}`;
    const href = linkOf(page.page, page.copied_from);
    return svg("a", { class: `dated${page.is_first ? " origin" : ""}`, href, "aria-label": label }, svg("title", {}, label),
      svg("rect", { x: columns[at] * COLUMN + 0.5, y: floor - step * pile, width: 9, height: Math.max(0.6, step - 1), rx: Math.min(4.5, step / 2) }));
  });
  const ticks = last === first ? 0 : Math.min(last - first, size < 500 ? 2 : 4);
  const labels = [];
  for (let tick = 0; tick <= ticks; ++tick) {
    const day = ticks ? Math.floor(first + ((last - first) * tick) / ticks) : first;
    const anchor = ticks === 0 ? "middle" : tick === 0 ? "start" : tick === ticks ? "end" : "middle";
    labels.push(svg("text", { x: ticks === 0 ? size / 2 : tick === 0 ? 0 : tick === ticks ? size : x(day), y: floor + 17, "text-anchor": anchor }, dayText(day)));
  }
  return svg("svg", { class: "chart wide days", viewBox: `0 0 ${size} ${Math.ceil(floor + 24)}`, role: "group", "aria-label": t("cluster-time") },
    svg("line", { x1: 0, x2: size, y1: floor + 0.5, y2: floor + 0.5 }), dots, labels);
}

function timeSection(dated, undated) {
  const valid = dated.pages.filter((page) => !Number.isNaN(dayNumber(page.day)));
  const apart = undated.total + dated.pages.length - valid.length;
  const named = [...undated.pages, ...dated.pages.filter((page) => !valid.includes(page))];
  return el("section", { id: "cluster-time" }, el("h2", {}, t("cluster-time")), el("p", { class: "quiet small" }, t("cluster-time-note", number(dated.total))),
    valid.length ? [timePicture(valid), el("p", { class: "small" }, el("i", { class: "dot origin" }), t("first-of-cluster"), "\u2002", el("i", { class: "dot near" }), t("copies"))] : null,
    dated.pages.length < dated.total ? el("p", { class: "cut" }, t("dates-cut", number(dated.pages.length), number(dated.total))) : null,
    apart ? el("p", { class: "small quiet", id: "undated" }, t("undated", number(apart)), " ", named.map((page, at) => [at ? t("list-comma") : null,
      el("a", { href: linkOf(page.page, page.copied_from) }, el("bdi", { class: "break", "data-title-of": page.page }, nameOf(page)))]),
    named.length < apart ? ` ${t("and-more", number(apart - named.length))}` : null) : null);
}

// The sections of a cluster's page; one that says how to get them if the run does not have what they need.
export async function copySections({ page, part, state, signal, notice }) {
  const found = await api.get("copies", { page, ...part }, signal);
  if (!found.provenance.is_there) return el("section", {}, el("h2", {}, t("copy-graph")), await howToGet(found.provenance, state, notice));
  const refused = refusedLines(found.provenance);
  if (found.tree.total + found.tree.apart < 2 && part.from === undefined) return refused;
  return [treeSection(page, part, found.tree), timeSection(found.dated, found.undated), refused];
}
