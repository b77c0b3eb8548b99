import type { SystemData } from "@stile/protocol/dashboard-api";
import { SECURITY_EVENTS } from "@stile/protocol/dashboard-events";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { DataTable } from "../../../ui/data-table.tsx";
import { formatDateTime, formatDuration, formatNumber } from "../../../ui/format.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Page, Panel } from "../../../ui/page.tsx";
import { may } from "../../../ui/session.ts";
import { Failed, Loading } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { useData } from "../../../ui/use-data.ts";
import { MEMBERS } from "../text.ts";
import { SYSTEM } from "./system-text.ts";

/** Clocks further apart than this are reported, ms; an answer takes a moment, too. */
const CLOCK_TOLERANCE_MS = 5_000;

/** /dashboard/system: facts about the running service for its operator. */
export function SystemPage() {
  const system = useData<SystemData>(may("admin") ? "system" : undefined);
  if (!may("admin")) return <Page title={SYSTEM.title} intro={MEMBERS.adminsOnly} width="narrow" />;
  return (
    <Page title={SYSTEM.title}>
      {system.state === "loading" && <Loading />}
      {system.state === "failed" && <Failed error={system.error} onRetry={system.reload} />}
      {system.data !== undefined && <System system={system.data} />}
    </Page>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type SystemProps = { readonly system: SystemData; readonly children?: ComponentChildren };

/** Facts for an operator, from these data; `children` come last. */
export function System({ system, children }: SystemProps) {
  return (
    <>
      {system.isStoreLate && (
        <Notice kind="warning" title={SYSTEM.storeLateTitle}>
          <p>{SYSTEM.storeLate}</p>
        </Notice>
      )}
      <Findings findings={system.findings} />
      <div class="columns">
        <div class="stack">
          <Service system={system} />
          <Store store={system.store} />
        </div>
        <div class="stack">
          <SecurityEvents events={system.securityEvents} />
          <ServiceKeys keys={system.serviceKeys} />
          {children}
        </div>
      </div>
    </>
  );
}

function Service({ system }: { readonly system: SystemData }) {
  const clock = useMemo(() => clockText(system.nowMs), [system]);
  return (
    <Panel title={SYSTEM.service}>
      <Facts
        facts={[
          [SYSTEM.version, system.version],
          [SYSTEM.node, system.node],
          [SYSTEM.started, <Time key="started" ms={system.startedAtMs} />],
          [SYSTEM.clock, clock],
          [SYSTEM.baseUrl, <code key="url">{system.baseUrl}</code>],
          [SYSTEM.demo, system.isDemoOn ? SYSTEM.demoOn : SYSTEM.demoOff],
        ]}
      />
    </Panel>
  );
}

function Store({ store }: { readonly store: SystemData["store"] }) {
  return (
    <Panel title={SYSTEM.store}>
      <Facts
        facts={[
          [SYSTEM.engine, store.engine],
          [SYSTEM.durability, store.durability],
          [SYSTEM.settings, <code key="settings">{store.detail}</code>],
        ]}
      />
      <p>{SYSTEM.durabilities[store.durability]}</p>
    </Panel>
  );
}

function ServiceKeys({ keys }: { readonly keys: SystemData["serviceKeys"] }) {
  return (
    <Panel title={SYSTEM.keys} intro={SYSTEM.keysIntro}>
      <DataTable
        caption={SYSTEM.keys}
        rows={keys}
        rowKey={({ keyId }) => keyId}
        columns={[
          { key: "id", label: SYSTEM.keyId, render: ({ keyId }) => keyId },
          {
            key: "created",
            label: SYSTEM.keyCreated,
            render: ({ createdAtMs }) => <Time ms={createdAtMs} />,
          },
          {
            key: "state",
            label: SYSTEM.keyState,
            render: ({ isCurrent }) => (isCurrent ? SYSTEM.keyCurrent : SYSTEM.keyOld),
          },
        ]}
      />
    </Panel>
  );
}

const TAGS = { fail: "tag bad", warn: "tag warn", ok: "tag good" } as const;

/** The findings of "doctor", those that need fixing first. */
function Findings({ findings }: { readonly findings: SystemData["findings"] }) {
  const byLevel = (["fail", "warn", "ok"] as const).flatMap((wanted) =>
    findings.filter(({ level }) => level === wanted),
  );
  return (
    <Panel title={SYSTEM.findings} intro={SYSTEM.findingsIntro}>
      <ul class="findings">
        {byLevel.map(({ level, text, fix }) => (
          <li key={text}>
            <span class={TAGS[level]}>{SYSTEM.levels[level]}</span>
            <div>
              <p>{text}</p>
              {fix !== undefined && <p class="fix">{fix}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function SecurityEvents({ events }: { readonly events: SystemData["securityEvents"] }) {
  return (
    <Panel title={SYSTEM.security} intro={SYSTEM.securityIntro}>
      {events.length === 0 ? (
        <p>{SYSTEM.securityNone}</p>
      ) : (
        <DataTable
          caption={SYSTEM.security}
          rows={events}
          rowKey={({ event }) => event}
          columns={[
            {
              key: "event",
              label: SYSTEM.securityEvent,
              render: ({ event }) => SECURITY_EVENTS[event],
            },
            {
              key: "count",
              label: SYSTEM.securityCount,
              align: "end",
              render: ({ count }) => formatNumber(count),
            },
            {
              key: "last",
              label: SYSTEM.securityLast,
              render: ({ lastAtMs }) => <Time ms={lastAtMs} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

function clockText(nowMs: number): string {
  const apartMs = Math.abs(nowMs - Date.now());
  const comparison =
    apartMs > CLOCK_TOLERANCE_MS
      ? `${SYSTEM.clockDiffers} ${formatDuration(apartMs)}`
      : SYSTEM.clockAgrees;
  return `${formatDateTime(nowMs)}; ${comparison}`;
}
