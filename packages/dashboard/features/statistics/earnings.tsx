import type { WavesData } from "@stile/protocol/dashboard-waves";
import { countOf } from "../../ui/format.ts";
import { Panel } from "../../ui/page.tsx";

/**
 * How many tokens one network earns at the normal price, and whether any earns more: for an owner
 * under attack.
 */
export function Earnings({ earnings }: Pick<WavesData, "earnings">) {
  const { free, networks } = earnings;
  return (
    <Panel title="Tokens per network">
      <p>
        <strong>
          {networks === 0
            ? "No network is being slowed down."
            : `${countOf(networks, "network")} must do more work now.`}
        </strong>{" "}
        One network can earn {countOf(free, "token")} an hour with the usual work. That is three
        times what your busiest network usually earns, within limits that the operator sets with{" "}
        <code>STILE_LIMIT_TOKENS</code>. Further tokens take more and more work, up to 32 times as
        much.
      </p>
    </Panel>
  );
}
