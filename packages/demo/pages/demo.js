// Fills this service's address into the lines to copy, and marks the widget's steps. The form works
// without this script.
for (const node of document.querySelectorAll("[data-origin]")) node.textContent = location.origin;

const steps = [...document.querySelectorAll("[data-step]")];

document.addEventListener("stile:statechange", (event) => {
  const state = event.detail.state === "interactive" ? "solving" : event.detail.state;
  const reached = steps.findIndex((step) => step.dataset.step === state);
  steps.forEach((step, index) => {
    step.classList.toggle("done", index < reached || (index === reached && state === "verified"));
    step.classList.toggle("now", index === reached && state !== "verified");
  });
});
