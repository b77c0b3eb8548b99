// Shows the widget's events with their times, and acts as the page that sends the form. The form
// works without this script.
for (const node of document.querySelectorAll("[data-origin]")) node.textContent = location.origin;

const find = (selector) => document.querySelector(selector);
const form = find("#form");
const { failure } = form.dataset;

/** The widget's events that are shown. */
const EVENTS = ["statechange", "verified", "expired", "error", "interactive", "unsupported"];
const WORKING = ["loading", "solving", "interactive", "verifying"];
/** By this time, in ms, a token of the failure "expired" has expired. */
const SHORT_LIFE_MS = 6_000;

const numbers = new Intl.NumberFormat("en");
const milliseconds = (ms) => `${numbers.format(Math.round(ms))} ms`;

let startedMs;
let state = "idle";
let enteredMs = 0;
let verifiedMs = 0;
let spans = {};

const spanNode = (name) => find(`[data-span="${name}"]`);

function begin(nowMs) {
  startedMs = nowMs;
  spans = {};
  for (const node of document.querySelectorAll("[data-span]")) node.textContent = "…";
}

/** Adds the time in the present state to its span. Waiting for a click does not count as work. */
function measure(next, nowMs) {
  if (WORKING.includes(next) && !WORKING.includes(state)) begin(nowMs);
  else if (spanNode(state)) {
    spans[state] = (spans[state] ?? 0) + nowMs - enteredMs;
    spanNode(state).textContent = milliseconds(spans[state]);
  }
  state = next;
  enteredMs = nowMs;
  if (WORKING.includes(next)) return;
  for (const node of document.querySelectorAll("[data-span]")) {
    if (node.textContent === "…") node.textContent = "–";
  }
  if (next !== "verified") return;
  verifiedMs = nowMs;
  spanNode("all").textContent = milliseconds(nowMs - startedMs);
}

/** The detail of an event, with the token shortened. */
function detailOf(detail) {
  const told = detail.token === undefined ? detail : { token: `${detail.token.slice(0, 12)}…` };
  return Object.entries(told ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
}

function write(name, detail, nowMs) {
  const log = find("#log");
  if (log.querySelector("[colspan]")) log.replaceChildren();
  const row = log.insertRow();
  for (const text of [numbers.format(Math.round(nowMs - (startedMs ?? nowMs))), name, detail]) {
    row.insertCell().textContent = text;
  }
}

for (const name of EVENTS) {
  document.addEventListener(`stile:${name}`, ({ detail }) => {
    const nowMs = performance.now();
    if (name === "statechange") measure(detail.state, nowMs);
    write(`stile:${name}`, detailOf(detail ?? {}), nowMs);
  });
}

let requests = 0;
let bytes = 0;
new PerformanceObserver((list) => {
  for (const { name, transferSize, serverTiming } of list.getEntries()) {
    if (!new URL(name).pathname.startsWith("/playground/as/")) continue;
    requests += 1;
    bytes += transferSize;
    const work = serverTiming.find((timing) => timing.name === "work");
    if (work) find("[data-work]").textContent = work.description;
  }
  find("[data-requests]").textContent =
    `${requests} (${numbers.format(Math.round(bytes / 1000))} KB)`;
}).observe({ type: "resource", buffered: true });

/** Redeems the token as the form's server does; returns the answer it got. */
async function redeem(token) {
  const response = await fetch("/demo/submit", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ "stile-response": token }),
  });
  return await response.json();
}

function meaningOf({ passed, answer }) {
  if (passed) return "Verified. The token is now used up.";
  return answer
    ? `Refused: ${answer.reasonCode ?? answer.error?.code ?? "no token"}.`
    : "No verdict: the service did not answer.";
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const outcome = find("#outcome");

async function send(token) {
  if (failure === "expired" && verifiedMs > 0) {
    outcome.textContent = "Waiting for the token to expire…";
    await pause(verifiedMs + SHORT_LIFE_MS - performance.now());
  }
  const answers = [await redeem(token)];
  if (failure === "used_twice") answers.push(await redeem(token));
  outcome.textContent = answers.map(meaningOf).join(" Again: ");
  const shown = find("#answers");
  shown.textContent = answers
    .map(({ status, answer }) => `HTTP ${status}\n${JSON.stringify(answer, null, 2)}`)
    .join("\n\n");
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const token = new FormData(form).get("stile-response") ?? "";
  write("submit", token === "" ? "without a token" : "", performance.now());
  send(token).catch(() => {
    outcome.textContent = "The form's server could not be reached. Submit the form again.";
  });
});

if (navigator.clipboard) {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const label = button.textContent;
      await navigator.clipboard.writeText(find(`#${button.dataset.copy}`).textContent);
      button.textContent = "Copied";
      await pause(1_500);
      button.textContent = label;
    });
  }
}
