import type { LayoutBank } from "@stile/core/domain/layout/layout-bank";
import type { LayoutBanks } from "@stile/core/ports/layout/layout-banks";
import type { LayoutScenes } from "@stile/core/ports/layout/layout-scenes";

/** The scenes held by one process: at most two banks, a few megabytes. */
export function createLayoutScenes(stored: LayoutBanks): LayoutScenes {
  let banks: readonly LayoutBank[] = [];
  return {
    newest: () => banks[0],
    find: (version) => banks.find((bank) => bank.version === version),
    refresh: async () => {
      if ((await stored.newestVersion()) !== banks[0]?.version) banks = await stored.listBanks();
    },
  };
}
