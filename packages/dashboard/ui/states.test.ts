import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, drawn, renderPage, textOf } from "@stile/testkit/page/render-page";
import { type FunctionComponent, h } from "preact";

const { Empty, Failed, Loading } = await import("./states.tsx");
const { Notice } = await import("./notice.tsx");
const { Page, Panel } = await import("./page.tsx");
const { lazyPage } = await import("./lazy-page.tsx");

const ERROR = { code: "internal_error", message: "Something broke.", request_id: "r-77" } as const;

test("announces a failure at once: the reason, the id to quote, and a way to try again", () => {
  const markup = renderPage(h(Failed, { error: ERROR, onRetry: () => {} }));
  assert.match(markup, /role="alert"/);
  assert.equal(
    textOf(markup),
    "Error: Something went wrong Something broke. Request ID: r-77 Try again",
  );
  assert.deepEqual(actionsOf(markup), ["Try again"]);
});

test("shows no request id that nobody could look up, and no button that does nothing", () => {
  const markup = renderPage(h(Failed, { error: { ...ERROR, request_id: "" } }));
  assert.doesNotMatch(markup, /Request ID|<button/);
  assert.match(
    textOf(renderPage(h(Failed, { error: undefined }))),
    /^Error: Something went wrong$/,
  );
});

test("shows the service's words as text, never as markup", () => {
  const message = '<img src=x onerror="alert(1)">';
  for (const markup of [
    renderPage(h(Failed, { error: { ...ERROR, message, request_id: message } })),
    renderPage(h(Notice, { kind: "error", title: message, children: message })),
    renderPage(h(Empty, { title: message, children: message })),
    renderPage(h(Page, { title: message, intro: message })),
    renderPage(h(Panel, { title: message, intro: message })),
  ]) {
    assert.doesNotMatch(markup, /<img/);
    assert.equal(textOf(markup).split(message).length - 1, 2, markup);
  }
});

test("names the kind of a notice in a word, not by colour alone, and interrupts only for errors", () => {
  const words = { info: "Note", success: "Done", warning: "Warning", error: "Error" } as const;
  for (const [kind, word] of Object.entries(words)) {
    const markup = renderPage(h(Notice, { kind: kind as keyof typeof words, children: "Body" }));
    assert.equal(textOf(markup), `${word}: Body`);
    assert.equal(markup.includes('role="alert"'), kind === "error", kind);
  }
});

test("announces loading politely, with its subject if known; the spinner is only visual", () => {
  const [said] = drawn(renderPage(h(Loading, { label: "Counting" })), "p");
  assert.deepEqual([said?.text, said?.attributes.role], ["Counting…", "status"]);
  assert.match(said?.inner ?? "", /aria-hidden="true"/);
  assert.equal(textOf(renderPage(h(Loading as FunctionComponent, {}))), "Loading…");
});

test("explains an empty page and offers the first step", () => {
  const action = h("a", { href: "/dashboard/sites/new" }, "Create");
  assert.equal(
    textOf(renderPage(h(Empty, { title: "No sites yet", action, children: "Make one." }))),
    "No sites yet Make one. Create",
  );
});

test("gives a page one first-level heading that can take the focus, and names a panel by its own", () => {
  const panel = (title: string) => h(Panel, { title, actions: h("button", {}, "Do") });
  const markup = renderPage(
    h(Page, { title: "Shop", intro: "Intro", children: [panel("One"), panel("Two")] }),
  );
  const [heading, ...others] = drawn(markup, "h1");
  assert.deepEqual([heading?.text, heading?.attributes.tabindex, others.length], ["Shop", "-1", 0]);
  const titles = drawn(markup, "h2");
  const named = [...markup.matchAll(/aria-labelledby="([^"]+)"/g)].map(([, id]) => id);
  assert.deepEqual(
    titles.map(({ attributes }) => attributes.id),
    named,
  );
  assert.equal(new Set(named).size, 2);
});

test("says that a page loads while its code is still on its way", () => {
  const Later = lazyPage(async () => () => h("p", {}, "Here"));
  assert.equal(textOf(renderPage(h(Later, {}))), "Loading…");
});
