// Builds elements. Texts of pages come from strangers, so they only ever become text nodes; nothing here takes markup.

const SVG = "http://www.w3.org/2000/svg";

// Control characters, and those that reorder the text around them, would let a page forge the interface.
export function safe(text) {
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else if (name === "style") for (const [property, each] of Object.entries(value)) element.style.setProperty(property, each);
    else element.setAttribute(name, value === true ? "" : safe(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(safe(child)));
  }
  return element;
}

export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// An address as a link that leaves the explorer, if it is one of the web; otherwise as text.
export function address(url) {
  const text = safe(url);
  const shown = text.length > 160 ? text.slice(0, 157) + "\u2026" : text;
  if (!/^https?:\/\/[^\s\ufffd]+$/i.test(text)) return el("bdi", { class: "url" }, shown);
  return el("bdi", { class: "url" }, el("a", { href: text, target: "_blank", rel: "noreferrer noopener" }, shown));
}

export function number(value) {
  return Number(value).toLocaleString("en-US");
}

export function percent(share) {
  if (share > 0 && share < 0.01) return "<1\u00a0%";
  if (share < 1 && share > 0.99) return ">99\u00a0%";
  return Math.round(share * 100) + "\u00a0%";
}

export function score(value) {
  return value === undefined || value === null ? "" : Number(value).toFixed(2);
}
