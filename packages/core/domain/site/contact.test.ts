import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseContact } from "./contact.ts";

const addressOf = (text: string): string | undefined => parseContact(text)?.address;

test("an email address becomes a mailto link, an https address a link, and a text neither (D13, formats)", () => {
  assert.deepEqual(parseContact("help@shop.example"), {
    text: "help@shop.example",
    address: "mailto:help@shop.example",
  });
  for (const address of [
    "https://shop.example",
    "https://shop.example:8443/help?from=captcha&a=(b)#now",
    "https://xn--mnchen-3ya.example/%E2%9C%93",
    "https://192.0.2.7/x",
    "https://[2001:db8::1]/x",
    "HTTPS://Shop.Example/Help",
  ]) {
    assert.equal(addressOf(address), address);
  }
  const texts = [
    "Call +49 30 1234567, Monday to Friday",
    "Phone: 0800 123",
    "Write to help@shop.example",
    "Filiale am Markt, Schalter 3",
    "مكتب المساعدة، الطابق ٢",
    "با ما تماس بگیرید: می\u200cآییم",
    "Rufen Sie an ☎️ 👩\u200d💻",
    "shop.example/help",
    'a <b>bold</b> & "quoted" text',
  ];
  for (const text of texts) assert.deepEqual(parseContact(text), { text, address: undefined });
});

test("addresses of any other kind are refused, even as a text", () => {
  for (const text of [
    "javascript:alert(1)",
    "JavaScript:alert(1)//https://shop.example",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://shop.example/1",
    "file:///etc/passwd",
    "http://shop.example/",
    "ftp://shop.example/",
    "mailto:help@shop.example?bcc=evil@evil.example",
    "tel:+49301234567",
    "intent://x#Intent;end",
    "https:shop.example",
    "https:/shop.example",
    "https:\\\\shop.example",
  ]) {
    assert.equal(parseContact(text), undefined, text);
  }
});

test("no address names another host than it seems to", () => {
  for (const text of [
    "https://bank.example@evil.example/",
    "https://bank.example:x@evil.example/",
    "https://bank.example\\@evil.example/",
    "https://evil.example/ https://bank.example",
    "https://evil_example..example/",
    "https:///evil.example",
    "https://",
    "https://münchen.example/",
    "https://bank.example\u2044.evil.example/",
    "https://0x7f.1/",
    'https://shop.example/"onmouseover=alert(1)',
    "https://shop.example/<script>",
    "https://shop.example/`x`",
  ]) {
    assert.equal(parseContact(text), undefined, text);
  }
});

test("an email address sets only its receiver", () => {
  assert.equal(
    addressOf("a?bcc=x&b%20c+d@shop.example"),
    "mailto:a%3Fbcc%3Dx%26b%2520c%2Bd@shop.example",
  );
  assert.equal(addressOf("o'neil/x#y@shop.example"), "mailto:o%27neil%2Fx%23y@shop.example");
  for (const text of [
    "help@localhost",
    "help@127.0.0.1",
    "help@shop",
    "a@b@shop.example",
    "@shop.example",
    "help@",
  ]) {
    assert.equal(addressOf(text), undefined, text);
  }
});

test("invisible characters, and those that change how the rest reads, are refused", () => {
  const signs = [
    ..."\u0000\u0007\t\n\r\u001b\u007f\u0085\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202d\u202e",
    ..."\u2060\u2063\u2066\u2067\u2068\u2069\ufeff\ufff9\ue000\ud800",
    "\u{e0041}",
    "\u{f0000}",
  ];
  for (const sign of signs) {
    for (const text of [
      `Call ${sign}us`,
      `help${sign}@shop.example`,
      `https://shop.example/${sign}`,
    ]) {
      assert.equal(parseContact(text), undefined, JSON.stringify(text));
    }
  }
});

test("an empty contact and one of more than 200 characters are refused", () => {
  assert.equal(parseContact(""), undefined);
  for (const sign of ["x", "é", "😀"]) {
    assert.ok(parseContact(sign.repeat(200)));
    assert.equal(parseContact(sign.repeat(201)), undefined);
  }
  assert.equal(parseContact("x".repeat(10_240)), undefined);
  assert.equal(parseContact(`https://shop.example/${"x".repeat(10_240)}`), undefined);
});

test("for any input, an address is mailto or https, and a browser reads it so", () => {
  const start = fc.constantFrom(
    "",
    "https://",
    "mailto:",
    "javascript:",
    "a@",
    "https://a.example/",
  );
  fc.assert(
    fc.property(start, fc.string({ unit: "grapheme", maxLength: 40 }), (prefix, rest) => {
      const contact = parseContact(prefix + rest);
      if (contact?.address === undefined) {
        assert.ok(contact === undefined || !/^[a-z][a-z\d+.-]*:\S/i.test(contact.text));
        return;
      }
      const { protocol, username, password } = new URL(contact.address);
      assert.ok(protocol === "https:" || protocol === "mailto:", contact.address);
      assert.equal(username + password, "");
      if (protocol === "mailto:") assert.equal(new URL(contact.address).search, "");
    }),
    { numRuns: 2000, seed: 20261123 },
  );
});
