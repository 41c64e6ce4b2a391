// Two pages of an index side by side. It stores no texts, so both are drawn to scale: their paragraphs, and ribbons
// between the passages that they share.
import * as api from "./api.js";
import { address, el, number, percent, safe, score, svg } from "./dom.js";
import { indexLink, matchLink } from "./index_pages.js";
import { t } from "./messages.js";

const PASSAGES_SHOWN = 300;
const WIDTH = 900;
const BAR = 210;
const PARAGRAPH_GAP = 2;

const spanText = (span) => `${number(span[0])} \u2013 ${number(span[1])}`;

// Draws both pages; `paths` receives the ribbon of each passage.
function map(found, passages, paths) {
  const end = (page) => page.paragraphs.reduce((most, [, last]) => Math.max(most, last), 1);
  const scale = Math.min(560, Math.max(160, Math.max(end(found.a), end(found.b)) / 8)) / Math.max(end(found.a), end(found.b));
  const height = Math.max(end(found.a), end(found.b)) * scale + 8;
  const y = (place) => 4 + place * scale;
  const bar = (page, x, name) => svg("g", {}, svg("title", {}, `${name}: ${t("paragraphs", number(page.paragraphs.length))}`),
    page.paragraphs.map(([begin, last]) => svg("rect", { class: "paragraph", x, y: y(begin), width: BAR, height: Math.max(1, (last - begin) * scale - PARAGRAPH_GAP), rx: 2 })));
  const shared = (span, x, kind) => svg("rect", { class: `shared ${kind}`, x, y: y(span[0]), width: BAR, height: Math.max(1.5, (span[1] - span[0]) * scale - PARAGRAPH_GAP) });
  const [left, right] = [BAR, WIDTH - BAR];
  return svg("svg", { class: "chart wide passages", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": t("map-note") }, bar(found.a, 0, "A"), bar(found.b, right, "B"),
    passages.map((passage) => {
      const kind = passage.distance_bits ? "near" : "same";
      const [a, b] = [passage.span_asked, passage.span_known];
      const middle = (left + right) / 2;
      const [lowA, lowB] = [a, b].map((span) => Math.max(y(span[0]) + 1, y(span[1]) - PARAGRAPH_GAP));
      const path = svg("path", { class: kind, d: `M${left},${y(a[0])}C${middle},${y(a[0])} ${middle},${y(b[0])} ${right},${y(b[0])}V${lowB}C${middle},${lowB} ${middle},${lowA} ${left},${lowA}Z` });
      paths.push(path);
      return [shared(a, 0, kind), shared(b, right, kind), path];
    }));
}

function table(passages, paths) {
  const light = (at, state) => () => paths[at].classList.toggle("on", state);
  return el("div", { class: "scroll" }, el("table", { class: "rows" }, el("thead", {}, el("tr", {}, el("th", { class: "number" }, "#"), el("th", { class: "number" }, t("bytes-of", "A")), el("th", { class: "number" }, t("bytes-of", "B")), el("th", {}, t("passage")))),
    el("tbody", {}, passages.map((passage, at) => el("tr", { class: "row", tabindex: -1, on: { focus: light(at, true), blur: light(at, false), mouseenter: light(at, true), mouseleave: light(at, false) } },
      el("td", { class: "number" }, at + 1), el("td", { class: "number" }, spanText(passage.span_asked)), el("td", { class: "number" }, spanText(passage.span_known)),
      el("td", {}, t(passage.is_sentence ? "a-sentence" : "a-paragraph"), ", ", passage.distance_bits ? t("bits-changed", passage.distance_bits) : t("words-equal")))))));
}

export async function indexMatch({ main, path, signal, keys }) {
  const found = await api.get("match", { a: path[0], b: path[1] }, signal);
  Object.assign(keys, { s: () => { location.hash = matchLink(path[1], path[0]); } });
  const passages = (found.passages || []).slice(0, PASSAGES_SHOWN);
  const paths = [];
  const side = (name) => el("div", {}, el("p", { class: "lead" }, el("b", {}, name.toUpperCase()), " ", el("a", { href: indexLink(found[name].page) }, el("bdi", { class: "break" }, safe(found[name].id)))),
    el("p", { class: "small quiet" }, found[name].date ? `${found[name].date.slice(0, 10)} \u2002` : "", `${number(found[name].characters)} ${t("characters").toLowerCase()} \u2002`, found[name].url ? address(found[name].url) : ""));
  main.replaceChildren(el("header", { class: "head flat" }, el("h1", {}, found.is_found ? t(`headline-${found.verdict}`) : t("not-found-together")),
    found.is_found ? el("div", { class: "scores" }, el("span", {}, el("b", {}, percent(found.containment_a)), " ", t("a-in-b")), el("span", {}, el("b", {}, percent(found.containment_b)), " ", t("b-in-a")),
      el("span", {}, t("resemblance"), " ", el("b", {}, score(found.resemblance)))) : null),
    el("div", { class: "sides" }, side("a"), side("b")), map(found, passages, paths), el("p", { class: "small quiet" }, t("map-note")),
    passages.length ? el("section", {}, el("h2", {}, t("shared-passages", number(found.passages.length))), table(passages, paths)) : "");
}
