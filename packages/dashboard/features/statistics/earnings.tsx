import type { WavesData } from "@stile/protocol/dashboard-waves";
import { countOf, formatNumber } from "../../ui/format.ts";
import { Panel } from "../../ui/page.tsx";

/** How many tokens one network may earn on the site, and whether any reaches that: for an owner under attack. */
export function Earnings({ earnings }: Pick<WavesData, "earnings">) {
  const { tokensPerHour, dearerFrom, networks } = earnings;
  return (
    <Panel title="Tokens of one network">
      <p>
        <strong>
          {networks === 0 ? "No network is being slowed down." : `${countOf(networks, "network")} now doing more work.`}
        </strong>{" "}
        One network can earn {formatNumber(tokensPerHour)} tokens an hour here; from {formatNumber(dearerFrom)} on, each
        costs it more work, up to 32 times. A suspicious token counts as four. The operator can lower this limit with{" "}
        <code>STILE_LIMIT_TOKENS</code>.
      </p>
    </Panel>
  );
}
