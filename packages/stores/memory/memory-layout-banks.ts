import type { LayoutBank } from "@stile/core/domain/layout/layout-bank";
import type { LayoutBanks } from "@stile/core/ports/layout/layout-banks";
import { nextVersion } from "../layout-content.ts";

/** Banks of scenes in the memory of one process. */
export function createMemoryLayoutBanks(): LayoutBanks {
  let banks: readonly LayoutBank[] = [];
  return {
    listBanks: async () => banks,
    newestVersion: async () => banks[0]?.version,
    addBank: async (bank, after) => {
      const newest = banks[0]?.version ?? 0;
      if (after !== undefined && after !== newest) return undefined;
      const version = nextVersion(newest);
      banks = [{ ...bank, version }, ...banks].slice(0, 2);
      return version;
    },
  };
}
