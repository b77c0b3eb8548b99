import type { DashboardError, SiteData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { get, send } from "../../../api.ts";
import { announce } from "../../../ui/notice.tsx";
import { Failed, Loading } from "../../../ui/states.tsx";
import { useData } from "../../../ui/use-data.ts";
import { SiteShell } from "../site-shell.tsx";
import { SETTINGS } from "../text.ts";
import { DeleteSite } from "./delete-site.tsx";
import { useLeaveGuard } from "./leave-guard.ts";
import { findChange, mergeSettings, type SettingConflict, toSettings } from "./settings-draft.ts";
import { SettingsForm } from "./settings-form.tsx";
import { PreviewForm } from "./widget-preview.tsx";

/** /dashboard/sites/:siteKey/settings. */
export function SettingsPage({ siteKey }: { readonly siteKey: string }) {
  const path = `sites/${encodeURIComponent(siteKey)}`;
  const loaded = useData<SiteData>(path);
  return (
    <SiteShell siteKey={siteKey} current="settings" site={loaded.data}>
      {loaded.state === "loading" && <Loading />}
      {loaded.state === "failed" && <Failed error={loaded.error} onRetry={loaded.reload} />}
      {loaded.data !== undefined && (
        <Settings key={siteKey} loaded={loaded.data} onSaved={loaded.reload} />
      )}
    </SiteShell>
  );
}

type SettingsProps = { readonly loaded: SiteData; readonly onSaved: () => void };

function Settings({ loaded, onSaved }: SettingsProps) {
  const path = `sites/${loaded.siteKey}`;
  /** The site from which the draft was made. */
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState(() => toSettings(loaded));
  const [conflicts, setConflicts] = useState<readonly SettingConflict[]>();
  const [isLeaving, setLeaving] = useState(false);
  const change = findChange(toSettings(base), draft);
  const isDirty = Object.keys(change).length > 0;
  useLeaveGuard(isDirty && !isLeaving ? SETTINGS.leave : undefined);

  const adopt = (site: SiteData) => {
    setBase(site);
    setDraft(toSettings(site));
    setConflicts(undefined);
  };
  /**
   * Merges changes that somebody else saved meanwhile into the draft, which keeps its own changes.
   */
  const join = async (refusal: DashboardError) => {
    const answer = await get<SiteData>(path);
    if (!answer.success) return refusal;
    const joined = mergeSettings(toSettings(base), draft, toSettings(answer.data));
    setBase(answer.data);
    setDraft(joined.merged);
    setConflicts(joined.conflicts);
    return undefined;
  };
  const save = async () => {
    const answer = await send<SiteData>("PATCH", path, { revision: base.revision, ...change });
    if (answer.success) {
      adopt(answer.data);
      onSaved();
      announce(SETTINGS.saved);
      return undefined;
    }
    if (answer.error.code !== "conflict") return answer;
    const refusal = await join(answer.error);
    return refusal && { success: false as const, error: refusal };
  };
  return (
    <>
      <PreviewForm />
      <SettingsForm
        draft={draft}
        onDraft={setDraft}
        siteKey={loaded.siteKey}
        isDirty={isDirty}
        conflicts={conflicts}
        onSave={save}
        onDiscard={() => adopt(base)}
      />
      <DeleteSite site={base} onDelete={() => setLeaving(true)} />
    </>
  );
}
