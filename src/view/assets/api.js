// Asks the program. The token, if there is one, comes with the address (#token=...) or is asked for, and is kept for this
// tab only.

let token = sessionStorage.getItem("paraprint-token") || "";

export function setToken(value) {
  token = value;
  sessionStorage.setItem("paraprint-token", value);
}

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function send(path, options) {
  const headers = { ...(options.headers || {}) };
  if (token) headers.Authorization = "Bearer " + token;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "");
  }
  if (response.ok) return response;
  let message = response.statusText;
  try {
    message = (await response.json()).error.message;
  } catch (ignored) { /* not JSON: the status line says enough */ }
  throw new Refused(response.status, message);
}

function query(parameters) {
  const given = Object.entries(parameters || {}).filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return given.length ? "?" + new URLSearchParams(given) : "";
}

// Answers since the view was opened, as text: in the other language it is made of the same ones.
let answers = new Map();
let isShownAgain = false;

// `again`: the same view, of the same answers.
export function beginView(again) {
  if (!again) answers = new Map();
  isShownAgain = again;
}

async function ask(path, parameters, signal) {
  return (await send("/api/" + path + query(parameters), { signal })).text();
}

export async function get(path, parameters, signal) {
  const address = path + query(parameters);
  if (!isShownAgain || !answers.has(address)) answers.set(address, await ask(path, parameters, signal));
  return JSON.parse(answers.get(address));
}

export async function getState() {
  return JSON.parse(await ask("state"));
}

export async function getText(path, parameters) {
  return ask(path, parameters);
}

export async function post(path, body) {
  beginView(false);
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return (await send("/api/" + path, options)).json();
}
