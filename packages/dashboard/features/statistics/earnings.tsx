import type { WavesData } from "@stile/protocol/dashboard-waves";
import { countOf, formatNumber } from "../../ui/format.ts";
import { Panel } from "../../ui/page.tsx";

/**
 * How many tokens one network earns at the normal price, and whether any earns more: for an owner
 * under attack.
 */
export function Earnings({ earnings }: Pick<WavesData, "earnings">) {
  const { free, networks } = earnings;
  return (
    <Panel title="Tokens of one network">
      <p>
        <strong>
          {networks === 0
            ? "No network is being slowed down."
            : `${countOf(networks, "network")} now doing more work.`}
        </strong>{" "}
        One network can earn {formatNumber(free)} tokens an hour here with the usual work: three
        times what your busiest network usually has, within bounds that the operator sets with{" "}
        <code>STILE_LIMIT_TOKENS</code>. Further tokens cost it more and more work, up to 32 times
        as much.
      </p>
    </Panel>
  );
}
