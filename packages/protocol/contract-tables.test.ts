import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { API_ERROR_CODES } from "./api-error-codes.ts";
import { isRiskHeader } from "./headers.ts";
import * as limits from "./limits.ts";
import { REASON_CODES } from "./reason-codes.ts";
import {
  challengeAnswerSchema,
  errorAnswerSchema,
  scoreAnswerSchema,
  tokenVerifyAnswerSchema,
  verifyAnswerSchema,
} from "./schemas/answers.ts";
import {
  challengeQuerySchema,
  scoreRequestSchema,
  tokenVerifyRequestSchema,
  verifyRequestSchema,
} from "./schemas/requests.ts";
import { BINDINGS, INTERACTIONS, SITE_MODES, THEMES } from "./site-settings.ts";
import { VERIFY_ERROR_CODES } from "./verify-error-codes.ts";

// The contract page is the promise, and the code keeps it: these tests read each table of the page
// and compare the code with it.

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/reference/contract.md"), "utf8");

/** The text from an anchor of the page to the next anchor. */
function section(id: string): string {
  const [, rest] = PAGE.split(`<a id="${id}"></a>`);
  assert.ok(rest !== undefined, `no section ${id}`);
  return rest.split("<a id=")[0] ?? "";
}

const plain = (cell = ""): string => cell.replaceAll("`", "");

/**
 * The rows of the first table after an anchor that has this column, by the names of the columns.
 */
function tableOf(id: string, column: string): readonly Readonly<Record<string, string>>[] {
  const tables = section(id)
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => line.startsWith("|")))
    .map((lines) =>
      lines
        .map((line) => line.split("|").slice(1, -1))
        .map((cells) => cells.map((cell) => cell.trim())),
    );
  const found = tables.find(([head]) => head?.map(plain).includes(column));
  assert.ok(found?.[0] !== undefined, `${id} has no table with the column ${column}`);
  const [head, , ...rows] = found;
  assert.ok(rows.length > 0);
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [plain(head[at]), cell])));
}

/** The words in a cell that are marked as code. */
const codesIn = (cell = ""): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
const columnOf = (id: string, column: string): string[] =>
  tableOf(id, column).flatMap((row) => codesIn(row[column]).slice(0, 1));

/** Asserts that the section contains these words, across line breaks. */
function says(id: string, words: string): void {
  assert.ok(section(id).replace(/\s+/g, " ").includes(words), `${id} does not say "${words}"`);
}

const thousands = (count: number): string => count.toLocaleString("en");

test("the code has the page's error codes, each with the page's status (spec 7.1; D11, errors)", () => {
  const statuses = Object.fromEntries(
    tableOf("d11", "Code").flatMap(({ Code, HTTP }) =>
      codesIn(Code).map((code) => [code, Number(HTTP?.slice(0, 3))] as const),
    ),
  );
  for (const [code, status] of Object.entries(statuses)) {
    assert.equal(API_ERROR_CODES[code as keyof typeof API_ERROR_CODES]?.status, status, code);
  }
  const known = [...columnOf("spec-7.1", "Code"), ...Object.keys(statuses)];
  assert.deepEqual(known.toSorted(), Object.keys(API_ERROR_CODES).toSorted());
});

test("the code has the page's statuses for challenges (D8, challenge)", () => {
  const { invalid_site_key, domain_mismatch, bad_request, site_disabled } = API_ERROR_CODES;
  says("d8", `malformed query ${bad_request.status} \`bad_request\``);
  says("d8", `unknown site key ${invalid_site_key.status} \`invalid_site_key\``);
  says("d8", `foreign origin ${domain_mismatch.status} \`domain_mismatch\``);
  says("d8", `disabled site ${site_disabled.status} \`site_disabled\``);
  says("d8", `over the limit ${API_ERROR_CODES.rate_limited.status}`);
});

test("the code has the page's reason codes and error_codes, in the page's order (spec 7.2, 7.3)", () => {
  assert.deepEqual(columnOf("spec-7.3", "reasonCode"), Object.keys(REASON_CODES));
  assert.deepEqual(columnOf("spec-7.2", "Code"), Object.keys(VERIFY_ERROR_CODES));
});

test("every situation of a redemption has the error_codes that the code gives its reason (D2, redemption)", () => {
  const rows = tableOf("d2", "Situation");
  const told = new Set<string>();
  for (const { Situation, reasonCode, error_codes } of rows) {
    const [reason] = codesIn(reasonCode);
    // A missing secret and a wrong one share a reason code, but not an error code.
    if (reason === undefined || Situation === "no Bearer key") continue;
    const wanted = codesIn((error_codes ?? "").split(";")[0] ?? "").filter((code) => code !== "[]");
    assert.deepEqual(
      REASON_CODES[reason as keyof typeof REASON_CODES]?.errorCodes,
      wanted,
      `${Situation}`,
    );
    told.add(reason);
  }
  assert.deepEqual([...told].toSorted(), Object.keys(REASON_CODES).toSorted());
});

test("the schema accepts every answer of the page's table (D2, redemption)", () => {
  for (const { reasonCode, error_codes, success, Situation } of tableOf("d2", "Situation")) {
    const [reason] = codesIn(reasonCode);
    const codes = codesIn((error_codes ?? "").split(";")[0] ?? "").filter((code) => code !== "[]");
    const time = "2026-01-01T00:00:00.000Z";
    const data =
      Situation === "passed"
        ? {
            verified: true,
            score: 0.05,
            hostname: "shop.example",
            timestamp: time,
            challenge_ts: time,
            action: "login",
          }
        : {
            verified: false,
            score: 1,
            error_codes: codes,
            ...(reason !== undefined && { reasonCode: reason }),
          };
    const body = {
      success: success?.startsWith("true"),
      data,
      ...(reason !== undefined && { reasonCode: reason }),
    };
    assert.deepEqual(tokenVerifyAnswerSchema.parse(body), body, `${Situation}`);
  }
});

test("the fields of every request are those of the page, other spellings included (D2, redemption; D7, score request; D8, challenge; D9, submission)", () => {
  const [redemption] = [tableOf("d2", "Also as")];
  const spellings = redemption.flatMap((row) => [
    ...codesIn(row.Field),
    ...codesIn(row["Also as"]),
  ]);
  assert.deepEqual(Object.keys(tokenVerifyRequestSchema.shape).toSorted(), spellings.toSorted());
  const scored = tableOf("d7", "Field").flatMap(({ Field }) => codesIn(Field));
  assert.deepEqual(Object.keys(scoreRequestSchema.shape).toSorted(), scored.toSorted());
  assert.deepEqual(Object.keys(challengeQuerySchema.shape), columnOf("d8", "Parameter"));
  const [, shape = ""] = /\*\*Request\*\*[^`]*`\{ (.*) \}`/.exec(section("d9")) ?? [];
  const submitted = [...shape.replace(/: \{[^}]*\}/, "").matchAll(/(\w+)\??/g)].map(
    ([, field]) => field,
  );
  assert.deepEqual(Object.keys(verifyRequestSchema.shape), submitted);
  const told = columnOf("d9", "Field of signals");
  assert.deepEqual(Object.keys(verifyRequestSchema.shape.signals.unwrap().unwrap().shape), told);
});

test("the fields of every answer are those of the page (spec 2.1, 2.2; D8, challenge; D9, submission; D11, errors)", () => {
  // D2 (redemption) adds the token's cdata, how it was earned, the second place of the reason code,
  // and the reserved word.
  const verified = [
    ...columnOf("spec-2.1", "Field"),
    "recommendation",
    "cdata",
    "no_script",
    "reasonCode",
    "response",
  ];
  assert.deepEqual(
    Object.keys(tokenVerifyAnswerSchema.shape.data.shape).toSorted(),
    verified.toSorted(),
  );
  assert.deepEqual(Object.keys(scoreAnswerSchema.shape.data.shape), [
    ...columnOf("spec-2.2", "Field"),
    "missing",
  ]);
  says("d7", "`missing`");
  const issued = tableOf("d8", "data field").flatMap((row) => codesIn(row["data field"]));
  assert.deepEqual(Object.keys(challengeAnswerSchema.shape.data.shape), issued);
  assert.deepEqual(Object.keys(errorAnswerSchema.shape.error.shape), [
    "code",
    "message",
    "request_id",
  ]);
  says("d11", '"error": { "code", "message", "request_id" }');
  for (const interaction of INTERACTIONS) says("d8", `\`${interaction}\``);
});

test("the outcomes of a submission are the page's: a token, or one of four next steps (D9, submission)", () => {
  const steps = tableOf("d9", "Outcome").flatMap((row) => [
    ...(row["Answer, always 200"] ?? "").matchAll(/next: "(\w+)"/g),
  ]);
  const told = steps.map(([, step]) => step ?? "");
  assert.equal(told.length, 4);
  const common = { verified: false, error_codes: ["invalid_token"], request_id: "r" };
  const challenge = {
    challenge: "QUJD",
    algorithm: 1,
    k: 16,
    difficulty: 131_072,
    expires_at: "2026-01-01T00:00:00Z",
    mode: "managed",
    theme: "auto",
    language: "auto",
    interaction: "click",
  };
  for (const next of told) {
    assert.ok(
      verifyAnswerSchema.safeParse({ success: true, data: { ...common, next, challenge } }).success,
      next,
    );
  }
});

test("the code has the page's limits (spec 8; D2, redemption; D7, score request; D9, submission; D10, limits; D11, errors)", () => {
  const perMinute = tableOf("spec-8", "Limit").map((row) => Number.parseInt(row.Limit ?? "", 10));
  const { verify, score, challenge, challengeTotal, wrongSecret } = limits.RATE_LIMITS;
  assert.deepEqual(perMinute, [verify.perMinute, score.perMinute, challenge.perMinute]);
  says("d10", `verify ${verify.perMinute} a minute`);
  says("d10", `the account one of ${thousands(challengeTotal.perMinute)}`);
  says("d2", `${wrongSecret.perMinute} a minute from one address`);
  const { BODY_LIMITS } = limits;
  says("d2", `(${thousands(BODY_LIMITS.tokenVerify.bytes)} bytes)`);
  says("d7", `(${thousands(BODY_LIMITS.score.bytes)} bytes)`);
  says("d9", `at most ${BODY_LIMITS.verify.bytes / 1024} KiB`);
  assert.equal(BODY_LIMITS.dashboard.marks, BODY_LIMITS.tokenVerify.marks);
  const [d2, d7, d9] = [BODY_LIMITS.tokenVerify, BODY_LIMITS.score, BODY_LIMITS.verify].map(
    ({ marks }) => thousands(marks),
  );
  says("d11", `${d2} at D2 and in the dashboard, ${d7} at D7, ${d9} at D9`);
  says("d11", `nested deeper than ${limits.JSON_DEPTH_LIMIT} levels`);
});

test("the code has the page's lengths, lives and thresholds (D2, redemption; D4, sealed token; D6, scores; D8, challenge; D12, states)", () => {
  const { TEXT_LIMITS: text, TOKEN_LIFE_SECONDS: life } = limits;
  says("d2", `Up to ${thousands(text.tokenAccepted)} characters are accepted`);
  says("d2", `issued tokens have at most ${thousands(text.tokenIssued)}`);
  says("d2", `${text.idempotencyKeyMin} to ${text.idempotencyKeyMax} characters`);
  says("d2", `for ${limits.REPEAT_SECONDS} s, the exact repeat`);
  says("d4", `action ${text.actionName}, cdata ${text.cdata}, hostname ${text.hostname}`);
  says("d4", `${life.default} s, and per site ${life.min} to ${life.max} s`);
  says("d6", `[0, ${limits.DEFAULT_THRESHOLDS.challenge.toFixed(2)})`);
  says("d6", `\`block\` in [${limits.DEFAULT_THRESHOLDS.block.toFixed(2)}, 1]`);
  says("pow", `valid for ${limits.CHALLENGE_LIFE_SECONDS} s`);
  says("d12", `replacedAt + ${limits.GRACE_SECONDS / 3600} h`);
  says("d12", `For ${limits.RESTORE_DAYS} days`);
});

test("the code has the page's settings and headers (D5, binding; D7, score request; D13, formats)", () => {
  const rules = Object.fromEntries(
    tableOf("d13", "Site field").map((row) => [row["Site field"], codesIn(row.Rule)]),
  );
  assert.deepEqual(rules["`mode`"]?.toSorted(), Object.keys(SITE_MODES).toSorted());
  assert.deepEqual(rules["`theme`"], [...THEMES]);
  const [head = ""] = section("d5")
    .split("\n")
    .filter((line) => line.startsWith("| Difference"));
  assert.deepEqual(codesIn(head), Object.keys(BINDINGS));
  assert.deepEqual(columnOf("d9", "Mode").length, 3);
  for (const mode of Object.keys(SITE_MODES)) says("d9", `\`${mode}\``);
  const [headers] = tableOf("d7", "Field").filter(({ Field }) => Field === "`headers`");
  for (const header of codesIn(headers?.Meaning))
    assert.ok(isRiskHeader(header.replace("*", "x")), header);
});
