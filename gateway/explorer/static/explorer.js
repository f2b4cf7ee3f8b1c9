// Streams an answer into the page. Every form works without this file: it only makes the wait show what is there.
const form = document.querySelector("form[data-stream]");
let shown = location.search;

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const place = document.getElementById("answer");
  const query = new URLSearchParams(new FormData(form));
  const page = `${form.action.split("?")[0]}?${query}`;
  const text = document.createElement("div");
  text.className = "told busy";
  text.textContent = "Looking through memory… ";
  place.replaceChildren(text);
  place.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.dataset.stream}?${query}`);
    if (!answer.ok || !answer.headers.get("content-type").startsWith("application/x-ndjson")) throw answer.status;
    let came = "";
    for await (const line of lines(answer.body)) {
      const item = JSON.parse(line);
      if (item.text !== undefined) text.textContent = came += item.text;
      // Made by the server from the same template as the whole page, everything in it escaped there.
      if (item.html !== undefined) place.innerHTML = item.html;
    }
    history.pushState(null, "", page);
    shown = location.search;
    document.title = `${query.get("q")} · Candor`;
  } catch {
    location.assign(page); // the page says what is wrong, with its status
  } finally {
    place.setAttribute("aria-busy", "false");
  }
});

// Back to a question that was streamed: its page is made anew. A jump within a page is none of it.
addEventListener("popstate", () => location.search !== shown && location.reload());

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    yield* parts.filter(Boolean);
  }
  if (rest) yield rest;
}
