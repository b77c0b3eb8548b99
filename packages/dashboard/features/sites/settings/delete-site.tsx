import type { SiteData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { announce } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { may } from "../../../ui/session.ts";
import { SETTINGS, SITE } from "../text.ts";

type DeleteSiteProps = {
  readonly site: SiteData /** Called before the page is left. */;
  readonly onDelete: () => void;
};

/** Deletes a site once its name was typed; it can be restored for 7 days (D12, states). */
export function DeleteSite({ site, onDelete }: DeleteSiteProps) {
  const { route } = useLocation();
  const [isAsking, setAsking] = useState(false);
  const confirm = async () => {
    const answer = await send("DELETE", `sites/${site.siteKey}`, { name: site.name });
    if (!answer.success) return answer;
    onDelete();
    announce(SETTINGS.deleted);
    route("/dashboard/sites", true);
    return undefined;
  };
  return (
    <Panel title={SETTINGS.deleteTitle} intro={SETTINGS.deleteBody}>
      <Button kind="danger" disabled={!may("admin")} onClick={() => setAsking(true)}>
        {SETTINGS.deleteAction}
      </Button>
      {!may("admin") && <p class="row-note">{SITE.adminsOnly}</p>}
      {isAsking && (
        <ConfirmDialog
          title={SETTINGS.deleteTitle}
          confirmLabel={SETTINGS.deleteAction}
          isDanger
          typed={site.name}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p>{SETTINGS.deleteBody}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
