// Small charts: bars, stacked bars and a line. Each has its numbers in titles, and its caption says what it shows.
import { el, svg, number } from "./dom.js";

const WIDTH_MAXIMUM = 640;
const CURVE_WIDTH_MAXIMUM = 1100;

// Charts shrink to narrow windows, which would make their labels too small to read; so they are drawn narrower there.
function widthUpTo(most) {
  return Math.max(320, Math.min(most, document.documentElement.clientWidth - 32));
}

function frame(width, height, label, ...children) {
  return svg("svg", { class: "chart wide", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...children);
}

// A label below the axis, within the picture.
function tick(width, x, y, text) {
  const anchor = x < 12 ? "start" : x > width - 12 ? "end" : "middle";
  return svg("text", { x: Math.min(width, Math.max(0, x)), y, "text-anchor": anchor }, text);
}

// rows: [{ label, value, href }]. Horizontal bars with their values.
export function barList(rows, label) {
  const width = widthUpTo(WIDTH_MAXIMUM);
  const most = Math.max(1, ...rows.map((row) => row.value));
  const height = rows.length * 24 + 4;
  return frame(width, height, label, rows.map((row, at) => {
    const y = at * 24 + 4;
    const size = row.value > 0 ? Math.max(2, (row.value / most) * (width - 190)) : 0;
    return svg("g", {}, svg("text", { x: 92, y: y + 13, "text-anchor": "end" }, row.label),
      svg("rect", { x: 100, y, width: size, height: 17, rx: 2 }),
      svg("text", { x: 106 + size, y: y + 13, class: "value" }, number(row.value)));
  }));
}

// columns: [{ label, parts: [[class, value]] }]. Stacked columns; `mark`: { at, label } in columns from the left.
export function stackedColumns(columns, label, { mark, ticks, height = 170 } = {}) {
  const width = widthUpTo(WIDTH_MAXIMUM);
  const total = (column) => column.parts.reduce((sum, [, value]) => sum + value, 0);
  const most = Math.max(1, ...columns.map(total));
  const step = width / Math.max(1, columns.length);
  const floor = height - 22;
  const bars = columns.map((column, at) => {
    let y = floor;
    const parts = column.parts.filter(([, value]) => value > 0).map(([name, value]) => {
      const size = Math.max(1, (value / most) * (floor - 18));
      y -= size;
      return svg("rect", { class: name, x: at * step + step * 0.08, y, width: step * 0.84, height: size });
    });
    return svg("g", {}, svg("title", {}, `${column.label}: ${column.parts.map(([name, value]) => `${name} ${number(value)}`).join(", ")}`), parts);
  });
  const named = (ticks || columns.map((column, at) => [at, column.label])).map(([at, text]) =>
    tick(width, at * step + step / 2, height - 6, text));
  const line = mark ? svg("g", { class: "mark" }, svg("line", { x1: mark.at * step, x2: mark.at * step, y1: 4, y2: floor }),
    svg("text", { x: mark.at * step - 4, y: 14, "text-anchor": "end" }, mark.label)) : null;
  return frame(width, height, label, svg("line", { x1: 0, x2: width, y1: floor + 0.5, y2: floor + 0.5 }), bars, named, line,
    svg("text", { x: 2, y: 12, class: "value" }, number(most)));
}

// points: [[x, y]] with ascending x. `own` and `here` are places on the x axis.
export function stepLine(points, label, own, here) {
  const width = widthUpTo(CURVE_WIDTH_MAXIMUM);
  const height = 230;
  const floor = height - 22;
  const [low, high] = [points[0][0], points[points.length - 1][0]];
  const most = Math.max(1, ...points.map(([, y]) => y));
  const x = (value) => 4 + ((value - low) / Math.max(1e-9, high - low)) * (width - 8);
  const y = (value) => floor - (value / most) * (floor - 22);
  const path = points.map(([px, py], at) => `${at ? "L" : "M"}${x(px).toFixed(1)},${y(py).toFixed(1)}`).join("");
  const at = points.reduce((best, point) => (Math.abs(point[0] - here) < Math.abs(best[0] - here) ? point : best));
  const ticks = [];
  for (let step = Math.ceil(low * 10); step <= Math.floor(high * 10); ++step) {
    ticks.push(tick(width, x(step / 10), height - 6, (step / 10).toFixed(1)));
  }
  return frame(width, height, label,
    svg("path", { class: "area", d: `${path}L${x(high)},${floor}L${x(low)},${floor}Z` }), svg("path", { class: "curve", d: path }),
    svg("line", { x1: 0, x2: width, y1: floor + 0.5, y2: floor + 0.5 }),
    svg("g", { class: "mark" }, svg("line", { x1: x(own), x2: x(own), y1: 4, y2: floor, "stroke-dasharray": "3 3" })),
    svg("circle", { class: "here", cx: x(at[0]), cy: y(at[1]), r: 5 }), ticks,
    svg("text", { x: 2, y: 12, class: "value" }, number(most)));
}

// A table whose cells are the darker the larger their numbers are.
export function heatTable(names, matrix, corner, cellTitle) {
  const most = Math.max(1, ...matrix);
  const size = names.length;
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": corner }, el("table", { class: "heat" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, corner),
      names.map((name) => el("th", { scope: "col", title: name }, el("span", {}, name))))),
    el("tbody", {}, names.map((name, row) => el("tr", {}, el("th", { scope: "row", title: name }, name),
      names.map((other, column) => {
        const value = matrix[row * size + column];
        const level = value === 0 ? 0 : 1 + Math.round((Math.log(value + 1) / Math.log(most + 1)) * 5);
        return el("td", { class: `heat-${level}`, title: cellTitle(name, other, value) }, value === 0 ? "" : number(value));
      }))))));
}
