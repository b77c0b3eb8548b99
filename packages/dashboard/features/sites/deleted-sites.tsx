import type { SitesData, SiteWithSecretData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { send } from "../../api.ts";
import { Button } from "../../ui/button.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Panel } from "../../ui/page.tsx";
import { may } from "../../ui/session.ts";
import { Countdown, Time } from "../../ui/time.tsx";
import { LIST, SITE } from "./text.ts";

type DeletedSite = SitesData["deleted"][number];

type DeletedSitesProps = {
  readonly deleted: readonly DeletedSite[];
  readonly onRestored: (site: SiteWithSecretData) => void;
};

/** Deleted sites that can still be restored (D12, states). */
export function DeletedSites({ deleted, onRestored }: DeletedSitesProps) {
  const [chosen, setChosen] = useState<DeletedSite>();
  const restore = async (siteKey: string) => {
    const answer = await send<SiteWithSecretData>("POST", `sites/${siteKey}/restore`);
    if (!answer.success) return answer;
    setChosen(undefined);
    onRestored(answer.data);
    return undefined;
  };
  return (
    <Panel title={LIST.deleted} intro={LIST.deletedIntro}>
      <DataTable
        caption={LIST.deleted}
        rows={deleted}
        rowKey={({ siteKey }) => siteKey}
        columns={[
          { key: "name", label: LIST.name, render: ({ name }) => name },
          {
            key: "deleted",
            label: LIST.deletedAt,
            render: ({ deletedAtMs }) => <Time ms={deletedAtMs} />,
          },
          {
            key: "gone",
            label: LIST.goneIn,
            render: ({ purgedAtMs }) => <Countdown untilMs={purgedAtMs} />,
          },
          {
            key: "restore",
            label: LIST.action,
            align: "end",
            render: (site) => (
              <Button
                class="small"
                aria-label={`${LIST.restoreTitle} ${site.name}`}
                disabled={!may("admin")}
                title={may("admin") ? undefined : SITE.adminsOnly}
                onClick={() => setChosen(site)}
              >
                {LIST.restore}
              </Button>
            ),
          },
        ]}
      />
      {chosen !== undefined && (
        <ConfirmDialog
          title={`${LIST.restoreTitle} ${chosen.name}`}
          confirmLabel={LIST.restore}
          onConfirm={() => restore(chosen.siteKey)}
          onClose={() => setChosen(undefined)}
        >
          <p>{LIST.restoreBody}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
