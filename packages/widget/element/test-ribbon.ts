/** The ribbon's looks. They are set one by one, because a page's policy may refuse style sheets. */
const LOOKS: Partial<CSSStyleDeclaration> = {
  position: "absolute",
  insetBlockEnd: "-.5em",
  insetInlineEnd: "1em",
  padding: "0 .6em",
  border: "1px solid",
  borderRadius: "1em",
  background: "#ffd54a",
  color: "#1b2a22",
  font: "600 max(11px, .6875rem)/1.5 system-ui, sans-serif",
  pointerEvents: "none",
};

/**
 * Shows on a widget that it has a test site key (D19, test keys), until it gets another key. It is
 * in English, since it is for developers.
 */
export function showRibbon(element: Element): void {
  const box = element.shadowRoot?.querySelector(".box");
  if (!box || box.querySelector(".test")) return;
  const ribbon = document.createElement("span");
  ribbon.className = "test";
  ribbon.lang = "en";
  ribbon.textContent = "Test mode";
  Object.assign(ribbon.style, LOOKS);
  box.append(ribbon);
  new MutationObserver((_, observer) => {
    ribbon.remove();
    observer.disconnect();
  }).observe(element, { attributeFilter: ["sitekey", "data-sitekey"] });
}
