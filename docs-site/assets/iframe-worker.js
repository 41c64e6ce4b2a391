// Search without a server: browsers do not start workers from files on disk. Where the site is opened as a file, this
// Worker runs its script in a hidden frame, and passes messages as a worker would. The script of the search imports no
// others.
(function () {
  "use strict";
  if (location.protocol !== "file:") return;

  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.onerror = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentWindow;
      // The global functions by which the script listens and answers.
      this.listeners = [];
      inside.addEventListener = (kind, listener) => {
        if (kind === "message") this.listeners.push(listener);
      };
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      // Messages that are sent before the script has been read wait for it.
      this.ready = new Promise((resolve) => {
        const script = inside.document.createElement("script");
        script.src = new URL(url, location.href).href;
        script.onload = resolve;
        script.onerror = (event) => {
          if (this.onerror) this.onerror(event);
        };
        inside.document.body.appendChild(script);
      });
    }

    postMessage(data) {
      this.ready.then(() => {
        for (const listener of this.listeners) listener.call(this.frame.contentWindow, { data });
      });
    }

    terminate() {
      this.frame.remove();
    }
  }

  window.Worker = FrameWorker;
})();
