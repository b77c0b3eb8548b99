import type { DashboardAnswer, SiteData } from "@stile/protocol/dashboard-api";
import type { ScoresData } from "@stile/protocol/dashboard-statistics";
import { useState } from "preact/hooks";
import { send } from "../../api.ts";
import { Button } from "../../ui/button.tsx";
import { BarTable } from "../../ui/charts/bar-table.tsx";
import { ScoreHistogram } from "../../ui/charts/score-histogram.tsx";
import { SelectField } from "../../ui/field.tsx";
import { countOf, formatScore } from "../../ui/format.ts";
import { announce } from "../../ui/notice.tsx";
import { Panel } from "../../ui/page.tsx";
import { may } from "../../ui/session.ts";
import { useData } from "../../ui/use-data.ts";
import { SiteShell } from "../sites/site-shell.tsx";
import { Counted, RangeChooser, useRange, useRangeData } from "./range-chooser.tsx";
import { Slider } from "./slider.tsx";
import { flagLabel } from "./text.ts";
import { VendorPanel } from "./vendor-panel.tsx";
import {
  describeScores,
  describeWhatIf,
  moveThreshold,
  type ScoreThresholds,
  whatIf,
} from "./what-if.ts";

/** How visitors were scored, and what other thresholds would have changed. */
export function ScoresPage({ siteKey }: { readonly siteKey: string }) {
  const state = useRange();
  const scores = useRangeData<ScoresData>(`sites/${encodeURIComponent(siteKey)}/scores`, state);
  return (
    <SiteShell siteKey={siteKey} current="scores">
      <RangeChooser {...state} shown={scores.data} />
      <Counted counted={scores}>
        {(data) => <Scores data={data} siteKey={siteKey} onSaved={scores.reload} />}
      </Counted>
    </SiteShell>
  );
}

type ScoresProps = {
  readonly data: ScoresData;
  readonly siteKey: string;
  readonly onSaved: () => void;
};

const ALL_ACTIONS = "all";

/** How visitors were scored in a range, with thresholds to try. */
export function Scores(props: ScoresProps) {
  const [action, setAction] = useState(ALL_ACTIONS);
  const [tried, setTried] = useState<ScoreThresholds>();
  // Names come from visitors: a prefix distinguishes an action called "all" from all actions
  // together.
  const one = props.data.byAction.find((entry) => `:${entry.action}` === action);
  const scored = one?.scored ?? props.data.scored;
  const thresholds = tried ?? props.data.thresholds;
  const result = whatIf(scored, props.data.verified, props.data.thresholds, thresholds);
  return (
    <>
      <Panel
        title="Scores and thresholds"
        intro="0 is a person, 1 is a bot. Move the thresholds to see what they would have changed."
      >
        {props.data.byAction.length > 0 && (
          <div class="filters">
            <SelectField
              label="Action"
              name="action"
              value={one === undefined ? ALL_ACTIONS : action}
              onValue={setAction}
              options={[
                { value: ALL_ACTIONS, label: "All actions" },
                ...props.data.byAction.map((entry) => ({
                  value: `:${entry.action}`,
                  label: entry.action || "(no name)",
                })),
              ]}
            />
          </div>
        )}
        <ScoreHistogram
          summary={describeScores(scored, thresholds)}
          counts={scored}
          thresholds={thresholds}
          inForce={props.data.thresholds}
        />
        <div class="sliders">
          <Slider
            label="Challenge from"
            value={thresholds.challenge}
            onValue={(value) => setTried(moveThreshold(thresholds, "challenge", value))}
          />
          <Slider
            label="Block from"
            value={thresholds.block}
            onValue={(value) => setTried(moveThreshold(thresholds, "block", value))}
          />
        </div>
        <p class="what-if">
          {tried === undefined
            ? "These are the current thresholds."
            : describeWhatIf(result, tried, one === undefined)}
        </p>
        <ThresholdActions
          tried={tried}
          inForce={props.data.thresholds}
          siteKey={props.siteKey}
          onDone={() => {
            setTried(undefined);
            props.onSaved();
          }}
        />
      </Panel>
      <VendorPanel data={props.data} siteKey={props.siteKey} />
      <Flags data={props.data} />
    </>
  );
}

type ThresholdActionsProps = {
  readonly tried: ScoreThresholds | undefined;
  readonly inForce: ScoreThresholds;
  readonly siteKey: string;
  readonly onDone: () => void;
};

function ThresholdActions(props: ThresholdActionsProps) {
  const site = useData<SiteData>(`sites/${encodeURIComponent(props.siteKey)}`);
  const [isBusy, setBusy] = useState(false);
  const { tried } = props;
  if (tried === undefined) return null;

  const apply = async (
    thresholds: ScoreThresholds,
    revision: number,
  ): Promise<DashboardAnswer<SiteData>> => {
    const answer = await send<SiteData>("PATCH", `sites/${encodeURIComponent(props.siteKey)}`, {
      revision,
      thresholds,
    });
    // If another change came first, the next attempt needs the new revision.
    site.reload();
    if (answer.success) props.onDone();
    else announce(answer.error.message);
    return answer;
  };
  const save = async () => {
    if (site.data === undefined) return;
    setBusy(true);
    const answer = await apply(tried, site.data.revision);
    setBusy(false);
    if (!answer.success) return;
    const { revision } = answer.data;
    announce(
      `Thresholds saved: challenge from ${formatScore(tried.challenge)}, block from ${formatScore(tried.block)}.`,
      {
        undo: () => apply(props.inForce, revision),
      },
    );
  };
  return (
    <div class="actions">
      {may("developer") && (
        <Button kind="primary" isBusy={isBusy || site.data === undefined} onClick={save}>
          Use these thresholds
        </Button>
      )}
      <Button onClick={props.onDone}>Keep the current ones</Button>
    </div>
  );
}

function Flags({ data }: { readonly data: ScoresData }) {
  const all = data.scored.reduce((sum, count) => sum + count, 0);
  return (
    <Panel title="Flags" intro="A visit can raise several flags; most raise none.">
      {data.flags.length === 0 ? (
        <p class="quiet">No flags were raised in this period.</p>
      ) : (
        <BarTable
          summary={`${countOf(data.flags.length, "kind")} of flags in ${countOf(all, "scored visit")}.`}
          nameLabel="Flag"
          countLabel="Visits"
          total={all}
          bars={data.flags.map(({ flag, count }) => ({
            key: flag,
            label: flagLabel(flag),
            code: flag,
            count,
          }))}
        />
      )}
    </Panel>
  );
}
