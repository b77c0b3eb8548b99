import { startSqliteCluster } from "@stile/testkit/torture/cluster";
import { torture } from "@stile/testkit/torture/torture";
import type { Trial } from "@stile/testkit/trials/trial";
import { NONE } from "./scene.ts";

const TOKENS = 1000;
const KILLS = 40;
const RACERS = 4;

/** Kills the process again and again, on one data directory. */
export const kills: Trial = {
  name: "kills",
  tries: `${TOKENS} tokens, each raced by ${RACERS} callers, while the service is killed (-9) ${KILLS} times and started again`,
  run: async () => {
    const cluster = await startSqliteCluster();
    try {
      const mint = await cluster.openMint(cluster.site);
      const plan = {
        tokens: TOKENS,
        mint,
        racers: RACERS,
        groups: 4,
        kills: KILLS,
        seed: Date.now(),
      };
      const report = await torture(cluster.target, plan);
      const unit = `of ${TOKENS}`;
      return [
        { name: "kills", value: report.kills, unit: "", bound: { kind: "at_least", value: KILLS } },
        { name: "calls that a kill cut off", value: report.cut, unit: `of ${report.calls}` },
        { name: "tokens redeemed twice", value: report.doubles, unit, bound: NONE },
        { name: "tokens answered, and fresh again", value: report.forgotten, unit, bound: NONE },
        {
          name: "tokens spent without a caller to hear of it or be cut off",
          value: report.burned,
          unit,
          bound: NONE,
        },
      ];
    } finally {
      await cluster.dispose();
    }
  },
};
