import assert from "node:assert/strict";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openDataDirectory } from "@stile/server/data-directory/data-directory";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { redeem } from "@stile/testkit/service/redeem";
import {
  holdSocket,
  type ServiceLife,
  type SocketHolder,
  startHanded,
} from "@stile/testkit/service/socket-holder";

/** The figure in docs/measurements/trust.md is for `RESTARTS=20`. */
const RESTARTS = Number(process.env.RESTARTS ?? 4);
const REDEEMERS = 4;
const VISITORS = 4;
/** Tokens released for redemption during each restart, and between two restarts. */
const IN_RESTART = 200;
const BETWEEN = 50;
const SETTINGS = {
  STILE_LIMIT_VERIFY: "10000000",
  STILE_LIMIT_CHALLENGE: "10000000",
  STILE_LIMIT_CHALLENGE_TOTAL: "10000000",
};

type Tally = { answered: number; refused: number; reset: number; unexpected: number };
type Answer = { readonly status: number; readonly text: string };

/** Half of all callers keep their connections; the others open one for each request. */
const kept = new Agent({ keepAlive: true, maxSockets: REDEEMERS + VISITORS });

function call(
  tally: Tally,
  url: string,
  isKept: boolean,
  headers = {},
  body?: string,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const options = {
      method: body === undefined ? "GET" : "POST",
      agent: isKept ? kept : false,
      headers,
    };
    const fail = (error: NodeJS.ErrnoException): void => {
      tally[error.code === "ECONNREFUSED" ? "refused" : "reset"] += 1;
      resolve(undefined);
    };
    const sent = request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.once("error", fail).once("end", () => {
        tally.answered += 1;
        if (response.statusCode !== 200) tally.unexpected += 1;
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    sent.once("error", fail).end(body);
  });
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts customers' servers, which redeem each released token twice at once, and visitors who fetch
 * challenges.
 */
function startLoad(holder: SocketHolder, tokens: string[]) {
  const { siteKey, secretKey } = holder.keys();
  const tally: Tally = { answered: 0, refused: 0, reset: 0, unexpected: 0 };
  const verified = new Map<string, number>();
  const load = { released: 0, isOver: false };
  const headers = { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" };
  const redeemOnce = async (token: string, isKept: boolean): Promise<void> => {
    const url = `${holder.baseUrl}/api/v1/token/verify`;
    const answer = await call(tally, url, isKept, headers, JSON.stringify({ token }));
    const isVerified = answer?.status === 200 && JSON.parse(answer.text).data.verified === true;
    verified.set(token, (verified.get(token) ?? 0) + Number(isVerified));
  };
  const redeemer = async (): Promise<void> => {
    while (!load.isOver) {
      const token = verified.size < load.released ? tokens[verified.size] : undefined;
      if (token === undefined) {
        await rest(5);
        continue;
      }
      verified.set(token, 0);
      await Promise.all([redeemOnce(token, true), redeemOnce(token, false)]);
    }
  };
  const visitor = async (_: unknown, index: number): Promise<void> => {
    while (!load.isOver) {
      await call(
        tally,
        `${holder.baseUrl}/api/v1/pow/challenge?site_key=${siteKey}`,
        index % 2 === 0,
        {
          Origin: "http://localhost",
        },
      );
      await rest(index * 5);
    }
  };
  const running = [
    ...Array.from({ length: REDEEMERS }, redeemer),
    ...Array.from({ length: VISITORS }, visitor),
  ];
  return {
    tally,
    verified,
    /** Releases more tokens. */
    release: (count: number) => {
      load.released += count;
    },
    /** Resolves when all released tokens are redeemed. */
    settled: async () => {
      while (verified.size < load.released) await rest(5);
    },
    end: async () => {
      load.isOver = true;
      await Promise.all(running);
      kept.destroy();
    },
  };
}
type Load = ReturnType<typeof startLoad>;

/** The new process is running before the old one is asked to stop. */
async function overlap(holder: SocketHolder, old: ServiceLife, load: Load): Promise<ServiceLife> {
  const next = holder.start(SETTINGS);
  await next.wrote(/Waiting for it to stop/);
  load.release(IN_RESTART);
  assert.equal(await old.stop(), 0, old.printed());
  await next.wrote(/Stile listens on/);
  return next;
}

/** The new process is started after the old one has stopped, as `systemctl restart` does it. */
async function follow(holder: SocketHolder, old: ServiceLife, load: Load): Promise<ServiceLife> {
  load.release(IN_RESTART);
  assert.equal(await old.stop(), 0, old.printed());
  const next = holder.start(SETTINGS);
  await next.wrote(/Stile listens on/);
  return next;
}

suite("a listening socket that a service manager hands over", () => {
  test(`${RESTARTS} restarts under load refuse nobody, lose nothing, and redeem each token once`, async () => {
    const holder = await holdSocket();
    let load: Load | undefined;
    try {
      let life = holder.start(SETTINGS);
      await life.wrote(/Stile listens on/);
      const { siteKey, secretKey } = holder.keys();
      const count = RESTARTS * (IN_RESTART + BETWEEN);
      const tokens = await mintTokens({
        dataDirectory: holder.dataDirectory,
        siteKey,
        count,
        lifeSeconds: 840,
      });
      load = startLoad(holder, tokens);
      for (let i = 0; i < RESTARTS; i++) {
        load.release(BETWEEN);
        await load.settled();
        life = await (i % 2 === 0 ? overlap : follow)(holder, life, load);
        await load.settled();
      }
      await load.end();
      const again = await redeem({ baseUrl: holder.baseUrl, secretKey }, tokens[0] ?? "");
      assert.equal(again.body.reasonCode, "token_already_used");
      const times = [...load.verified.values()];
      const lost = times.filter((n) => n < 1).length;
      const twice = times.filter((n) => n > 1).length;
      console.log(
        `handed over: ${JSON.stringify({ restarts: RESTARTS, ...load.tally, tokens: times.length, lost, twice })}`,
      );
      assert.deepEqual(
        { ...load.tally, answered: 0 },
        { answered: 0, refused: 0, reset: 0, unexpected: 0 },
      );
      assert.deepEqual([times.length, lost, twice], [count, 0, 0]);
    } finally {
      await load?.end();
      await holder.dispose();
    }
  });

  test("its address counts, is reported to operators, and may be public, so the demo stays off (D17, settings)", async () => {
    const holder = await holdSocket();
    try {
      const life = holder.start({ STILE_PORT: "1", STILE_HOST: "192.0.2.1" });
      await life.wrote(/Dashboard .*\n/);
      assert.match(
        life.printed(),
        new RegExp(
          `Stile listens on ${holder.baseUrl}\n +Dashboard +http://localhost:${holder.port}/`,
        ),
      );
      assert.match(
        life.printed(),
        /"settings":\["STILE_HOST","STILE_PORT"\].*STILE_HOST and STILE_PORT are ignored\./,
      );
      assert.equal(
        openDataDirectory(holder.dataDirectory).servedAt(),
        `http://localhost:${holder.port}`,
      );
      assert.equal((await fetch(`${holder.baseUrl}/demo`)).status, 404);
      assert.equal(await life.stop(), 0);
    } finally {
      await holder.dispose();
    }
  });

  test("any other descriptor ends the start with one sentence that says what to do (D17, settings)", async () => {
    const parent = mkdtempSync(join(tmpdir(), "stile-handed-"));
    const local = createServer().listen(join(parent, "socket"));
    const peer = createServer().listen(0, "127.0.0.1");
    await Promise.all([once(local, "listening"), once(peer, "listening")]);
    const connected = connect((peer.address() as { port: number }).port, "127.0.0.1");
    await once(connected, "connect");
    const file = openSync("/dev/null", "r");
    const descriptorOf = (of: Server | Socket): number =>
      (of as unknown as { _handle: { fd: number } })._handle.fd;
    const noSocket =
      /^stile: systemd passed no TCP socket to listen on as descriptor 3 \(\w+\)\. Give .*ListenStream=/;
    try {
      for (const [descriptor, environment, told] of [
        [file, {}, noSocket],
        [descriptorOf(connected), {}, noSocket],
        [descriptorOf(local), {}, noSocket],
        [
          descriptorOf(connected),
          { LISTEN_FDS: "2" },
          /^stile: systemd passed 2 sockets .*single ListenStream=/,
        ],
      ] as const) {
        const life = startHanded(descriptor, {
          STILE_DATA_DIR: join(parent, "data"),
          STILE_LOG_LEVEL: "error",
          ...environment,
        });
        assert.equal(await life.ended, 1);
        assert.match(life.printed(), told);
        assert.match(life.printed(), /^[^\n]+\n$/, "a sentence, not a stack");
      }
      const byNpm = startHanded(descriptorOf(connected), { STILE_DATA_DIR: join(parent, "data") }, [
        "npm",
        "start",
        "--silent",
      ]);
      assert.equal(await byNpm.ended, 1);
      assert.match(
        byNpm.printed(),
        /^stile: systemd passed its socket to the process that started this one, .*docs\/operations\/restarts\.md/,
      );
    } finally {
      closeSync(file);
      connected.destroy();
      for (const server of [local, peer]) server.close();
      rmSync(parent, { recursive: true, force: true });
    }
  });
});
