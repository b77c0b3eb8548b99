import type { ScoresData } from "@stile/protocol/dashboard-statistics";
import { useState } from "preact/hooks";
import { Chart } from "../../ui/charts/chart.tsx";
import { formatNumber, formatPercent, formatScore } from "../../ui/format.ts";
import { Panel } from "../../ui/page.tsx";
import {
  type Agreement,
  compareVerdicts,
  countCompared,
  describeAgreement,
  describeThreshold,
} from "./compare-verdicts.ts";
import { Slider } from "./slider.tsx";

const TITLE = "Compared with your old CAPTCHA";

type VendorPanelProps = { readonly data: ScoresData; readonly siteKey: string };

/** Where Stile and the old CAPTCHA disagree, for each threshold (D2, comparing). */
export function VendorPanel({ data, siteKey }: VendorPanelProps) {
  const [tried, setTried] = useState<number>();
  const inForce = data.mayAsk ? data.thresholds.block : data.thresholds.challenge;
  const refusedFrom = tried ?? inForce;
  const agreement = compareVerdicts(data.byVendorVerdict, refusedFrom);
  if (countCompared(agreement) === 0) return <Beginning siteKey={siteKey} />;
  return (
    <Panel
      title={TITLE}
      intro="Visits whose token your server redeemed with the old CAPTCHA's verdict. Visits without a valid token are missing; Outcome counts them as refused calls."
    >
      <Chart summary={describeAgreement(agreement, refusedFrom)}>
        <Table agreement={agreement} refusedFrom={refusedFrom} />
      </Chart>
      <div class="sliders">
        <Slider label="Stile refuses from" value={refusedFrom} onValue={setTried} />
      </div>
      <p class="what-if">{describeThreshold(data, refusedFrom)}</p>
      {data.mayAsk && (
        <p class="quiet">
          Visits that Stile blocks get no token in this mode, so they are missing too. To compare
          them, <ToMode siteKey={siteKey} />.
        </p>
      )}
    </Panel>
  );
}

function ToMode({ siteKey }: Pick<VendorPanelProps, "siteKey">) {
  return <a href={`/dashboard/sites/${siteKey}/settings`}>set the mode to Invisible</a>;
}

/** Shown if no verdict came with a token. */
function Beginning({ siteKey }: Pick<VendorPanelProps, "siteKey">) {
  return (
    <Panel title={TITLE}>
      <p class="quiet">
        Nothing to compare in this period. If you move from another CAPTCHA, run both for a week to
        see where they disagree, and choose a threshold before you switch.
      </p>
      <details>
        <summary>How to begin</summary>
        <ol>
          <li>Keep the old CAPTCHA, and put Stile's widget into the same form.</li>
          <li>
            To give every visit a token, <ToMode siteKey={siteKey} />.
          </li>
          <li>
            On your server, check the old CAPTCHA first, and let only its verdict decide. Then
            redeem Stile's token, with <code>vendor_verdict</code> set to <code>pass</code> or{" "}
            <code>fail</code>.
          </li>
        </ol>
      </details>
    </Panel>
  );
}

type TableProps = { readonly agreement: Agreement; readonly refusedFrom: number };

function Table({ agreement, refusedFrom }: TableProps) {
  const all = countCompared(agreement);
  const score = formatScore(refusedFrom);
  const cell = (count: number, note: string, agrees: boolean) => (
    <td class={agrees ? "agreed" : ""}>
      <strong>{formatNumber(count)}</strong>
      <span class="note">
        {formatPercent(count / all)}, {note}
      </span>
    </td>
  );
  return (
    <table class="verdicts">
      <thead>
        <tr>
          <td />
          <th scope="col">Old CAPTCHA passed</th>
          <th scope="col">Old CAPTCHA refused</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            Stile passes<span class="note">below {score}</span>
          </th>
          {cell(agreement.bothPass, "both pass", true)}
          {cell(agreement.onlyOldRefuses, "only the old one refuses", false)}
        </tr>
        <tr>
          <th scope="row">
            Stile refuses<span class="note">from {score}</span>
          </th>
          {cell(agreement.onlyStileRefuses, "only Stile refuses", false)}
          {cell(agreement.bothRefuse, "both refuse", true)}
        </tr>
      </tbody>
    </table>
  );
}
