// A classic script, before all others: says so when a part of the page cannot be loaded, which would leave it mute.
(() => {
  /** @type {Set<string>} */ const missing = new Set();

  addEventListener(
    "error",
    (event) => {
      const part = event.target;
      const address =
        part instanceof HTMLScriptElement
          ? part.src
          : part instanceof HTMLLinkElement && part.rel === "stylesheet"
            ? part.href
            : "";
      if (!address) return;
      missing.add(new URL(address).pathname.split("/").pop() ?? address);
      if (document.readyState === "loading") addEventListener("DOMContentLoaded", show, { once: true });
      else show();
    },
    true,
  );

  function show() {
    document.getElementById("load-failed")?.remove();
    const bar = document.createElement("div");
    bar.id = "load-failed";
    bar.className = "load-failed";
    bar.setAttribute("role", "alert");
    bar.dataset.testid = "load-failed";
    const again = document.createElement("button");
    again.type = "button";
    again.className = "btn sm";
    again.textContent = "Load the page again";
    again.addEventListener("click", () => location.reload());
    bar.append(
      `A part of this page could not be loaded (${[...missing].join(", ")}), so it does not work as it should. The ` +
        `server may be starting anew. `,
      again,
    );
    document.body.prepend(bar);
  }
})();
