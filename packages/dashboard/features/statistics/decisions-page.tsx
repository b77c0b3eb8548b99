import type { SiteData } from "@stile/protocol/dashboard-api";
import type { DecisionsData, ScoredRequestData } from "@stile/protocol/dashboard-statistics";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { get, send } from "../../api.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { formatNumber } from "../../ui/format.ts";
import { announce } from "../../ui/notice.tsx";
import { Panel } from "../../ui/page.tsx";
import { toSearch, type UrlQuery } from "../../ui/query.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { useData } from "../../ui/use-data.ts";
import { SiteShell } from "../sites/site-shell.tsx";
import { DecisionRow } from "./decision-row.tsx";
import { FILTER_LABELS } from "./decision-words.ts";
import {
  appendOlder,
  type Feed,
  NO_FEED,
  receive,
  relabel,
  showWaiting,
} from "./decisions-feed.ts";
import { NoDecisions } from "./empty-states.tsx";

const POLL_MS = 3_000;

/** The latest decisions of a site, as they happen. */
export function DecisionsPage({ siteKey }: { readonly siteKey: string }) {
  const { query, path, route } = useLocation();
  const filter = { show: query.show, requestId: query.requestId };
  const change = (next: UrlQuery) => route(path + toSearch({ ...filter, ...next }), true);
  return (
    <SiteShell siteKey={siteKey} current="decisions">
      <Panel
        title="Decisions"
        intro="Newest first, kept for 30 days. The widget shows blocked and refused visitors a request ID that they can give you."
      >
        <Filters key={`${filter.requestId}`} filter={filter} onChange={change} />
        {/* A different filter needs a new list. */}
        <Decisions
          key={toSearch(filter)}
          siteKey={siteKey}
          filter={filter}
          onClear={() => route(path, true)}
        />
      </Panel>
    </SiteShell>
  );
}

type Filter = { readonly show: string | undefined; readonly requestId: string | undefined };
type FiltersProps = { readonly filter: Filter; readonly onChange: (next: UrlQuery) => void };

function Filters({ filter, onChange }: FiltersProps) {
  const [requestId, setRequestId] = useState(filter.requestId ?? "");
  return (
    <form
      class="filters"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ requestId: requestId.trim() });
      }}
    >
      <SelectField
        label="Show"
        name="show"
        value={filter.show ?? ""}
        onValue={(show) => onChange({ show })}
        options={[
          { value: "", label: "All" },
          ...Object.entries(FILTER_LABELS).map(([value, label]) => ({ value, label })),
        ]}
      />
      <TextField
        label="Request ID"
        name="requestId"
        type="search"
        size={40}
        autocomplete="off"
        spellcheck={false}
        value={requestId}
        onValue={setRequestId}
      />
      <Button type="submit">Find</Button>
    </form>
  );
}

type DecisionsProps = {
  readonly siteKey: string;
  readonly filter: Filter;
  readonly onClear: () => void;
};

function Decisions(props: DecisionsProps) {
  const path = `sites/${encodeURIComponent(props.siteKey)}/decisions`;
  const [isPaused, setPaused] = useState(false);
  const [feed, setFeed] = useState<Feed>(NO_FEED);
  const latest = useData<DecisionsData>(path, props.filter, isPaused ? {} : { refreshMs: POLL_MS });
  const site = useData<SiteData>(`sites/${encodeURIComponent(props.siteKey)}`);
  useEffect(() => {
    const { data } = latest;
    if (data !== undefined) setFeed((last) => receive(last, data));
  }, [latest.data]);

  const loadOlder = async () => {
    const answer = await get<DecisionsData>(path, {
      ...props.filter,
      before: feed.shown.at(-1)?.decisionId,
    });
    if (answer.success) setFeed((last) => appendOlder(last, answer.data));
    else announce(answer.error.message);
  };
  const label = async (
    decision: ScoredRequestData,
    next: ScoredRequestData["label"],
  ): Promise<void> => {
    const { decisionId, label: before } = decision;
    setFeed((last) => relabel(last, decisionId, next));
    const answer = await send("PUT", `${path}/${decisionId}/label`, { label: next });
    if (!answer.success) {
      setFeed((last) => relabel(last, decisionId, before));
      announce(answer.error.message);
      return;
    }
    const words = next === null ? "Label removed." : `Labelled as a ${next}.`;
    announce(words, { undo: () => label({ ...decision, label: next }, before) });
  };

  if (latest.state === "loading") return <Loading />;
  if (latest.state === "failed") return <Failed error={latest.error} onRetry={latest.reload} />;
  return (
    <>
      <LiveBar
        isPaused={isPaused}
        isBroken={latest.error !== undefined}
        waiting={feed.waiting.length}
        hasGap={feed.hasGap}
        onPause={() => setPaused(!isPaused)}
        onShow={() => setFeed(showWaiting)}
      />
      {feed.shown.length === 0 ? (
        <NoDecisions
          isFiltered={toSearch(props.filter) !== ""}
          siteKey={props.siteKey}
          onClear={props.onClear}
        />
      ) : (
        <ol class="decisions">
          {feed.shown.map((decision) => (
            <DecisionRow
              key={decision.decisionId}
              decision={decision}
              thresholds={site.data?.thresholds}
              isOpenAtFirst={props.filter.requestId !== undefined}
              onLabel={label}
            />
          ))}
        </ol>
      )}
      {feed.hasMore && <Button onClick={loadOlder}>Show older decisions</Button>}
    </>
  );
}

type LiveBarProps = {
  readonly isPaused: boolean;
  readonly isBroken: boolean;
  readonly waiting: number;
  readonly hasGap: boolean;
  readonly onPause: () => void;
  readonly onShow: () => void;
};

/** Whether the list follows along, and how many decisions wait to be shown. */
export function LiveBar(props: LiveBarProps) {
  const state = props.isPaused ? "Paused" : props.isBroken ? "Connection lost, retrying" : "Live";
  return (
    <div class="live-bar">
      <span class={state === "Live" ? "live live-on" : "live"}>{state}</span>
      <Button class="small" onClick={props.onPause}>
        {props.isPaused ? "Resume" : "Pause"}
      </Button>
      {props.waiting > 0 && (
        <Button kind="primary" class="small" onClick={props.onShow}>
          Show {formatNumber(props.waiting)}
          {props.hasGap ? "+" : ""} new
        </Button>
      )}
    </div>
  );
}
