// A service worker around that of wabac.js: loads archives into a collection, and says what it shows for captures.
"use strict";
importScripts("/wabac.js");

let firstEntry = null; // that the player finds for a request, before it follows what the entry refers to

async function load({ archives, onDemand }) {
  const collections = self.sw.collections;
  await collections.inited;
  const complaints = [];
  let name = "all";
  if (onDemand) {
    // As the player does with large files: it keeps an index, and reads records when they are asked for.
    const file = { sourceUrl: archives[0], noCache: true };
    const complain = (_, error) => error && complaints.push([archives[0], error]);
    await collections.addCollection({ name, file }, complain);
  } else {
    name = (await collections.initNewColl({}, {}, "archive")).name;
    for (const sourceUrl of archives) {
      const file = { sourceUrl, newFullImport: true, importCollId: name };
      const complain = (_, error) => error && complaints.push([sourceUrl, error]);
      await collections.addCollection({ name: sourceUrl, file }, complain);
    }
    await collections.reload(name);
  }
  const store = (await collections.getColl(name)).store;
  for (const method of ["lookupUrl", "lookupQueryPrefix"]) {
    const lookup = store[method];
    store[method] = async function (...args) {
      const entry = await lookup.apply(this, args);
      firstEntry = firstEntry || entry;
      return entry;
    };
  }
  return { name, complaints };
}

function hexadecimal(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function withoutFragment(url) {
  return new URL(url).href.split("#")[0];
}

function ask(url) {
  return self.sw.handleFetch({ request: new Request(url), clientId: "", resultingClientId: "" });
}

async function show(name, capture) {
  firstEntry = null;
  try {
    let response = await ask(`${self.registration.scope}w/${name}/${capture.timestamp}id_/${capture.url}`);
    // To the canonical address; in WACZ files, also to the file that has the capture.
    const followed = `${self.registration.scope}w/${name}/`;
    for (let count = 0; count < 2 && !response.date; ++count) {
      const redirect = response.headers.get("location") || "";
      if (redirect.startsWith(followed) && redirect.includes(`/${capture.timestamp}id_/`)) response = await ask(redirect);
    }
    const timestamp = firstEntry ? new Date(firstEntry.ts).toISOString().replace(/[^0-9]/g, "").slice(0, 14) : "";
    const guessed = firstEntry !== null && withoutFragment(firstEntry.url) !== withoutFragment(capture.url);
    // Only answers from the archive have a date. A capture that is found, but whose body cannot be loaded, has none.
    if (!response.date) {
      const isFound = timestamp === capture.timestamp && !guessed;
      return { status: isFound ? "failed" : "not archived", detail: `${response.status} ${await response.text()}` };
    }
    return {
      status: String(response.status),
      body: hexadecimal(await crypto.subtle.digest("SHA-1", await response.arrayBuffer())),
      location: response.headers.get("location") || "",
      timestamp,
      guessed,
    };
  } catch (error) {
    return { status: "failed", detail: String(error) };
  }
}

async function answer({ loading, showing, name }) {
  if (loading) return load(loading);
  const answers = [];
  for (const capture of showing) answers.push(await show(name, capture)); // one at a time, because of firstEntry
  return answers;
}

self.addEventListener("message", (event) => {
  if (event.ports.length === 0) return; // for the player
  event.waitUntil(
    answer(event.data).then(
      (result) => event.ports[0].postMessage({ result }),
      (error) => event.ports[0].postMessage({ error: String(error.stack || error) }),
    ),
  );
});
