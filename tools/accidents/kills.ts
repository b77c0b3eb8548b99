import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { torture } from "@stile/testkit/service/torture";
import type { Trial } from "@stile/testkit/trials/trial";
import { NONE, withService } from "./scene.ts";

const TOKENS = 1000;
const KILLS = 40;
const RACERS = 4;

/** Kills of the process, again and again, on one data directory. */
export const kills: Trial = {
  name: "kills",
  tries: `${TOKENS} tokens, each raced by ${RACERS} callers, while the service is killed (-9) ${KILLS} times and started again (T1)`,
  run: async () =>
    await withService({}, async (service) => {
      const tokens = await mintTokens({ ...service, count: TOKENS });
      const report = await torture(service, { tokens, racers: RACERS, groups: 4, kills: KILLS, seed: Date.now() });
      const unit = `of ${TOKENS}`;
      return [
        { name: "kills", value: report.kills, unit: "", bound: { kind: "at_least", value: KILLS } },
        { name: "calls that a kill cut off", value: report.interrupted, unit: `of ${report.calls}` },
        { name: "tokens redeemed twice", value: report.doubles, unit, bound: NONE },
        { name: "tokens answered verified, and fresh again", value: report.forgotten, unit, bound: NONE },
        { name: "tokens spent without a caller to hear of it or be cut off", value: report.burned, unit, bound: NONE },
      ];
    }),
};
