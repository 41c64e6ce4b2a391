// Judging: a sample of pairs, one by one, and what the judgements say of the run.
import * as api from "./api.js";
import { el, number, percent } from "./dom.js";
import { t } from "./messages.js";
import { comparisonPanes, legendOf, scoresOf } from "./pair.js";
import { verdictMark } from "./widgets.js";

const shareText = (share) => (share.is_known ? percent(share.estimate) : "\u2014");
const intervalText = (share) => (share.is_known ? `${(share.low * 100).toFixed(1)} \u2013 ${(share.high * 100).toFixed(1)}\u00a0%` : "\u2014");

function drawForm(main, notice, again) {
  const form = el("form", { class: "search", on: { submit: async (event) => {
    event.preventDefault();
    const given = new FormData(form);
    try {
      await api.post("sample", { pairs: Number(given.get("pairs")), seed: Number(given.get("seed")) });
      await again();
    } catch (error) {
      notice(t("failed", error.message));
    }
  } } }, el("label", {}, el("span", {}, t("sample-size")), el("input", { name: "pairs", type: "number", min: 10, max: 10000, value: 100, required: true, "data-search": true })),
  el("label", {}, el("span", {}, t("seed")), el("input", { name: "seed", type: "number", min: 0, value: 1, required: true })), el("button", { type: "submit", class: "main" }, t("draw")));
  main.replaceChildren(el("h1", {}, t("judge")), el("p", { class: "quiet" }, t("draw-lead")), form);
}

function shareRows(rows, label) {
  return el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, label), el("th", { class: "number" }, t("judged")), el("th", { class: "number" }, t("precision")),
    el("th", { class: "number" }, t("interval")))), el("tbody", {}, rows.map((row) => el("tr", {}, el("td", {}, row.name), el("td", { class: "number" }, number(row.judged)),
    el("td", { class: "number" }, shareText(row)), el("td", { class: "number" }, intervalText(row)))))));
}

function estimates(judging) {
  const section = el("section", { id: "estimates" }, el("h2", {}, `${t("precision")}, ${t("recall").toLowerCase()}`));
  if (!judging.judged) return el("section", {}, el("p", { class: "quiet" }, t("no-judgement-yet")));
  section.append(el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}), el("th", { class: "number" }, "%"), el("th", { class: "number" }, t("interval")))),
    el("tbody", {}, [["precision", judging.precision], ["recall", judging.recall]].map(([name, share]) => el("tr", {}, el("td", {}, t(name)), el("td", { class: "number" }, shareText(share)),
      el("td", { class: "number" }, intervalText(share))))))), el("p", { class: "small quiet" }, t("recall-note")),
  el("div", { class: "columns" }, el("div", {}, el("h3", {}, t("by-verdict")), shareRows(judging.by_verdict.map((row) => ({ ...row, name: verdictMark(row.verdict) })), t("verdict"))),
    el("div", {}, el("h3", {}, t("by-threshold")), shareRows(judging.by_threshold.map((row) => ({ ...row, name: `\u2265 ${row.near}` })), t("threshold")))),
  el("p", { class: "small quiet break" }, t("eval-note", judging.command)));
  return section;
}

export async function judge({ main, query, signal, keys, notice }) {
  const show = async (judging) => {
    if (!judging.has_sample) return drawForm(main, notice, async () => show(await api.get("judging", {}, signal)));
    const head = [el("h1", {}, t("judge")), el("p", { class: "quiet" }, t("sample-of", number(judging.judged), number(judging.pairs), judging.path)),
      el("progress", { max: judging.pairs, value: judging.judged, "aria-label": t("judged") }),
      judging.unknown ? el("p", { class: "callout" }, t("unknown-lines", number(judging.unknown))) : ""];
    const shown = judging.shown;
    if (!shown) {
      main.replaceChildren(...head, el("p", {}, t("all-judged")), estimates(judging));
      return;
    }
    const say = async (judgement) => show(await api.post("judgements", { number: shown.number, judgement }));
    const act = (judgement) => say(judgement).catch((error) => notice(t("failed", error.message)));
    const go = (step) => { location.hash = `#/judge?number=${Math.min(judging.pairs, Math.max(1, shown.number + step))}`; };
    Object.assign(keys, { y: () => act("y"), n: () => act("n"), u: () => act("?"), "?": () => act("?"), ArrowLeft: () => go(-1), ArrowRight: () => go(1) });
    const buttons = el("div", { class: "judge-buttons" }, [["y", "yes"], ["n", "no"], ["?", "unsure"]].map(([key, name]) => el("button", { type: "button", "data-judge": key, class: `judge-${name}`,
      "aria-pressed": String(shown.judgement === key), on: { click: () => act(key) } }, t(name), " ", el("kbd", {}, key))));
    const place = el("div");
    main.replaceChildren(...head, el("div", { class: "head-line" }, el("h2", {}, `${shown.number}. ${t("are-copies")}`), buttons), place, estimates(judging));
    const pair = await api.get("pair", { a: shown.a, b: shown.b }, signal);
    if (pair.no_texts) {
      place.replaceChildren(el("p", { class: "callout" }, t("no-texts", pair.no_texts)));
      return;
    }
    const view = comparisonPanes(pair);
    Object.assign(keys, { j: () => view.step(1), k: () => view.step(-1), Escape: () => view.clear() });
    place.replaceChildren(el("header", { class: "head flat" }, scoresOf(pair), legendOf(pair.totals)), view.element);
  };
  await show(await api.get("judging", { number: query.number }, signal));
}
