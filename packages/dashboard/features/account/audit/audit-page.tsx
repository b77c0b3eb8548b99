import type { DashboardError } from "@stile/protocol/dashboard-api";
import { AUDIT_ACTIONS, type AuditData } from "@stile/protocol/dashboard-events";
import { useEffect, useState } from "preact/hooks";
import { get } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Page } from "../../../ui/page.tsx";
import { may } from "../../../ui/session.ts";
import { Empty, Failed, Loading } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { AUDIT, MEMBERS } from "../text.ts";
import { fieldName, subjectWords, toWords } from "./audit-words.ts";

type AuditAnswer = { readonly entries: readonly AuditData[]; readonly hasMore: boolean };

/** /dashboard/audit: each action, its actor, and the changes. */
export function AuditPage() {
  if (!may("admin")) return <Page title={AUDIT.title} intro={MEMBERS.adminsOnly} width="narrow" />;
  return (
    <Page title={AUDIT.title} intro={AUDIT.intro}>
      <AuditList />
    </Page>
  );
}

function AuditList() {
  const [entries, setEntries] = useState<readonly AuditData[]>();
  const [hasMore, setMore] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<DashboardError>();
  const load = async () => {
    setBusy(true);
    const before = entries?.at(-1)?.entryId;
    const answer = await get<AuditAnswer>("audit", before === undefined ? {} : { before });
    setBusy(false);
    setError(answer.success ? undefined : answer.error);
    if (!answer.success) return;
    setEntries([...(entries ?? []), ...answer.data.entries]);
    setMore(answer.data.hasMore);
  };
  useEffect(() => {
    void load();
  }, []);
  return (
    <>
      {entries === undefined && error === undefined && <Loading />}
      {entries?.length === 0 && <Empty title={AUDIT.empty} />}
      {entries !== undefined && entries.length > 0 && <AuditTable entries={entries} />}
      {error !== undefined && <Failed error={error} onRetry={load} />}
      {hasMore && error === undefined && (
        <div class="actions">
          <Button onClick={load} isBusy={isBusy}>
            {AUDIT.more}
          </Button>
        </div>
      )}
    </>
  );
}

/** Entries of the audit log, in words. */
export function AuditTable({ entries }: { readonly entries: readonly AuditData[] }) {
  return (
    <DataTable
      caption={AUDIT.caption}
      isWide
      rows={entries}
      rowKey={({ entryId }) => entryId}
      columns={[
        { key: "when", label: AUDIT.when, render: ({ atMs }) => <Time ms={atMs} isExact /> },
        { key: "who", label: AUDIT.who, render: ({ actor }) => actor },
        {
          key: "what",
          label: AUDIT.what,
          render: ({ action, subject }) => (
            <div>
              {Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action] : action}{" "}
              {subjectWords(action, subject)}
            </div>
          ),
        },
        {
          key: "changes",
          label: AUDIT.changes,
          render: ({ changes }) =>
            changes.length > 0 && (
              <ul class="changes">
                {changes.map(({ field, before, after }) => (
                  <li key={field}>
                    {fieldName(field)}: <del>{toWords(field, before)}</del>{" "}
                    <span aria-hidden="true">→</span> <ins>{toWords(field, after)}</ins>
                  </li>
                ))}
              </ul>
            ),
        },
      ]}
    />
  );
}
