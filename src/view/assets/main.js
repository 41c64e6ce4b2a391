// The frame: which view is shown, the keys, the language, and what is said while the run is being read.
import * as api from "./api.js";
import { cluster } from "./cluster.js";
import { el, number } from "./dom.js";
import { indexMatch } from "./index_match.js";
import { indexOverview } from "./index_overview.js";
import { indexPage, indexPages } from "./index_pages.js";
import { judge } from "./judge.js";
import { known, language, t, useLanguage } from "./messages.js";
import { overview } from "./overview.js";
import { pages, pairs } from "./pages.js";
import { pair } from "./pair.js";
import { threshold } from "./threshold.js";

const RUN_VIEWS = { overview, pages, pairs, threshold, judge, cluster, pair };
const INDEX_VIEWS = { overview: indexOverview, pages: indexPages, page: indexPage, match: indexMatch };
const RUN_TABS = ["overview", "pages", "pairs", "threshold", "judge"];
const INDEX_TABS = ["overview", "pages"];
const WIDE_VIEWS = ["pair", "judge"];

const main = document.getElementById("main");
const notices = document.getElementById("notices");
const help = document.getElementById("help");
const ask = document.getElementById("ask");
let state = null;
const views = () => (state && state.is_index ? INDEX_VIEWS : RUN_VIEWS);
const tabs = () => (state && state.is_index ? INDEX_TABS : RUN_TABS);
let keys = {};  // of the view that is shown
let current = { name: "overview", controller: new AbortController() };

function notice(text) {
  const line = el("div", { class: "notice" }, text, el("button", { type: "button", "aria-label": t("close"), on: { click: () => line.remove() } }, "\u00d7"));
  notices.append(line);
  setTimeout(() => line.remove(), 12000);
}

function parse() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decodeURIComponent);
  return { name: views()[name] ? name : "overview", path: rest, query: Object.fromEntries(new URLSearchParams(query || "")) };
}

const loadingText = (stage) => t(state.is_index ? "loading-index" : "loading", stage);

function showBar(name) {
  document.title = `${t(name)} \u2013 paraprint`;
  document.getElementById("skip").textContent = t("skip");
  const loading = state && state.stage ? el("span", { class: "loading", role: "status" }, loadingText(known(`stage-${state.stage}`, state.stage)),
    state.total ? ` ${Math.min(100, Math.floor((state.done / state.total) * 100))}\u00a0%` : "") : null;
  document.getElementById("bar").replaceChildren(el("a", { class: "name", href: "#/" }, "paraprint"), ...(loading ? [loading] : []),
    el("nav", {}, tabs().map((tab) => el("a", { href: `#/${tab}`, "aria-current": tab === name ? "page" : null }, t(tab)))),
    el("button", { type: "button", class: "plain", id: "language", on: { click: switchLanguage } }, t("language")),
    el("button", { type: "button", class: "plain", id: "show-help", on: { click: showHelp } }, t("keys")));
}

async function askToken() {
  const input = el("input", { type: "password", name: "token", autocomplete: "off", required: true });
  const answered = new Promise((resolve) => {
    ask.replaceChildren(el("form", { method: "dialog", on: { submit: () => resolve(input.value) } }, el("h2", {}, t("ask-token")), el("label", {}, el("span", {}, t("token")), input), el("button", { class: "main" }, t("open"))));
  });
  if (!ask.open) ask.showModal();
  api.setToken(await answered);
}

async function fetchState() {
  for (;;) {
    try {
      state = await api.getState();
      return;
    } catch (error) {
      if (error.status !== 401) throw error;
      await askToken();
    }
  }
}

function showError(error) {
  if (error.name === "AbortError") return;
  const text = error.status === 0 ? t("not-there") : t("failed", error.message);
  main.replaceChildren(el("p", { class: "callout", role: "alert" }, text));
}

// An event may be given, too.
async function show({ again = false } = {}) {
  api.beginView(again);
  current.controller.abort();
  const { name, path, query } = parse();
  current = { name, controller: new AbortController() };
  keys = {};
  const own = current;
  document.body.className = WIDE_VIEWS.includes(name) ? `view-${name} wide` : `view-${name}`;
  showBar(name);
  main.setAttribute("aria-busy", "true");
  try {
    if (!state.is_ready && name !== "overview") {
      main.replaceChildren(el("p", { class: "callout" }, loadingText(known(`stage-${state.stage}`, state.stage))));
    } else {
      await views()[name]({ main, state, path, query, keys, signal: own.controller.signal, notice });
    }
  } catch (error) {
    if (own === current) showError(error);
  }
  if (own === current) main.removeAttribute("aria-busy");
}

// Until everything is loaded; the view is shown again when there is more to see.
async function watch() {
  while (state.stage) {
    await new Promise((resolve) => setTimeout(resolve, 400));
    const before = state;
    await fetchState();
    if (before.is_ready !== state.is_ready || (before.has_thresholds !== state.has_thresholds && current.name === "threshold")) await show();
    else showBar(current.name);
    if (!before.is_ready && state.is_ready) warn();
  }
}

function warn() {
  if (state.no_texts) notice(t("no-texts", state.no_texts));
  for (const text of state.warnings || []) notice(text);
}

function switchLanguage() {
  useLanguage(language() === "zh" ? "en" : "zh");
  localStorage.setItem("paraprint-language", language());
  show({ again: true });
}

function showHelp() {
  const moving = [["/", "key-search"], ["j  k", "key-rows"], ["Enter", "key-open"]];
  const general = [["l", "key-language"], ["h  ?", "key-help"], ["Esc", "key-escape"]];
  const turning = [["\u2190  \u2192", "key-turn"], ["e  E", "key-save"]];
  const rows = state && state.is_index
    ? [["1  2", "key-index-views"], ...moving, ["c", "key-compare-first"], ...turning, ["s", "key-swap"], ...general]
    : [["1 \u2013 5", "key-1"], ...moving, ["c", "key-compare"], ...turning, ["[  ]", "key-threshold"], ["n  a  0", "key-rule"], ["s", "key-swap"], ["y  n  ?  u", "key-judge"], ...general];
  help.replaceChildren(el("h2", {}, t("keys")), el("dl", { class: "keys" }, rows.map(([key, text]) => [el("dt", {}, key.split("  ").map((each) => [el("kbd", {}, each), " "])), el("dd", {}, t(text))])),
    el("form", { method: "dialog" }, el("button", { class: "main" }, t("close"))));
  if (!help.open) help.showModal();
}

// Rows that keys walk through.
function walk(by) {
  const rows = [...main.querySelectorAll(".row")];
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement.closest(".row"));
  const next = rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by))];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function openRow(attribute) {
  const row = document.activeElement.closest(".row");
  const target = row && row.getAttribute(attribute);
  if (target) location.hash = target;
  return Boolean(target);
}

function turn(name) {
  const link = main.querySelector(`[data-turn="${name}"]`);
  if (link) location.hash = link.getAttribute("href");
}

function save(format) {
  const button = main.querySelector(`[data-save="${format}"]`);
  if (button) button.click();
}

const KEYS = {
  "/": () => {
    const field = main.querySelector("[data-search]");
    if (field) field.focus();
    else location.hash = "#/pages";
  },
  j: () => walk(1),
  k: () => walk(-1),
  c: () => openRow("data-compare"),
  ArrowLeft: () => turn("previous"),
  ArrowRight: () => turn("next"),
  e: () => save("tsv"),
  E: () => save("jsonl"),
  l: switchLanguage,
  h: showHelp,
  "?": showHelp,
  Escape: () => history.back(),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || help.open || ask.open) return;
  const target = event.target;
  const isTyping = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
  if (isTyping) {
    if (event.key === "Escape") target.blur();
    return;
  }
  if (target.matches("[type=range]") && event.key.startsWith("Arrow")) return;
  if (event.key === "Enter") {
    if (target.matches(".row") && openRow("data-open")) event.preventDefault();
    return;
  }
  if (event.key === "Escape" && keys.Escape && keys.Escape()) return;
  const tab = tabs()[Number(event.key) - 1];
  const action = event.key !== "Escape" && keys[event.key] ? keys[event.key] : tab ? () => { location.hash = `#/${tab}`; } : KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => notice(t("failed", event.reason && event.reason.message)));

async function start() {
  useLanguage(localStorage.getItem("paraprint-language") || (navigator.language.startsWith("zh") ? "zh" : "en"));
  const given = /^#token=(.+)$/.exec(location.hash);
  if (given) {
    api.setToken(decodeURIComponent(given[1]));
    history.replaceState(null, "", "#/");
  }
  try {
    await fetchState();
    await show();
    if (state.is_ready) warn();
    await watch();
  } catch (error) {
    showBar("overview");
    showError(error);
  }
}

start();
