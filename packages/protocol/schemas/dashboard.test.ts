import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SiteSettingsData } from "../dashboard-api.ts";
import { DECISION_FILTERS, DECISION_LABELS, RANGES } from "../dashboard-statistics.ts";
import { ROLES_IN_ORDER } from "../roles.ts";
import * as schemas from "./dashboard.ts";

type Fields = Readonly<Record<string, unknown>>;
type Body = {
  readonly schema: schemas.Schema<unknown>;
  /** The smallest valid body. */
  readonly least: Fields;
  /** Fields that may be added. */
  readonly more?: Fields;
  /** Texts by their path, with their greatest length. */
  readonly texts: Readonly<Record<string, number>>;
};

const SETTINGS: SiteSettingsData = {
  name: "Shop",
  domains: ["shop.example"],
  mode: "invisible",
  theme: "dark",
  language: "pt-BR",
  isEnabled: false,
  tokenLifeSeconds: 60,
  binding: "strict_family",
  thresholds: { challenge: 0.2, block: 0.9 },
  difficultyOffset: -1,
  signedAgents: "judge",
  verifyPerMinute: null,
  scorePerMinute: 5,
  scoreSignals: "none",
  onUnavailable: "block",
  noScript: "wait",
  contact: "help@shop.example",
};
const { name, domains, ...otherSettings } = SETTINGS;

const passkey = { ticket: "t", response: { id: "x", response: { clientDataJSON: "e30" } } };
const puzzle = { challenge: "QUJD", solution: "QUJD" };
const proof = { currentPassword: "p", passkey };
const proofTexts = { currentPassword: 1024, "passkey.ticket": 4096 };
const settingTexts = { name: 256, language: 64, contact: 512, "domains.0": 512 };

/** All bodies of the private endpoints. */
const BODIES: Readonly<Record<string, Body>> = {
  signIn: {
    schema: schemas.signInSchema,
    least: { email: "ada@example.org", password: "p" },
    more: { code: "123456", puzzle },
    texts: {
      email: 320,
      password: 1024,
      code: 64,
      "puzzle.challenge": 256,
      "puzzle.solution": 256,
    },
  },
  passkeySignIn: { schema: schemas.passkeySignInSchema, least: passkey, texts: { ticket: 4096 } },
  password: { schema: schemas.passwordSchema, least: { password: "p" }, texts: { password: 1024 } },
  link: { schema: schemas.linkSchema, least: { token: "t" }, texts: { token: 256 } },
  acceptLink: {
    schema: schemas.acceptLinkSchema,
    least: { token: "t", email: "ada@example.org", name: "Ada", password: "p" },
    more: { code: "123456", passkey },
    texts: { token: 256, email: 320, name: 256, password: 1024, code: 64, "passkey.ticket": 4096 },
  },
  newPassword: {
    schema: schemas.newPasswordSchema,
    least: { password: "p" },
    more: proof,
    texts: { password: 1024, ...proofTexts },
  },
  reset: {
    schema: schemas.resetSchema,
    least: {},
    more: { removeSecondFactors: true, ...proof },
    texts: proofTexts,
  },
  demand: { schema: schemas.demandSchema, least: { isDemanded: false }, texts: {} },
  profile: {
    schema: schemas.profileSchema,
    least: { name: "Ada", email: "a@b" },
    texts: { name: 256, email: 320 },
  },
  totpConfirmation: {
    schema: schemas.totpConfirmationSchema,
    least: { ticket: "t", code: "123456" },
    texts: { ticket: 4096, code: 64 },
  },
  newPasskey: {
    schema: schemas.newPasskeySchema,
    least: { ...passkey, name: "Laptop" },
    texts: { ticket: 4096, name: 256 },
  },
  role: { schema: schemas.roleSchema, least: { role: "viewer" }, texts: {} },
  newSite: {
    schema: schemas.newSiteSchema,
    least: { name, domains },
    more: otherSettings,
    texts: settingTexts,
  },
  siteChange: {
    schema: schemas.siteChangeSchema,
    least: { revision: 0 },
    more: SETTINGS,
    texts: settingTexts,
  },
  siteDeletion: {
    schema: schemas.siteDeletionSchema,
    least: { name: "Shop" },
    texts: { name: 256 },
  },
  label: { schema: schemas.labelSchema, least: { label: null }, texts: {} },
};

/** The same fields with another value at a path such as "puzzle.challenge". */
function withValue(fields: Fields, path: string, value: unknown): Fields {
  const copy = structuredClone(fields) as Record<string, unknown>;
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  let at = copy;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  at[last] = value;
  return copy;
}

const problemsOf = (schema: schemas.Schema<unknown>, input: unknown) => {
  const { error } = schema.safeParse(input);
  return error === undefined ? [] : schemas.problemsOf(error);
};

for (const [title, { schema, least, more = {}, texts }] of Object.entries(BODIES)) {
  const full = { ...least, ...more };

  test(`${title}: returns the smallest and the largest valid body unchanged`, () => {
    assert.deepEqual(schema.parse(least), least);
    assert.deepEqual(schema.parse(full), full);
  });

  test(`${title}: names the field that is missing or of another type`, () => {
    for (const field of Object.keys(least)) {
      const { [field]: _, ...rest } = least;
      assert.deepEqual(
        problemsOf(schema, rest).map((problem) => problem.field),
        [field],
      );
    }
    for (const field of Object.keys(full)) {
      const problems = problemsOf(schema, { ...full, [field]: () => 1 });
      assert.ok(
        problems.length > 0 && problems.every((problem) => problem.field.startsWith(field)),
        field,
      );
    }
    for (const body of [undefined, null, [], "text", 7])
      assert.notEqual(problemsOf(schema, body).length, 0);
  });

  test(`${title}: drops fields that its route does not name, including names of prototypes`, () => {
    const extra = JSON.parse(
      '{"__proto__":{"role":"owner"},"constructor":{},"accountId":"a","userId":"u"}',
    );
    const parsed = schema.parse({
      ...full,
      ...extra,
      ...JSON.parse('{"__proto__":{"role":"owner"}}'),
    });
    assert.deepEqual(parsed, full);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
  });

  for (const [path, max] of Object.entries(texts)) {
    test(`${title}: limits ${path} to ${max} characters, all of them whole`, () => {
      const problemsWith = (value: unknown) => problemsOf(schema, withValue(full, path, value));
      assert.deepEqual(problemsWith("x".repeat(max)), []);
      assert.deepEqual(problemsWith("x".repeat(max + 1)), [
        { field: path, message: `Use at most ${max} characters.` },
      ]);
      assert.deepEqual(
        problemsWith("\ud83e\udd8a \u0001 \u202e"),
        [],
        "whole characters, however odd, are for the rules",
      );
      for (const half of ["\ud83e", "\udd8a\ud83e", "a\udfff"]) {
        assert.deepEqual(problemsWith(half), [{ field: path, message: "Use whole characters." }]);
      }
      assert.deepEqual(problemsWith("a\u0000b"), [
        { field: path, message: "Leave out the character NUL." },
      ]);
      for (const value of [7, null, true, ["x"], {}]) {
        assert.deepEqual(
          problemsWith(value),
          [{ field: path, message: "Use a text." }],
          JSON.stringify(value),
        );
      }
    });
  }
}

test("accepts every setting of a site alone, with the revision it was changed from (D13, formats)", () => {
  for (const [field, value] of Object.entries(SETTINGS)) {
    assert.deepEqual(schemas.siteChangeSchema.parse({ revision: 7, [field]: value }), {
      revision: 7,
      [field]: value,
    });
  }
  for (const revision of [undefined, null, "7", 1.5, Number.POSITIVE_INFINITY]) {
    assert.notEqual(problemsOf(schemas.siteChangeSchema, { revision }).length, 0, String(revision));
  }
});

test("requires numbers for numeric settings; the domain's rules check their values (D13, formats)", () => {
  const paths = [
    "tokenLifeSeconds",
    "difficultyOffset",
    "verifyPerMinute",
    "scorePerMinute",
    "thresholds.block",
  ];
  const full = { revision: 1, ...SETTINGS };
  for (const path of paths) {
    for (const value of [-1, 0, 0.5, 1e15]) {
      assert.deepEqual(
        problemsOf(schemas.siteChangeSchema, withValue(full, path, value)),
        [],
        `${path} ${value}`,
      );
    }
    for (const value of ["5", true, [5], Number.NaN, JSON.parse("1e999")]) {
      const problems = problemsOf(schemas.siteChangeSchema, withValue(full, path, value));
      assert.deepEqual(problems, [{ field: path, message: "Use a number." }], `${path} ${value}`);
    }
  }
});

test("accepts the choices of the vocabulary, and lists them in a refusal", () => {
  const table: [schemas.Schema<unknown>, Fields, string, string][] = [
    [schemas.siteChangeSchema, { revision: 1 }, "mode", "Choose a mode."],
    [schemas.siteChangeSchema, { revision: 1 }, "theme", "Choose a theme."],
    [schemas.siteChangeSchema, { revision: 1 }, "binding", "Choose a binding."],
    [schemas.roleSchema, {}, "role", "Choose a role."],
  ];
  for (const [schema, rest, field, message] of table) {
    for (const value of ["", "constructor", "toString", "OWNER", 0, null]) {
      assert.deepEqual(
        problemsOf(schema, { ...rest, [field]: value }),
        [{ field, message }],
        `${field} ${value}`,
      );
    }
  }
  for (const role of ROLES_IN_ORDER) assert.deepEqual(schemas.roleSchema.parse({ role }), { role });
  for (const label of [...DECISION_LABELS, null])
    assert.deepEqual(schemas.labelSchema.parse({ label }), { label });
  for (const label of [undefined, "", "people", 0])
    assert.notEqual(problemsOf(schemas.labelSchema, { label }).length, 0);
});

test("accepts at most 200 texts as a site's domains, and names each invalid one by its place (D13, formats)", () => {
  const accepts = (count: number) =>
    problemsOf(schemas.newSiteSchema, { name, domains: Array(count).fill("a") });
  assert.deepEqual([accepts(0), accepts(200)], [[], []]);
  assert.deepEqual(accepts(201), [{ field: "domains", message: "Name fewer domains." }]);
  assert.deepEqual(problemsOf(schemas.newSiteSchema, { name, domains: ["a", 7] }), [
    { field: "domains.1", message: "Use a text." },
  ]);
});

test("reports all problems of a form at once", () => {
  const problems = problemsOf(schemas.signInSchema, {
    email: 1,
    password: "x".repeat(1025),
    puzzle: { challenge: 2 },
  });
  assert.deepEqual(
    problems.map(({ field }) => field),
    ["email", "password", "puzzle.challenge", "puzzle.solution"],
  );
});

test("accepts the name of a range for statistics, or two moments of which the second is later", () => {
  const read = (query: Fields) => schemas.rangeQuerySchema.safeParse(query).data;
  for (const range of Object.keys(RANGES))
    assert.deepEqual(read({ range }), { range, timeZone: "UTC" });
  assert.deepEqual(read({ from: "1", to: "2", timeZone: "Asia/Tokyo" }), {
    range: { fromMs: 1, toMs: 2 },
    timeZone: "Asia/Tokyo",
  });
  assert.deepEqual(
    read({ range: "24h", from: "5", to: "2" })?.range,
    "24h",
    "a name counts before moments",
  );
  const none = [
    {},
    { from: "5" },
    { from: "5", to: "5" },
    { from: "5", to: "4" },
    { range: "constructor" },
  ];
  const noMoment = [
    "-1",
    "1.5",
    "",
    " 1",
    "1\n",
    "1e3",
    "0x1",
    "1".repeat(15),
    "٣",
    1,
    null,
    ["1"],
  ];
  for (const query of [...none, ...noMoment.map((from) => ({ from, to: "99999999999999" }))]) {
    assert.equal(read(query), undefined, JSON.stringify(query));
  }
  assert.equal(read({ range: "1h", timeZone: "x".repeat(65) }), undefined);
});

test("reads any query without an error, into moments that are whole and in order", () => {
  const value = fc.oneof(
    fc.string(),
    fc.nat().map(String),
    fc.constantFrom("24h", "UTC"),
    fc.anything(),
  );
  fc.assert(
    fc.property(
      fc.record({ range: value, from: value, to: value, timeZone: value }, { requiredKeys: [] }),
      (query) => {
        const { data } = schemas.rangeQuerySchema.safeParse(query);
        if (data === undefined || typeof data.range === "string") return;
        assert.ok(Number.isSafeInteger(data.range.fromMs) && data.range.fromMs < data.range.toMs);
      },
    ),
    { seed: 7 },
  );
});

test("accepts the filters of the Decisions page, and continues the audit log from the id of an entry", () => {
  const accepts = (query: Fields) => schemas.decisionsQuerySchema.safeParse(query).success;
  for (const show of DECISION_FILTERS)
    assert.ok(accepts({ show, before: "b", requestId: "r".repeat(64) }), show);
  for (const query of [
    { show: "all" },
    { show: "" },
    { before: "b".repeat(65) },
    { requestId: "r".repeat(65) },
  ]) {
    assert.ok(!accepts(query), JSON.stringify(query));
  }
  assert.deepEqual(schemas.auditQuerySchema.parse({}), {});
  assert.deepEqual(schemas.auditQuerySchema.parse({ before: "999999999999999" }), {
    before: 999_999_999_999_999,
  });
  for (const before of ["", "-1", "1.5", "1".repeat(16), "abc", 7]) {
    const problems = problemsOf(schemas.auditQuerySchema, { before });
    assert.deepEqual(
      problems.map(({ field }) => field),
      ["before"],
      String(before),
    );
  }
});
