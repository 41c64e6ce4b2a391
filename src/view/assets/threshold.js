// The threshold as a slider: what would be removed, the largest clusters, and the pairs on both sides of it.
import * as api from "./api.js";
import { stepLine } from "./charts.js";
import { address, el, number } from "./dom.js";
import { t } from "./messages.js";
import { clusterLink, commandLine, figure, fillTitles, pairTable } from "./widgets.js";

export async function threshold({ main, query, signal, keys, notice, state }) {
  const curve = await api.get("thresholds", {}, signal);
  const lead = [el("h1", {}, t("threshold")), el("p", { class: "quiet" }, t("threshold-lead"))];
  if (curve.no_thresholds || !curve.is_ready) {
    main.replaceChildren(...lead, el("p", { class: "callout" }, curve.no_thresholds ? t("no-thresholds", curve.no_thresholds) : t("thresholds-wait")));
    return;
  }
  const rows = curve.rows;
  const place = (near) => rows.reduce((best, row, at) => (Math.abs(row.near - near) < Math.abs(rows[best].near - near) ? at : best), 0);
  const own = place(curve.own);
  let at = query.near === undefined ? own : place(Number(query.near));
  const slider = el("input", { type: "range", id: "near", min: 0, max: rows.length - 1, step: 1, value: at, "aria-label": t("threshold") });
  const value = el("output", { for: "near" });
  const figures = el("dl", { class: "figures", "aria-live": "polite" });
  const chart = el("div");
  const details = el("div");
  main.replaceChildren(...lead, el("div", { class: "slider" }, slider, value), el("p", { class: "small quiet" }, t("threshold-own", curve.own)), figures,
    el("section", {}, el("h2", {}, t("removed-by-threshold")), chart), details);

  function showRow() {
    const row = rows[at];
    const change = row.removed - rows[own].removed;
    value.textContent = String(row.near);
    slider.value = at;
    slider.setAttribute("aria-valuetext", String(row.near));
    figures.replaceChildren(figure(t("removed"), number(row.removed), change === 0 ? t("threshold-same") : t(change > 0 ? "threshold-more" : "threshold-fewer", number(Math.abs(change)))),
      figure(t("kept"), number(row.kept)), figure(t("clusters"), number(row.clusters)), figure(t("largest-cluster"), number(row.largest)));
    chart.replaceChildren(stepLine(rows.map((each) => [each.near, each.removed]), t("removed-by-threshold"), curve.own, row.near));
  }

  let asked = 0;
  async function showDetails() {
    const turn = ++asked;
    const here = await api.get("threshold", { near: rows[at].near }, signal);
    if (turn !== asked) return;
    const near = at === own ? undefined : here.near;
    details.replaceChildren(el("section", {}, el("h2", {}, t("apply")), commandLine(here.command, notice)),
      el("section", {}, el("h2", {}, t("just-above")), pairTable(here.above)), el("section", {}, el("h2", {}, t("just-below")), pairTable(here.below)),
      el("section", {}, el("h2", {}, t("largest")), el("ol", { class: "clusters" }, here.clusters_shown.map((cluster) => el("li", { class: "row", tabindex: -1, "data-open": clusterLink(cluster.kept.page, near) },
        el("a", { href: clusterLink(cluster.kept.page, near) }, `${number(cluster.pages)} ${t("pages").toLowerCase()}`), "\u2002",
        el("bdi", { class: "break", "data-title-of": cluster.kept.page }, cluster.kept.url || cluster.kept.id))))));
    fillTitles(details);
  }
  let timer = 0;
  function move(to) {
    at = Math.min(rows.length - 1, Math.max(0, to));
    showRow();
    history.replaceState(null, "", at === own ? "#/threshold" : `#/threshold?near=${rows[at].near}`);
    clearTimeout(timer);
    timer = setTimeout(() => showDetails().catch((error) => error.name === "AbortError" || notice(t("failed", error.message))), 60);
  }
  slider.addEventListener("input", () => move(Number(slider.value)));
  Object.assign(keys, { "[": () => move(at - 1), "]": () => move(at + 1) });
  showRow();
  await showDetails();
}
