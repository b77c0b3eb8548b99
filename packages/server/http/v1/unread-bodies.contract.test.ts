import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { bearer, SCORE, TOKEN_VERIFY } from "@stile/testkit/contract/redeem";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { exchange } from "@stile/testkit/payloads/raw-http";

const LINE = "\r\n";

function head(path: string, lines: readonly string[]): string {
  const all = [`POST ${path} HTTP/1.1`, "Host: x", "Content-Type: application/json", ...lines];
  return `${all.join(LINE)}${LINE}${LINE}`;
}

/** A body of that size that is not valid JSON. */
const brokenBody = (size: number): string => `{"a"${"}".repeat(size - 4)}`;

function send(fixture: ServiceFixture, bytes: string, answers: number) {
  return exchange(Number(new URL(fixture.baseUrl).port), bytes, { answers, withinMs: 5000 });
}

for (const fixture of await startFixtures()) {
  suite(`unread bodies (D2, redemption; D7, score request; D11, errors), ${fixture.name}`, () => {
    for (const [path, size] of [
      [SCORE, 5],
      [SCORE, 16_384],
      [TOKEN_VERIFY, 16_384],
    ] as const) {
      test(`${path} without a right key: leaves ${size} bytes unread, and the connection stays in step`, async () => {
        const { secretKey } = await newSite(fixture);
        const refused =
          head(path, ["Authorization: Bearer sk_wrong", `Content-Length: ${size}`]) +
          brokenBody(size);
        const right = `${head(path, [`Authorization: ${bearer(secretKey).authorization}`, "Content-Length: 2"])}{}`;
        const { answers } = await send(fixture, refused + refused + right, 3);
        assert.deepEqual(
          answers.map(({ status }) => status),
          [401, 401, 200],
        );
      });
    }

    test("closes the connection on a long or unannounced body of a caller without a right key", async () => {
      const long = head(SCORE, [`Content-Length: ${65_536}`]) + brokenBody(65_536);
      const chunked = `${head(SCORE, ["Transfer-Encoding: chunked"])}2${LINE}{}${LINE}0${LINE}${LINE}`;
      for (const bytes of [long, chunked]) {
        const { answers, isClosed } = await send(fixture, bytes, 2);
        assert.deepEqual([answers.map(({ status }) => status), isClosed], [[401], true]);
        assert.equal(answers[0]?.headers.connection, "close");
      }
    });

    test("reads the same body with a right key, long, chunked and in pieces", async () => {
      const { secretKey } = await newSite(fixture);
      const key = `Authorization: ${bearer(secretKey).authorization}`;
      const body = JSON.stringify({
        url: "x".repeat(8000),
        user_agent: "y".repeat(16_000),
        ip: "z".repeat(16_000),
      });
      const chunks =
        body
          .match(/.{1,4096}/g)
          ?.map((text) => `${text.length.toString(16)}${LINE}${text}${LINE}`) ?? [];
      const plain = head(SCORE, [key, `Content-Length: ${body.length}`]) + body;
      const chunked = `${head(SCORE, [key, "Transfer-Encoding: chunked"])}${chunks.join("")}0${LINE}${LINE}`;
      const { answers } = await send(fixture, plain + chunked, 2);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      );
    });

    test("refuses more names and values than an endpoint takes, from known and unknown callers (D11, errors)", async () => {
      const { secretKey } = await newSite(fixture);
      const key = `Authorization: ${bearer(secretKey).authorization}`;
      const keys = (count: number): string =>
        JSON.stringify(
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "1"])),
        );
      for (const [path, few, many] of [
        [SCORE, `{"headers":${keys(500)}}`, `{"headers":${keys(3000)}}`],
        [TOKEN_VERIFY, keys(100), keys(800)],
        ["/api/v1/verify", keys(100), keys(400)],
      ] as const) {
        const said = [];
        for (const body of [few, many]) {
          const { answers } = await send(
            fixture,
            head(path, [key, `Content-Length: ${body.length}`]) + body,
            1,
          );
          // The same as any negative verdict, if anybody who fills in a form can cause it (D1,
          // status and body).
          said.push(/too many fields|invalid_signature|token_invalid/.test(answers[0]?.body ?? ""));
        }
        assert.deepEqual(said, [false, true], path);
      }
    });
  });
}
