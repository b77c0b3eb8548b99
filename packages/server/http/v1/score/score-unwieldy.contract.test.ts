import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { callApi } from "@stile/testkit/contract/call";
import { bearer, SCORE } from "@stile/testkit/contract/redeem";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { type ExchangeLimits, exchange } from "@stile/testkit/payloads/raw-http";
import { UNWIELDY_TOKENS } from "@stile/testkit/payloads/unwieldy-tokens";

/** Fields whose content a visitor's form or browser can send to the site's server. */
const MADE_BY_VISITORS: readonly (readonly [what: string, body: object])[] = [
  ...UNWIELDY_TOKENS.filter(([, token]) => typeof token === "object").map(
    ([what, token]) => [`a token: ${what}`, { token }] as const,
  ),
  ["a token of 9,000 quotation marks", { token: '"'.repeat(9000) }],
  ["signals of 9,000 backslashes", { signals: "\\".repeat(9000) }],
  ["signals of 70,000 characters", { signals: "A".repeat(70_000) }],
  ["a header of 9,000 quotation marks", { headers: { accept: '"'.repeat(9000) } }],
];

/**
 * Values as long as some servers allow for addresses, agents and pages. They are scored like any
 * other.
 */
const LONG: readonly object[] = [
  { url: `https://shop.example/${"x".repeat(20_000)}` },
  { user_agent: "Mozilla/5.0 ".repeat(3000) },
  { ip: "203.0.113.7, ".repeat(2000) },
];

for (const fixture of await startFixtures()) {
  suite(`bodies that no honest visitor causes (D7, score request), ${fixture.name}`, () => {
    const score = async (body: object, from: ServiceFixture = fixture) => {
      const { secretKey } = await newSite(from);
      return callApi(from.baseUrl, { path: SCORE, headers: bearer(secretKey), body });
    };

    for (const [what, body] of MADE_BY_VISITORS) {
      test(what, async () => {
        const answer = await score(body);
        const { score: value, flags, action } = answer.body.data;
        assert.deepEqual(
          [answer.status, answer.body.success, value, action],
          [200, true, 1, "block"],
        );
        assert.ok((flags as string[]).includes("token_invalid"));
      });
    }

    test("treats signals that are not texts as withheld, like unreadable ones, without breaking the call", async () => {
      for (const signals of [["x"], { a: "x" }, 7, true]) {
        const { status, body } = await score({ signals });
        assert.deepEqual([status, body.success], [200, true], JSON.stringify(signals));
        assert.ok((body.data.flags as string[]).includes("signals_withheld"));
      }
    });

    test("accepts calls with long texts", async () => {
      for (const body of LONG) {
        const answer = await score(body);
        assert.deepEqual(
          [answer.status, answer.body.success],
          [200, true],
          JSON.stringify(Object.keys(body)),
        );
        assert.notEqual(answer.body.data.score, 1);
      }
    });

    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    /** Sends a body of 80 KiB and more whose length is not announced. */
    const scoreUnannounced = async (
      settings: Parameters<typeof newSite>[1],
      rest: string,
      limits: Omit<ExchangeLimits, "withinMs"> = {},
    ) => {
      const { secretKey } = await newSite(fixture, settings);
      const key = `Authorization: ${bearer(secretKey).authorization}`;
      const lines = [`POST ${SCORE} HTTP/1.1`, "Host: x", "Content-Type: application/json", key];
      const bytes = `${lines.join("\r\n")}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}${rest}`;
      return await exchange(Number(new URL(fixture.baseUrl).port), bytes, {
        withinMs: 5000,
        ...limits,
      });
    };
    const END = "0\r\n\r\n";

    test("scores a body over 64 KiB without an announced length, too", async () => {
      const { answers } = await scoreUnannounced({}, END, { answers: 1 });
      assert.equal(answers[0]?.status, 200);
      assert.match(answers[0]?.body ?? "", /"action":"block"/);
    });

    test("closes the connection at once after such a body that is not scored", async () => {
      const { answers, isClosed } = await scoreUnannounced(
        { isEnabled: false },
        chunk.repeat(15) + END,
      );
      assert.deepEqual([answers.map(({ status }) => status), isClosed], [[403], true]);
    });

    test("reads the rest before it answers, scored or not, because a proxy that can't send it may drop the answer", async () => {
      for (const isEnabled of [true, false]) {
        let [cameEarly, isRestSent] = [false, false];
        const { answers } = await scoreUnannounced({ isEnabled }, chunk.repeat(15), {
          answers: 1,
          onConnected: async (socket) => {
            socket.once("data", () => {
              cameEarly = !isRestSent;
            });
            await delay(100);
            isRestSent = true;
            socket.write(END);
          },
        });
        assert.deepEqual([answers.length, cameEarly], [1, false], String(isEnabled));
      }
    });

    test("scores nothing without a right key", async () => {
      for (const [, body] of MADE_BY_VISITORS) {
        const answer = await callApi(fixture.baseUrl, {
          path: SCORE,
          headers: bearer("sk_wrong"),
          body,
        });
        assert.equal(answer.status, 401);
      }
    });
  });
}
