import {
  DECISION_LABELS,
  type DecisionData,
  type DecisionLabel,
  type RefusalData,
  type ScoredRequestData,
} from "@stile/protocol/dashboard-statistics";
import { useId, useState } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { formatDateTime, formatDuration, formatScore, NO_VALUE } from "../../ui/format.ts";
import { may } from "../../ui/session.ts";
import { Time } from "../../ui/time.tsx";
import {
  describeDecision,
  explainNothing,
  OUTCOMES,
  SOURCES,
  signedBy,
  toReasons,
} from "./decision-words.ts";
import { REFUSALS } from "./text.ts";
import type { ScoreThresholds } from "./what-if.ts";

type DecisionRowProps = {
  readonly decision: DecisionData;
  readonly thresholds: ScoreThresholds | undefined;
  readonly isOpenAtFirst: boolean;
  readonly onLabel: (decision: ScoredRequestData, label: DecisionLabel | null) => void;
};

/** One decision in a line; its explanation opens below it. */
export function DecisionRow(props: DecisionRowProps) {
  const [isOpen, setOpen] = useState(props.isOpenAtFirst);
  const id = useId();
  const { label: outcome, tone } = OUTCOMES[props.decision.outcome];
  const refused = props.decision.outcome === "refused" ? props.decision : undefined;
  const scored = props.decision.outcome === "refused" ? undefined : props.decision;
  const recommended = props.decision.outcome === "answered" && props.decision.recommendation;
  return (
    <li class="decision">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="chevron" aria-hidden="true" />
        <span class="decision-time">
          <Time ms={props.decision.atMs} />
        </span>
        <span class="decision-outcome">
          <span class={`tag ${tone}`}>{outcome}</span>
        </span>
        <span>
          <span class="unseen">score </span>
          {scored === undefined ? NO_VALUE : formatScore(scored.score)}
        </span>
        <span class="decision-rest quiet">
          {[
            refused && REFUSALS[refused.reason],
            recommended,
            props.decision.host,
            props.decision.action,
            scored?.device,
            scored && signedBy(scored),
          ]
            .filter(Boolean)
            .join(" · ")}
          {scored?.label && (
            <>
              {" "}
              <span class="tag">{scored.label}</span>
            </>
          )}
        </span>
      </button>
      <div id={id} hidden={!isOpen} class="explanation">
        {isOpen && refused && <Refusal refusal={refused} />}
        {isOpen && scored && (
          <Explanation decision={scored} thresholds={props.thresholds} onLabel={props.onLabel} />
        )}
      </div>
    </li>
  );
}

function Refusal({ refusal }: { readonly refusal: RefusalData }) {
  return (
    <>
      <p>
        {REFUSALS[refusal.reason]}.
        {refusal.reason === "domain_mismatch" &&
          " If the page is yours, add its host in the settings."}
      </p>
      <dl class="facts">
        <WhatWasAsked decision={refusal} />
      </dl>
      <RequestId decision={refusal} />
    </>
  );
}

type ExplanationProps = Pick<DecisionRowProps, "thresholds" | "onLabel"> & {
  readonly decision: ScoredRequestData;
};

/** Below the threshold, only visits of a refused wave are blocked. */
const isOfRefusedWave = (data: ScoredRequestData): boolean =>
  data.source === "widget" && data.outcome === "blocked" && data.recommendation !== "block";

function Explanation(props: ExplanationProps) {
  const reasons = toReasons(props.decision);
  return (
    <>
      <p>
        {describeDecision(props.decision, props.thresholds)}
        {isOfRefusedWave(props.decision) &&
          " It was blocked because a member blocked its wave for an hour."}
      </p>
      {reasons.length === 0 ? (
        <p class="quiet">{explainNothing(props.decision)}</p>
      ) : (
        <ul class="reasons" aria-label="What raised the score">
          {reasons.map((reason) => (
            <li key={reason.flag}>
              <span>{reason.label}</span>
              <span class="quiet">{reason.strength}</span>
              <span class="bar" style={{ "--part": reason.part }} />
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        <WhatWasAsked decision={props.decision} />
        <Fact name="Source">{SOURCES[props.decision.source]}</Fact>
        <Fact name="Solve time">{formatDuration(props.decision.solveMs)}</Fact>
        <Fact name="Device">{props.decision.device}</Fact>
        {props.decision.signedAgent && (
          <Fact name="Signed by">{props.decision.signedAgent.name}</Fact>
        )}
      </dl>
      <RequestId decision={props.decision} />
      {may("developer") && (
        <Labels
          current={props.decision.label}
          onLabel={(label) => props.onLabel(props.decision, label)}
        />
      )}
    </>
  );
}

type AnyDecision = { readonly decision: DecisionData };

function WhatWasAsked({ decision }: AnyDecision) {
  return (
    <>
      <Fact name="When">{formatDateTime(decision.atMs)}</Fact>
      <Fact name="Host">{decision.host ?? NO_VALUE}</Fact>
      <Fact name="Action">{decision.action ?? NO_VALUE}</Fact>
    </>
  );
}

function RequestId({ decision }: AnyDecision) {
  return (
    <p>
      Request ID: <CopyText value={decision.requestId} label="Request ID" />
    </p>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const LABEL_WORDS: Readonly<Record<DecisionLabel, string>> = { person: "Person", bot: "Bot" };

type LabelsProps = {
  readonly current: DecisionLabel | null;
  readonly onLabel: (label: DecisionLabel | null) => void;
};

/** The members' label is stored for calibration; pressing the same label again removes it. */
function Labels({ current, onLabel }: LabelsProps) {
  return (
    <fieldset class="labels">
      <legend>Do you know whether this was a person or a bot?</legend>
      <div class="actions">
        {DECISION_LABELS.map((label) => (
          <Button
            key={label}
            class="small"
            aria-pressed={current === label}
            onClick={() => onLabel(current === label ? null : label)}
          >
            {LABEL_WORDS[label]}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
