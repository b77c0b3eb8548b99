import { formatNumber, formatPercent } from "../format.ts";
import { Chart } from "./chart.tsx";

/** A named count; `note` says more below its bar, and `code` is its name in the API. */
export type Bar = {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly note?: string;
  readonly code?: string;
};

type BarTableProps = {
  readonly summary: string;
  /** The kind of the names, such as "Host". */
  readonly nameLabel: string;
  readonly countLabel?: string;
  /** The whole for the shares; by default the sum of all bars. */
  readonly total?: number;
  readonly bars: readonly Bar[];
};

/**
 * A text that may break: a narrow column breaks host names and codes after dots and underscores,
 * not within a word.
 */
function Breakable({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/(?<=[._])(?=[a-z])/i)
        .flatMap((part, index) => (index === 0 ? part : [<wbr key={index} />, part]))}
    </>
  );
}

/** Named counts, each with a bar: chart and table in one. If there are none, only the summary. */
export function BarTable(props: BarTableProps) {
  const { summary, nameLabel, countLabel = "Count", bars } = props;
  if (bars.length === 0) return <p class="quiet">{summary}</p>;
  const total = props.total ?? bars.reduce((sum, bar) => sum + bar.count, 0);
  const max = Math.max(1, ...bars.map((bar) => bar.count));
  return (
    <Chart summary={summary}>
      <table class="bar-table">
        <thead>
          <tr>
            <th scope="col">{nameLabel}</th>
            <th scope="col" class="end">
              {countLabel}
            </th>
            <th scope="col" class="end">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.key}>
              <th scope="row">
                <Breakable text={bar.label} />
                <span class="bar" style={{ "--part": bar.count / max }} />
                {bar.note !== undefined && <span class="note">{bar.note}</span>}
                {bar.code !== undefined && (
                  <code class="note">
                    <Breakable text={bar.code} />
                  </code>
                )}
              </th>
              <td class="end">{formatNumber(bar.count)}</td>
              <td class="end">{formatPercent(total === 0 ? null : bar.count / total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Chart>
  );
}
