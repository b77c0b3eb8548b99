import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, drawn, renderPage, textOf } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { Button, LinkButton } = await import("./button.tsx");
const { CopyText } = await import("./copy-text.tsx");
const { CodeBlock } = await import("./code-block.tsx");
const { ConfirmDialog, Dialog } = await import("./dialog.tsx");

const nothing = async (): Promise<undefined> => undefined;
const attributesOf = (markup: string) => drawn(markup, "button")[0]?.attributes ?? {};

test("a button does not submit a form by default", () => {
  assert.equal(attributesOf(renderPage(h(Button, {}, "Do"))).type, "button");
  assert.equal(attributesOf(renderPage(h(Button, { type: "submit" }, "Do"))).type, "submit");
});

test("a busy button announces it and keeps the focus: it is not disabled, which would drop the focus", () => {
  const busy = attributesOf(renderPage(h(Button, { isBusy: true }, "Save")));
  assert.deepEqual(
    [busy["aria-busy"], busy["aria-disabled"], "disabled" in busy],
    ["true", "true", false],
  );
  const idle = attributesOf(renderPage(h(Button, {}, "Save")));
  assert.equal(idle["aria-busy"], undefined);
  assert.notEqual(idle["aria-disabled"], "true");
});

test("a button's look follows its kind, and is plain by default", () => {
  const classOf = (more: object) => attributesOf(renderPage(h(Button, more, "Do"))).class;
  assert.deepEqual([{}, { kind: "danger" }, { kind: "quiet", class: "small" }].map(classOf), [
    "button secondary",
    "button danger",
    "button quiet small",
  ]);
});

test("a link button is a link, and can be opened in another tab", () => {
  const [link] = drawn(
    renderPage(h(LinkButton, { href: "/dashboard/sites/new", kind: "primary" }, "New")),
    "a",
  );
  assert.deepEqual([link?.text, link?.attributes.href], ["New", "/dashboard/sites/new"]);
});

test("shows a key in full next to a button that names what it copies", () => {
  const key = "pk_0123456789abcdefghijkl";
  const markup = renderPage(h(CopyText, { value: key, label: "Site key" }));
  assert.equal(drawn(markup, "code")[0]?.text, key);
  assert.deepEqual(actionsOf(markup), ["Copy: Site key"]);
});

test("shows code as written, with markup and blanks, in a box that the keyboard reaches", () => {
  const code = '<script src="x"></script>\n  a && b';
  const markup = renderPage(h(CodeBlock, { code, language: "html", label: "HTML" }));
  assert.equal(
    drawn(markup, "code")[0]?.inner,
    "&lt;script src=&quot;x&quot;>&lt;/script>\n  a &amp;&amp; b",
  );
  const [box] = drawn(markup, "section");
  assert.deepEqual([box?.attributes.tabindex, box?.attributes["aria-label"]], ["0", "HTML (html)"]);
});

test("names a dialog by its heading, and keeps no content in it while it is closed, so no secret waits there", () => {
  const dialog = (isOpen: boolean) =>
    renderPage(h(Dialog, { title: "New link", isOpen, onClose: () => {}, children: "sk_secret" }));
  assert.doesNotMatch(dialog(false), /sk_secret|New link/);
  const open = dialog(true);
  const [heading] = drawn(open, "h2");
  assert.equal(heading?.text, "New link");
  assert.ok(open.includes(`aria-labelledby="${heading?.attributes.id}"`));
  assert.deepEqual(actionsOf(open), ["Close"]);
});

test("asks before an action that is hard to undo, and enables confirming after a required name is typed", () => {
  const ask = (typed?: string) =>
    renderPage(
      h(ConfirmDialog, {
        title: "Delete this site",
        confirmLabel: "Delete the site",
        isDanger: true,
        onConfirm: nothing,
        onClose: () => {},
        children: "All its keys die.",
        ...(typed !== undefined && { typed }),
      }),
    );
  const confirmOf = (markup: string) =>
    drawn(markup, "button").find(({ text }) => text === "Delete the site");
  assert.deepEqual(actionsOf(ask()), ["Close", "Cancel", "Delete the site"]);
  assert.equal("disabled" in (confirmOf(ask())?.attributes ?? {}), false);
  const typed = ask('Shop "<b>"');
  assert.ok("disabled" in (confirmOf(typed)?.attributes ?? {}));
  assert.match(confirmOf(typed)?.attributes.class ?? "", /danger/);
  assert.match(textOf(typed), /Type “Shop "<b>"” to confirm/);
  assert.doesNotMatch(typed, /<b>"/);
});
