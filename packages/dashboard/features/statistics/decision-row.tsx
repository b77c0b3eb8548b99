import { DECISION_LABELS, type DecisionData, type DecisionLabel } from "@stile/protocol/dashboard-statistics";
import { useId, useState } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { formatDateTime, formatDuration, formatScore, NO_VALUE } from "../../ui/format.ts";
import { may } from "../../ui/session.ts";
import { Time } from "../../ui/time.tsx";
import { describeDecision, OUTCOMES, toReasons } from "./explain.ts";
import type { Thresholds } from "./what-if.ts";

type DecisionRowProps = {
  readonly decision: DecisionData;
  readonly thresholds: Thresholds | undefined;
  readonly isOpenAtFirst: boolean;
  readonly onLabel: (label: DecisionLabel | null) => void;
};

/** One decision in a line; the explanation opens below it. */
export function DecisionRow({ decision, thresholds, isOpenAtFirst, onLabel }: DecisionRowProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  const { label: outcome, tone } = OUTCOMES[decision.outcome];
  return (
    <li class="decision">
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <span class="chevron" aria-hidden="true" />
        <span class="decision-time">
          <Time ms={decision.atMs} />
        </span>
        <span class="decision-outcome">
          <span class={`tag ${tone}`}>{outcome}</span>
        </span>
        <span>
          <span class="unseen">score </span>
          {formatScore(decision.score)}
        </span>
        <span class="decision-rest quiet">
          {[decision.host, decision.action, decision.device].filter(Boolean).join(" · ")}
          {decision.label !== null && (
            <>
              {" "}
              <span class="tag">{decision.label}</span>
            </>
          )}
        </span>
      </button>
      <div id={id} hidden={!isOpen} class="explanation">
        {isOpen && <Explanation decision={decision} thresholds={thresholds} onLabel={onLabel} />}
      </div>
    </li>
  );
}

type ExplanationProps = Omit<DecisionRowProps, "isOpenAtFirst">;

function Explanation({ decision, thresholds, onLabel }: ExplanationProps) {
  const reasons = toReasons(decision);
  return (
    <>
      <p>{describeDecision(decision, thresholds)}</p>
      {reasons.length === 0 ? (
        <p class="quiet">Nothing spoke against this visitor; everybody starts at 0.05.</p>
      ) : (
        <ul class="reasons" aria-label="What raised the score">
          {reasons.map(({ flag, label, strength, part }) => (
            <li key={flag}>
              <span>{label}</span>
              <span class="quiet">{strength}</span>
              <span class="bar" style={{ "--part": part }} />
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        <Fact name="When">{formatDateTime(decision.atMs)}</Fact>
        <Fact name="Asked by">{decision.source === "widget" ? "The widget" : "Your server (score request)"}</Fact>
        <Fact name="Solve time">{formatDuration(decision.solveMs)}</Fact>
        <Fact name="Device">{decision.device}</Fact>
        <Fact name="Action">{decision.action ?? NO_VALUE}</Fact>
        <Fact name="Host">{decision.host ?? NO_VALUE}</Fact>
      </dl>
      <p>
        Request id: <CopyText value={decision.requestId} label="Request id" />
      </p>
      {may("developer") && <Labels current={decision.label} onLabel={onLabel} />}
    </>
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

const LABEL_WORDS: Readonly<Record<DecisionLabel, string>> = { person: "A person", bot: "A bot" };

type LabelsProps = Pick<DecisionRowProps, "onLabel"> & { readonly current: DecisionLabel | null };

/** What people know about it is kept for calibration; pressing the same again takes it back. */
function Labels({ current, onLabel }: LabelsProps) {
  return (
    <fieldset class="labels">
      <legend>Do you know what this was?</legend>
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
