// The first view: what became of the pages, and the shape of the run.
import * as api from "./api.js";
import { barList, heatTable, stackedColumns } from "./charts.js";
import { el, number, percent } from "./dom.js";
import { t } from "./messages.js";
import { howToGet, refusedLines } from "./origins.js";
import { fateMark, figure, fillTitles, pageTable } from "./widgets.js";

const REMOVED = ["same", "near", "contained", "other", "known", "language"];
const VERDICTS = ["near", "contained", "contains", "overlap", "distinct"];

function figures(state) {
  return el("dl", { class: "figures" }, figure(t("pages-read"), number(state.pages)),
    figure(t("kept"), number(state.kept), percent(state.pages ? state.kept / state.pages : 0)),
    figure(t("removed"), number(state.removed), percent(state.pages ? state.removed / state.pages : 0)),
    figure(t("clusters"), number(state.clusters), t("of-two")),
    figure(t("broken"), number(state.broken), t("skipped")));
}

function removedSection(fates) {
  const removed = REMOVED.reduce((sum, name) => sum + fates[name], 0);
  if (removed === 0) return el("section", {}, el("h2", {}, t("why-removed")), el("p", {}, t("nothing-removed")));
  const shown = REMOVED.filter((name) => fates[name] > 0);
  return el("section", {}, el("h2", {}, t("why-removed")),
    el("div", { class: "stack", "aria-hidden": "true" }, shown.map((name) => el("i", { class: name, style: { flex: String(fates[name] / removed) } }))),
    el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, t("verdict")), el("th", {}), el("th", { class: "number" }, t("pages")), el("th", { class: "number" }, t("share")))),
      el("tbody", {}, shown.map((name) => el("tr", {}, el("td", {}, el("a", { href: `#/pages?fate=${name}` }, fateMark(name))), el("td", { class: "quiet" }, t(`why-${name}`)),
        el("td", { class: "number" }, number(fates[name])), el("td", { class: "number" }, percent(fates[name] / removed))))))));
}

// Clusters by size.
export function sizesSection(clusterSizes) {
  const sizes = clusterSizes.map(({ from, to, clusters }) =>
    ({ label: to === 0 ? `${from}+` : from === to ? String(from) : `${from}\u2013${to}`, value: clusters }));
  while (sizes.length > 3 && sizes[sizes.length - 1].value === 0) sizes.pop();
  return el("section", {}, el("h2", {}, t("cluster-sizes")), el("p", { class: "quiet small" }, t("cluster-sizes-note")), barList(sizes, t("cluster-sizes-note")));
}

// Pages by period in two parts, which `labels` name. Null for a single period.
export function timeSection(periods, heading, note, labels) {
  if (periods.length < 2) return null;
  const columns = periods.map((period) => ({ label: period.name, parts: [["kept", period.kept], ["near", period.removed]] }));
  const every = Math.ceil(columns.length / 6);
  return el("section", {}, el("h2", {}, heading), el("p", { class: "quiet small" }, note),
    stackedColumns(columns, heading, { ticks: columns.map((column, at) => [at, column.label]).filter(([at]) => at % every === Math.floor(every / 2)) }),
    el("p", { class: "small" }, el("i", { class: "dot kept" }), labels[0], "\u2002", el("i", { class: "dot near" }), labels[1]));
}

function scoresSection(state, overview) {
  const bars = overview.scores.map((bar, at) => ({ label: (at / overview.scores.length).toFixed(2), parts: VERDICTS.map((name) => [name, bar[name] || 0]) }));
  const ticks = [0, 10, 20, 30, 40].map((at) => [at, (at / 50).toFixed(1)]);
  return el("section", {}, el("h2", {}, t("scores")), el("p", { class: "quiet small" }, t("scores-note", state.near)),
    stackedColumns(bars, t("scores-note", state.near), { ticks, mark: { at: state.near * bars.length, label: String(state.near) } }), legend(VERDICTS.filter((name) => overview.scores.some((bar) => bar[name]))));
}

function charts(state, overview) {
  return el("div", { class: "grid" }, sizesSection(overview.cluster_sizes), scoresSection(state, overview),
    timeSection(overview.periods, t("time-line"), t("time-note", number(overview.pages_without_date)), [t("kept"), t("removed")]));
}

function legend(names) {
  return el("p", { class: "small" }, names.map((name) => [el("i", { class: `dot ${name}` }), t(`verdict-${name}`), "\u2002"]));
}

export function hostSection({ names, matrix }, note, heading = t("hosts-copy")) {
  if (names.length === 0) return null;
  return el("section", {}, el("h2", {}, heading), el("p", { class: "quiet small" }, note),
    heatTable(names.map((name) => name || "\u2014"), matrix, t("host"), (row, column, value) => `${row} \u2192 ${column}: ${number(value)}`));
}

function languageSection(languages) {
  const rows = [...languages].sort((x, y) => y.kept + y.removed - x.kept - x.removed).slice(0, 12);
  return el("section", {}, el("h2", {}, t("languages")), el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, t("languages")),
    el("th", { class: "number" }, t("kept")), el("th", { class: "number" }, t("removed")))), el("tbody", {}, rows.map((row) => el("tr", {},
    el("td", {}, el("a", { href: `#/pages?language=${encodeURIComponent(row.name)}` }, row.name)), el("td", { class: "number" }, number(row.kept)), el("td", { class: "number" }, number(row.removed))))))));
}

// When first pages and copies were published, and who is the source for whom.
async function originSections({ provenance, origins }, state, notice) {
  if (!provenance.is_there) return [el("section", { id: "origins" }, el("h2", {}, t("copy-graph")), await howToGet(provenance, state, notice))];
  const hosts = t("origin-hosts-note", origins.hosts.names.length, number(origins.hosts_total));
  return [el("div", { id: "origins" }, timeSection(origins.periods, t("published-line"), t("published-line-note", number(provenance.lines), number(origins.pages_without_date)), [t("is-first"), t("copies")]),
    hostSection(origins.hosts, hosts, t("origin-hosts"))), refusedLines(provenance)].filter(Boolean);
}

export async function overview({ main, state, signal, notice }) {
  const lead = el("header", {}, el("h1", {}, t("overview")), el("p", { class: "quiet" }, t("run-of", state.folder, state.version)));
  if (!state.is_ready) {
    main.replaceChildren(lead, el("p", {}, t("loading-more")), figures(state));
    return;
  }
  const figuresOfRun = await api.get("overview", {}, signal);
  main.replaceChildren(lead, figures(state), removedSection(figuresOfRun.fates), charts(state, figuresOfRun), hostSection(figuresOfRun.hosts, t("hosts-note", figuresOfRun.hosts.names.length, number(figuresOfRun.hosts.count))) || "",
    ...await originSections(figuresOfRun, state, notice),
    el("section", {}, el("h2", {}, t("largest")), pageTable(figuresOfRun.rows)), languageSection(figuresOfRun.languages));
  fillTitles(main);
}
