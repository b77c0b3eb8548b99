import assert from "node:assert/strict";
import { test } from "node:test";
import { type PageFacts, pageSnippets } from "./page-snippets.ts";

const FACTS: PageFacts = {
  baseUrl: "https://stile.example",
  siteKey: "pk_0123456789abcdefghijkl",
  mode: "managed",
  noScript: "off",
  theme: "auto",
  language: "auto",
};

test("every page part names this service and this site, and has a form with the service's own field name", () => {
  const snippets = pageSnippets(FACTS);
  assert.deepEqual(
    snippets.map(({ label }) => label),
    ["HTML", "React", "Vue"],
  );
  for (const { code, label } of snippets) {
    assert.ok(code.includes("https://stile.example/stile.js"), label);
    assert.ok(code.includes(`<stile-captcha sitekey="${FACTS.siteKey}"`), label);
    assert.match(code, /method="post"/, label);
  }
});

test("a page reserves room for the widget before its script is there, so that nothing moves", () => {
  for (const { code, label } of pageSnippets(FACTS)) {
    assert.match(
      code,
      /stile-captcha:not\(:defined\) \{ display: block; min-height: 66px \}/,
      label,
    );
  }
  for (const { code, label } of pageSnippets({ ...FACTS, mode: "invisible" }))
    assert.doesNotMatch(code, /66px/, label);
});

test("a page of a site with an invisible widget reserves no room for it", () => {
  for (const { code, label } of pageSnippets({ ...FACTS, mode: "invisible" })) {
    assert.match(code, /<stile-captcha sitekey="[^"]+" size="invisible"/, label);
  }
});

test("a page has a link and a field for visitors without JavaScript only if the site allows them (D18, no JavaScript)", () => {
  for (const { code, label } of pageSnippets(FACTS))
    assert.doesNotMatch(code, /noscript|stile-response/, label);
  for (const { code, label } of pageSnippets({ ...FACTS, noScript: "wait" })) {
    const inside = /<noscript>(.*)<\/noscript>/s.exec(code)?.[1] ?? "";
    assert.ok(
      inside.includes(
        `href="https://stile.example/noscript?sitekey=${FACTS.siteKey}" target="_blank"`,
      ),
      label,
    );
    assert.match(inside, /<input name="stile-response" aria-label="Code" required( \/)?>/, label);
    assert.ok(code.indexOf("<noscript>") > code.indexOf("<stile-captcha"), label);
    assert.ok(code.indexOf("</noscript>") < code.indexOf("</form>"), label);
  }
});

test("a page names the site's theme or language, since the service sends them only with the challenge (D13, formats)", () => {
  const tagsOf = (facts: Partial<PageFacts>) =>
    pageSnippets({ ...FACTS, ...facts }).map(
      ({ code }) => /<stile-captcha( [^/>]*\w")/.exec(code)?.[1],
    );
  const own = ` sitekey="${FACTS.siteKey}"`;
  assert.deepEqual(tagsOf({}), [own, own, own]);
  assert.equal(tagsOf({ theme: "dark" })[0], `${own} theme="dark"`);
  assert.equal(tagsOf({ language: "pt-BR" })[1], `${own} language="pt-BR"`);
  const all = `${own} size="invisible" theme="contrast" language="de"`;
  assert.equal(tagsOf({ mode: "invisible", theme: "contrast", language: "de" })[2], all);
});

test("a page leaves out a language from before there was a list, since it may be no language", () => {
  for (const { code } of pageSnippets({ ...FACTS, language: 'x" onclick="alert(1)' })) {
    assert.doesNotMatch(code, /language=|onclick/);
  }
});

test("no part holds a secret key (D13, formats)", () => {
  for (const { code, label } of pageSnippets(FACTS))
    assert.doesNotMatch(code, /secret|sk_/i, label);
});
