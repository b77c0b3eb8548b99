import { randomBytes } from "node:crypto";
import { FUNCTIONS, LIBRARY } from "@stile/stores/valkey/engine/valkey-functions";
import { GENERATION_KEY, marksName, rateNames, siteKeyName } from "@stile/stores/valkey/engine/valkey-keys";
import { startValkey, type ThrowAwayValkey } from "@stile/testkit/valkey/throw-away-valkey";

type Client = Awaited<ReturnType<ThrowAwayValkey["connect"]>>;

const TOKENS = Number(process.argv[2] ?? 60_000);
const AT_ONCE = 500;
const T0 = Date.UTC(2026, 0, 15, 12);
const REPEATABLE_BYTES = 32;

async function readInfo(client: Client, name: string): Promise<number> {
  return Number(new RegExp(`^${name}:(\\d+)`, "m").exec(await client.info())?.[1]);
}

async function redeem(client: Client, siteKey: string, retainUntilMs: number, digest: Buffer | ""): Promise<void> {
  const keys = [
    siteKeyName(siteKey),
    marksName(siteKey, "tokens", retainUntilMs),
    ...rateNames(`redeemed:${siteKey}`, T0),
  ];
  const args = ["measured", 1, randomBytes(12), retainUntilMs, T0, 1e12, digest, 0, T0, 0];
  for (;;) {
    const [word, stamp, askedAtMs] = (await client.call("FCALL", FUNCTIONS.redeem, keys.length, ...keys, ...args)) as [
      string,
      number,
      number,
    ];
    if (word === "spent") return;
    if (word !== "unknown") throw new Error(word);
    await client.call(
      "FCALL",
      FUNCTIONS.learn,
      2,
      siteKeyName(siteKey),
      GENERATION_KEY,
      stamp,
      askedAtMs,
      "measured",
      1,
    );
  }
}

/**
 * How much memory and file space a redeemed token takes in Valkey, by how many of a site end in the same second: `node
 * tools/measure-valkey-memory.ts [tokens]`.
 */
async function measure(perSecond: number, hasKey: boolean): Promise<string> {
  const engine = await startValkey({ appendFsync: "everysec" });
  try {
    const client = await engine.connect();
    await client.call("FUNCTION", "LOAD", LIBRARY);
    await client.call("FCALL", FUNCTIONS.begin, 1, GENERATION_KEY, "measured", 0, "measured", 0);
    const siteKey = "pk_0123456789abcdef012345";
    await redeem(client, siteKey, T0 + 360_000, "");
    const read = async () => ({
      memory: await readInfo(client, "used_memory"),
      functions: await readInfo(client, "used_memory_vm_functions"),
      file: await readInfo(client, "aof_current_size"),
    });
    const before = await read();
    for (let done = 0; done < TOKENS; done += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, at) => {
        const second = 361 + Math.floor((done + at) / perSecond);
        return redeem(client, siteKey, T0 + second * 1_000, hasKey ? randomBytes(REPEATABLE_BYTES) : "");
      });
      await Promise.all(batch);
    }
    const after = await read();
    const each = (name: keyof typeof after): string => ((after[name] - before[name]) / TOKENS).toFixed();
    return `${perSecond} a second, ${hasKey ? "with" : "without"} an idempotency key: ${each("memory")} bytes of memory, ${each("functions")} beside maxmemory, ${each("file")} of the file a token`;
  } finally {
    await engine.stop();
  }
}

for (const perSecond of [1, 10, 100, 1_000]) {
  for (const hasKey of [false, true]) console.log(await measure(perSecond, hasKey));
}
