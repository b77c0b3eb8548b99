import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  fieldsOf,
  NO_SCRIPT_HEADERS as HEADERS,
  noScriptVisitors,
  type ShownPage,
  tokenOf,
} from "@stile/testkit/contract/no-script-visitor";
import { SQLITE, startInProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";

const fixture = await startInProcess({ STILE_TRUSTED_PROXIES: "127.0.0.1" });
after(fixture.stop);
const { clock } = fixture;
const { newAddress, show, open, send, offering, waited } = noScriptVisitors(fixture);

const languageOf = ({ headers, text }: ShownPage) => {
  const [, language, direction] = /<html lang="([\w-]+)" dir="(ltr|rtl)">/.exec(text) ?? [];
  assert.equal(headers.get("content-language"), language);
  assert.equal(headers.get("vary"), "Accept-Language");
  assert.equal(headers.get("cache-control"), "no-store");
  return [language, direction];
};
const prefer = (language: string) => ({ "accept-language": language });

test("uses the browser's language on every page, from the wait to the code", async () => {
  const site = await offering();
  const address = newAddress();
  const german = prefer("de-CH, fr;q=0.7");
  const wait = await open({ sitekey: site.siteKey }, address, german);
  assert.deepEqual(
    [wait.title, ...languageOf(wait)],
    ["Bitte warten Sie 30 Sekunden", "de", "ltr"],
  );
  const early = await send(fieldsOf(wait), address, german);
  assert.deepEqual([early.title, ...languageOf(early)], ["Noch einen Augenblick", "de", "ltr"]);
  assert.match(
    early.text,
    /noch <strong>30 Sekunden<\/strong> und drücken Sie dann erneut auf „Weiter“/,
  );
  clock.advance(30_000);
  const done = await send(fieldsOf(wait), address, german);
  assert.deepEqual([done.title, ...languageOf(done)], ["Ihr Code ist da", "de", "ltr"]);
  assert.match(done.text, /innerhalb von 5 Minuten/);
  assert.ok(tokenOf(done));
});

test("writes Arabic, Persian and Hebrew pages from right to left, but not hosts and codes in them", async () => {
  const site = await offering();
  for (const language of ["ar", "fa", "he"]) {
    const { address, fields } = await waited(site, {}, prefer(language));
    const wait = await open({ sitekey: site.siteKey }, newAddress(), prefer(language));
    assert.deepEqual(languageOf(wait), [language, "rtl"]);
    assert.match(wait.text, /<strong dir="ltr">shop\.example<\/strong>/);
    assert.match(
      (await send(fields, address, prefer(language))).text,
      /<textarea id="code" dir="ltr"/,
    );
  }
});

test("prefers the site's language to the browser's, on refusals too", async () => {
  const italian = await offering({ language: "it", mode: "managed" });
  assert.equal(
    (await open({ sitekey: italian.siteKey }, newAddress(), prefer("de"))).title,
    "Attendere 30 secondi",
  );
  const foreign = { ...prefer("de"), referer: "https://evil.example/" };
  assert.deepEqual(languageOf(await open({ sitekey: italian.siteKey }, newAddress(), foreign)), [
    "it",
    "ltr",
  ]);
  const tool = { ...prefer("de"), "user-agent": "python-requests/2.32" };
  const { address, fields } = await waited(italian, {}, tool);
  assert.equal((await send(fields, address, tool)).title, "Nessun codice");
  assert.equal((await send(fields, address, tool)).title, "Ricominciare, per favore");
  const off = await newSite(fixture, { language: "it" });
  assert.equal(
    (await open({ sitekey: off.siteKey }, newAddress())).title,
    "Questo modulo richiede JavaScript",
  );
  const disabled = await offering({ language: "it", isEnabled: false });
  assert.deepEqual(languageOf(await open({ sitekey: disabled.siteKey }, newAddress())), [
    "it",
    "ltr",
  ]);
});

test("explains problems in the browser's language if no site is known", async () => {
  assert.equal(
    (await open({ sitekey: "nonsense" }, newAddress(), prefer("ja"))).title,
    "このリンクの先はありません",
  );
  assert.equal((await open({}, newAddress(), prefer("ja"))).title, "このリンクは不完全です");
  assert.equal(
    (await send({ sitekey: "x" }, newAddress(), prefer("ja"))).title,
    "このリンクは不完全です",
  );
  const put = await show("/noscript", { method: "PUT", headers: { ...HEADERS, ...prefer("ja") } });
  assert.deepEqual([put.status, ...languageOf(put)], [405, "ja", "ltr"]);
});

test("says in the visitor's language how long to wait over the limit (D18, no JavaScript)", async () => {
  const site = await offering();
  const address = newAddress();
  const waits = [];
  for (let i = 0; i < 6; i++)
    waits.push(await open({ sitekey: site.siteKey }, address, prefer("pl")));
  clock.advance(120_000);
  let refused = waits[0] as ShownPage;
  for (const wait of waits) refused = await send(fieldsOf(wait), address, prefer("pl"));
  assert.deepEqual([refused.status, refused.title], [429, "Jeszcze chwila"]);
  assert.match(
    refused.text,
    new RegExp(`Pozostało: <strong>${refused.headers.get("retry-after")} sekund`),
  );
});

test("explains a fault in the browser's language (D15, outage)", async () => {
  const broken = await startInProcess({}, SQLITE);
  after(broken.stop);
  await broken.store.close();
  const url = `${broken.baseUrl}/noscript?sitekey=pk_${"0".repeat(22)}`;
  const response = await fetch(url, { headers: { ...HEADERS, ...prefer("sv") } });
  assert.match(await response.text(), /<h1>Tjänsten har ett problem<\/h1>/);
});

test("names the owner's contact to a visitor without a code, in their language, and on no other page", async () => {
  const tool = { ...prefer("fr"), "user-agent": "python-requests/2.32" };
  const contacts = {
    "help@shop.example":
      '<a href="mailto:help@shop.example" dir="ltr" target="_blank" rel="noopener noreferrer">help@shop.example</a>',
    "https://shop.example/help?a=1&b=(2)":
      '<a href="https://shop.example/help?a=1&amp;b=(2)" dir="ltr" target="_blank" rel="noopener noreferrer">https://shop.example/help?a=1&amp;b=(2)</a>',
    "Call <b>us</b> & ask for 'Ada', please {0}":
      "<bdi>Call &lt;b&gt;us&lt;/b&gt; &amp; ask for &#39;Ada&#39;, please {0}</bdi>",
  };
  for (const [contact, shown] of Object.entries(contacts)) {
    const site = await offering({ contact });
    const { address, fields } = await waited(site, {}, tool);
    const wait = await open({ sitekey: site.siteKey }, address, tool);
    const blocked = await send(fields, address, tool);
    assert.deepEqual([blocked.status, blocked.title], [403, "Vous n’obtenez pas de code"]);
    assert.ok(blocked.text.includes(`<p>Contact : ${shown}</p>`), blocked.text);
    const person = await waited(site);
    const others = [
      wait,
      await send(fields, address, tool),
      await send(person.fields, person.address),
      await open({ sitekey: site.siteKey }, newAddress(), { referer: "https://evil.example/" }),
    ];
    assert.deepEqual(
      others.map(({ status }) => status),
      [200, 400, 200, 403],
    );
    for (const { text } of others) assert.doesNotMatch(text, /Contact|mailto|<bdi>|Ada/);
  }
  const silent = await offering();
  const { address, fields } = await waited(silent, {}, tool);
  assert.doesNotMatch((await send(fields, address, tool)).text, /Contact/);
});

test("keeps a stranger's language or an owner's setting from breaking or entering the page", async () => {
  const evil = [
    `"><script>alert(1)</script>`,
    "../../../../etc/passwd",
    "..%2f..%2fde",
    "de\u00a0<b>",
    `${"a-".repeat(3000)}de`,
    "x,".repeat(3000),
    ";;;;q=,,q=1;de",
    "__proto__",
  ];
  for (const header of evil) {
    const shown = await open({}, newAddress(), prefer(encodeURI(header)));
    assert.deepEqual([shown.status, ...languageOf(shown)], [400, "en", "ltr"], header.slice(0, 40));
    const raw = await open({}, newAddress(), prefer(header));
    assert.deepEqual([raw.status, languageOf(raw)[0]], [400, "en"], header.slice(0, 40));
    assert.doesNotMatch(raw.text, /<script|<b>|passwd/);
  }
});
