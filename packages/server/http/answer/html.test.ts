import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "./html.ts";

test("escapes inserted text so that it can neither begin nor end an element or an attribute", () => {
  const text = `"><script>alert('&')</script>`;
  const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;";
  assert.equal(html`<a title="${text}">${text}</a>`.markup, `<a title="${escaped}">${escaped}</a>`);
});

test("keeps inserted markup, and escapes the texts in it once", () => {
  const inner = html`<b>${"a & b"}</b>`;
  assert.equal(html`<p>${inner}${"<"}\n${html``}</p>`.markup, "<p><b>a &amp; b</b>&lt;\n</p>");
});
