import type { SecretKeyData, SiteData, SiteWithSecretData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { NO_VALUE } from "../../../ui/format.ts";
import { announce, Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { may } from "../../../ui/session.ts";
import { Failed, Loading } from "../../../ui/states.tsx";
import { Countdown, Time } from "../../../ui/time.tsx";
import { useData } from "../../../ui/use-data.ts";
import { SiteShell } from "../site-shell.tsx";
import { KEYS, SITE } from "../text.ts";
import { NewSecret } from "./new-secret.tsx";

/**
 * /dashboard/sites/:siteKey/keys: both keys, when they were last used; rotating and revoking them
 * (spec 5.3; D12, states).
 */
export function KeysPage({ siteKey }: { readonly siteKey: string }) {
  const site = useData<SiteData>(`sites/${encodeURIComponent(siteKey)}`, undefined, {
    refreshMs: 15_000,
  });
  return (
    <SiteShell siteKey={siteKey} current="keys" site={site.data}>
      {site.state === "loading" && <Loading />}
      {site.error !== undefined && <Failed error={site.error} onRetry={site.reload} />}
      {site.data !== undefined && <Keys site={site.data} reload={site.reload} />}
    </SiteShell>
  );
}

/** Both keys of a site, and the actions on them. */
export function Keys({ site, reload }: { readonly site: SiteData; readonly reload: () => void }) {
  const [fresh, setFresh] = useState<SiteWithSecretData>();
  const inGrace = site.secretKeys.filter(({ state }) => state === "grace");
  const active = site.secretKeys.find(({ state }) => state === "active");
  /**
   * The last use of a replaced key after its successor was made: some server still has the old one.
   */
  const stillUsedAtMs = Math.max(
    ...inGrace
      .map(({ lastUsedAtMs }) => lastUsedAtMs ?? 0)
      .filter((ms) => ms > (active?.createdAtMs ?? 0)),
  );
  const [before = "", after = ""] = KEYS.oldInUse.split("{time}");
  return (
    <>
      {fresh !== undefined && <NewSecret fresh={fresh} onDone={() => setFresh(undefined)} />}
      <Panel title={SITE.siteKey} intro={KEYS.siteKeyIntro}>
        <CopyText value={site.siteKey} label={SITE.siteKey} />
      </Panel>
      <Panel title={SITE.secretKey} intro={KEYS.secretIntro}>
        {stillUsedAtMs > 0 && (
          <Notice kind="warning" title={KEYS.oldInUseTitle}>
            <p>
              {before}
              <Time ms={stillUsedAtMs} />
              {after}
            </p>
          </Notice>
        )}
        <KeyTable keys={[...(active === undefined ? [] : [active]), ...inGrace]} />
        <KeyActions
          siteKey={site.siteKey}
          siteName={site.name}
          hasReplaced={inGrace.length > 0}
          onRotated={(rotated) => {
            setFresh(rotated);
            reload();
          }}
          onRevoked={reload}
        />
      </Panel>
    </>
  );
}

function KeyTable({ keys }: { readonly keys: readonly SecretKeyData[] }) {
  return (
    <DataTable
      caption={KEYS.caption}
      rows={keys}
      rowKey={({ lastFour, createdAtMs }) => `${lastFour}${createdAtMs}`}
      columns={[
        {
          key: "lastFour",
          label: KEYS.lastFour,
          render: ({ lastFour }) => <code>…{lastFour}</code>,
        },
        {
          key: "state",
          label: KEYS.state,
          render: ({ state }) => (
            <span class={`tag ${state === "active" ? "good" : "warn"}`}>{KEYS[state]}</span>
          ),
        },
        {
          key: "created",
          label: KEYS.created,
          render: ({ createdAtMs }) => <Time ms={createdAtMs} />,
        },
        {
          key: "used",
          label: KEYS.lastUsed,
          render: ({ lastUsedAtMs }) =>
            lastUsedAtMs === null ? KEYS.never : <Time ms={lastUsedAtMs} />,
        },
        {
          key: "dies",
          label: KEYS.dies,
          render: ({ deadAtMs }) =>
            deadAtMs === null ? NO_VALUE : <Countdown untilMs={deadAtMs} />,
        },
      ]}
    />
  );
}

type KeyActionsProps = {
  readonly siteKey: string;
  readonly siteName: string;
  readonly hasReplaced: boolean;
  readonly onRotated: (rotated: SiteWithSecretData) => void;
  readonly onRevoked: () => void;
};

function KeyActions(props: KeyActionsProps) {
  const [asking, setAsking] = useState<"rotate" | "revoke">();
  const close = () => setAsking(undefined);
  const rotate = async () => {
    const answer = await send<SiteWithSecretData>("POST", `sites/${props.siteKey}/rotate`);
    if (!answer.success) return answer;
    close();
    props.onRotated(answer.data);
    return undefined;
  };
  const revoke = async () => {
    const answer = await send("POST", `sites/${props.siteKey}/revoke`);
    if (!answer.success) return answer;
    close();
    announce(KEYS.revoked);
    props.onRevoked();
    return undefined;
  };
  return (
    <>
      <p class="quiet">{KEYS.rotateIntro}</p>
      <div class="actions">
        <Button disabled={!may("admin")} onClick={() => setAsking("rotate")}>
          {KEYS.rotate}
        </Button>
        {props.hasReplaced && (
          <Button kind="danger" disabled={!may("admin")} onClick={() => setAsking("revoke")}>
            {KEYS.revoke}
          </Button>
        )}
        {!may("admin") && <span class="row-note">{SITE.adminsOnly}</span>}
      </div>
      {asking === "rotate" && (
        <ConfirmDialog
          title={KEYS.rotate}
          confirmLabel={KEYS.rotateConfirm}
          onConfirm={rotate}
          onClose={close}
        >
          <p>{KEYS.rotateBody}</p>
        </ConfirmDialog>
      )}
      {asking === "revoke" && (
        <ConfirmDialog
          title={KEYS.revoke}
          confirmLabel={KEYS.revokeConfirm}
          isDanger
          typed={props.siteName}
          onConfirm={revoke}
          onClose={close}
        >
          <p>{KEYS.revokeBody}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
