import assert from "node:assert/strict";
import { test } from "node:test";
import { readArguments } from "./arguments.ts";

const SITE = ["--site-key", "pk_x", "--origin", "https://shop.example"];

test("reads a store with the defaults, and a deployment with the secret from the environment", () => {
  assert.deepEqual(readArguments(["--store", "postgres", "--tokens", "20000"], undefined), {
    kind: "store",
    store: "postgres",
    servers: 3,
    tokens: 20_000,
    kills: 20,
    isJson: false,
  });
  assert.deepEqual(
    readArguments(
      ["--target", "https://a.example/", "--target", "http://b:1", ...SITE, "--json"],
      "sk_x",
    ),
    {
      kind: "deployment",
      deployment: {
        urls: ["https://a.example", "http://b:1"],
        siteKey: "pk_x",
        secretKey: "sk_x",
        origin: "https://shop.example",
      },
      tokens: 10,
      isJson: true,
    },
  );
});

const REFUSED: readonly [readonly string[], RegExp][] = [
  [[], /Say --store sqlite/],
  [["--store", "redis"], /Say --store sqlite or --store postgres/],
  [["--store", "sqlite", "--servers", "3"], /SQLite has one server/],
  [["--store", "postgres", "--servers", "0"], /--servers must be a whole number from 1 to 8/],
  [["--store", "postgres", "--kills", "many"], /--kills must be/],
  [["--store", "sqlite", ...SITE], /belong to --target/],
  [["--target", "a.example", ...SITE], /--target must be an address/],
  [["--target", "https://a.example"], /needs --site-key and --origin/],
  [["--target", "https://a.example", ...SITE, "--kills", "3"], /takes none/],
  [["--target", "https://a.example", ...SITE, "--tokens", "1000"], /from 1 to 50/],
  [["--shop"], /--shop/],
];

for (const [args, expected] of REFUSED) {
  test(`refuses "${args.join(" ")}" in a sentence`, () => {
    const order = readArguments(args, "sk_x");
    assert.ok(order.kind === "problem");
    assert.match(order.problem, expected);
  });
}

test("never takes a deployment's secret as an argument, which others on the machine could read", () => {
  const order = readArguments(["--target", "https://a.example", ...SITE], undefined);
  assert.ok(order.kind === "problem");
  assert.match(order.problem, /STILE_SECRET/);
});
