import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { pageSnippets } from "@stile/dashboard/features/sites/install/page-snippets";
import { serverSnippets } from "@stile/dashboard/features/sites/install/server-snippets";
import { checkTokenCode } from "@stile/protocol/check-token-code";
import { createProgram } from "@stile/server/cli/commands";
import { readConfig } from "@stile/server/config/config";
import { codeBlocks, readText } from "@stile/testkit/service/samples";
import { STYLES } from "@stile/widget/themes/styles";

const FACTS = {
  baseUrl: "https://stile.example",
  siteKey: "pk_0123456789abcdefghijkl",
  domains: ["shop.example"],
  mode: "invisible" as const,
  noScript: "wait" as const,
  theme: "dark" as const,
  language: "de",
  thresholds: { challenge: 0.3, block: 0.6 },
};
const guide = readdirSync("docs/guide").filter((name) => name.endsWith(".md"));
const PATHS = [
  "README.md",
  ...guide.map((name) => `docs/guide/${name}`),
  "packages/dashboard/features/sites/text.ts",
  "packages/dashboard/features/account/text.ts",
  "packages/dashboard/features/account/sign-in/link-text.ts",
  "packages/demo/pages/demo-pages.ts",
  "packages/demo/pages/demo-routes.ts",
];

/** Every text that teaches how to use Stile, by its name. */
const texts = new Map([
  ...PATHS.map((path) => [path, readText(path)] as const),
  ...[...pageSnippets(FACTS), ...serverSnippets(FACTS)].map(
    ({ label, code }) => [`snippet ${label}`, code] as const,
  ),
]);

/**
 * Names that our texts tell customers' pages and servers to use, in addition to settings; the
 * widget's own custom properties.
 */
const WORDS = [
  "stile-response",
  "stile-captcha",
  "stile-data",
  "stile-probe",
  ...(STYLES.match(/\bstile-[a-z]+/g) ?? []),
];

function occurrences(pattern: RegExp): readonly (readonly [string, string])[] {
  return [...texts].flatMap(([name, text]) =>
    [...text.matchAll(pattern)].map(([, word = ""]) => [name, word] as const),
  );
}

test("every STILE_ name in our texts is a setting, or the one name of a site's secret key (D17, settings)", () => {
  const found = occurrences(/\b(STILE_[A-Z_]+)\b/g);
  assert.ok(found.length > 15);
  for (const [name, word] of found) {
    const reading = readConfig({ [word]: "" });
    assert.equal(reading.kind, "config", `${name}: ${word} is neither a setting nor STILE_SECRET`);
  }
  const servers = [...texts].filter(
    ([name, text]) => name.startsWith("snippet") && text.includes("token/verify"),
  );
  for (const [name, text] of [...servers, ["README", texts.get("README.md") ?? ""] as const]) {
    assert.deepEqual(new Set(text.match(/\bSTILE_SECRET\w*/g)), new Set(["STILE_SECRET"]), name);
    assert.match(text, /\bstile-response\b/, name);
  }
});

test("the field, the element and the directory have one spelling", () => {
  const found = occurrences(/\b(stile[-_][a-z]+)/g).filter(([, word]) => !WORDS.includes(word));
  assert.deepEqual(found, []);
  const foreign = occurrences(/\b(stileResponse|g-recaptcha-response|data-sitekey)\b/gi);
  // These pages are about the markup of other vendors.
  const isAboutOthers = /^docs\/guide\/(move-from-[\w-]+|applications)\.md$/;
  assert.deepEqual(
    foreign.filter(([name]) => !isAboutOthers.test(name)),
    [],
  );
});

test("README, Install page and guide share one checkToken", () => {
  const pages = [
    { name: "README.md", baseUrl: "http://localhost:8787", hosts: '["localhost"]' },
    {
      name: "docs/guide/samples.md",
      baseUrl: "https://captcha.example.org",
      hosts: '["shop.example"]',
    },
    ...["Express", "Fastify", "Next"].map((label) => {
      return { name: `snippet ${label}`, baseUrl: FACTS.baseUrl, hosts: '["shop.example"]' };
    }),
  ];
  for (const { name, ...facts } of pages)
    assert.ok(texts.get(name)?.includes(checkTokenCode(facts)), name);
});

test("every command in our texts exists", () => {
  const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };
  const names = occurrences(/npm run (?:--silent )?([\w:]+)/g);
  assert.ok(names.length > 5);
  for (const [name, script] of names) assert.ok(scripts[script], `${name}: npm run ${script}`);
  const commands = createProgram(async () => {}).commands.map((command) => command.name());
  for (const [name, command] of occurrences(/npm run (?:--silent )?stile -- ([\w-]+)/g)) {
    assert.ok(command === "help" || commands.includes(command), `${name}: ${command}`);
  }
});

test("every code block of README and guide is in a language that a test runs", () => {
  const blocks = ["README.md", ...guide.map((name) => `docs/guide/${name}`)].flatMap((path) =>
    codeBlocks(readText(path)),
  );
  assert.ok(blocks.length >= 4);
  const ran = ["sh", "html", "js", ...serverSnippets(FACTS).map(({ language }) => language)];
  // The one block of jsx is the dashboard's, as all of docs/guide/samples.md is.
  for (const { language, code } of blocks) assert.ok([...ran, "jsx"].includes(language), code);
});
