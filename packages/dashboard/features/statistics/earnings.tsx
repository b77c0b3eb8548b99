import type { WavesData } from "@stile/protocol/dashboard-waves";
import { countOf, formatNumber } from "../../ui/format.ts";
import { Panel } from "../../ui/page.tsx";

/** What one network may earn of the site, and whether any does: where an owner looks who is under attack. */
export function Earnings({ earnings }: Pick<WavesData, "earnings">) {
  const { tokensPerHour, dearerFrom, networks } = earnings;
  return (
    <Panel title="Tokens of one network">
      <p>
        <strong>
          {networks === 0 ? "No network pays more now." : `${countOf(networks, "network")} now at dearer work.`}
        </strong>{" "}
        One network may earn {formatNumber(tokensPerHour)} tokens an hour here; from {formatNumber(dearerFrom)} on its
        work gets dearer, up to 32 times. The operator lowers it with <code>STILE_LIMIT_TOKENS</code>.
      </p>
    </Panel>
  );
}
