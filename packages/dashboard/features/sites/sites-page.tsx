import type { ListedSiteData, SitesData, SiteWithSecretData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { LinkButton } from "../../ui/button.tsx";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { formatDuration, formatNumber, formatPercent, NO_VALUE } from "../../ui/format.ts";
import { Page } from "../../ui/page.tsx";
import { may } from "../../ui/session.ts";
import { Empty, Failed, Loading } from "../../ui/states.tsx";
import { useData } from "../../ui/use-data.ts";
import { DeletedSites } from "./deleted-sites.tsx";
import { NewSecret } from "./keys/new-secret.tsx";
import { SiteTags } from "./site-tags.tsx";
import { LIST, MODE_NAMES } from "./text.ts";

/** /dashboard/sites: every site with its last 24 hours, and deleted ones that can be restored. */
export function SitesPage() {
  const sites = useData<SitesData>("sites", undefined, { refreshMs: 30_000 });
  const [restored, setRestored] = useState<SiteWithSecretData>();
  const create = (label: string) =>
    may("developer") && (
      <LinkButton kind="primary" href="/dashboard/sites/new">
        {label}
      </LinkButton>
    );
  const { data } = sites;
  const hasSites = data !== undefined && data.sites.length > 0;
  return (
    <Page
      title={LIST.title}
      {...(hasSites && { intro: LIST.intro })}
      actions={hasSites && create(LIST.create)}
    >
      {sites.state === "loading" && <Loading />}
      {sites.error !== undefined && <Failed error={sites.error} onRetry={sites.reload} />}
      {restored !== undefined && (
        <NewSecret fresh={restored} onDone={() => setRestored(undefined)} />
      )}
      {data !== undefined && !hasSites && (
        <Empty title={LIST.empty} action={create(LIST.createFirst)}>
          <p>{LIST.emptyBody}</p>
        </Empty>
      )}
      {hasSites && <SiteTable sites={data.sites} />}
      {data !== undefined && data.deleted.length > 0 && (
        <DeletedSites
          deleted={data.deleted}
          onRestored={(site) => {
            setRestored(site);
            sites.reload();
          }}
        />
      )}
    </Page>
  );
}

/** Every site with its last 24 hours. */
export function SiteTable({ sites }: { readonly sites: readonly ListedSiteData[] }) {
  const count = (key: "issued" | "solved" | "verified", label: string) => {
    return {
      key,
      label,
      align: "end" as const,
      render: (site: ListedSiteData) => formatNumber(site[key]),
    };
  };
  const rate = (key: "passRate" | "blockRate", label: string) => {
    return {
      key,
      label,
      align: "end" as const,
      render: (site: ListedSiteData) => formatPercent(site[key]),
    };
  };
  return (
    <div class="site-table">
      <DataTable
        caption={LIST.caption}
        isWide
        rows={sites}
        rowKey={({ siteKey }) => siteKey}
        columns={[
          { key: "site", label: LIST.site, render: (site) => <SiteName site={site} /> },
          { key: "mode", label: LIST.mode, render: ({ mode }) => MODE_NAMES[mode] },
          { key: "secret", label: LIST.secret, render: ({ lastFour }) => <code>…{lastFour}</code> },
          count("issued", LIST.challenges),
          count("solved", LIST.solved),
          count("verified", LIST.verified),
          rate("passRate", LIST.passRate),
          rate("blockRate", LIST.blockRate),
          {
            key: "time",
            label: LIST.solveTime,
            align: "end",
            render: ({ solveP50Ms, solveP95Ms }) =>
              solveP50Ms === null
                ? NO_VALUE
                : `${formatDuration(solveP50Ms)} / ${formatDuration(solveP95Ms)}`,
          },
          {
            key: "course",
            label: LIST.course,
            align: "end",
            render: ({ sparkline, name }) => (
              <Sparkline values={sparkline} label={`${LIST.course}: ${name}`} />
            ),
          },
        ]}
      />
    </div>
  );
}

const WAVE_HELP =
  "Far more visits than usual look the same. Open the site to see what they share and to block them.";

function SiteName({ site }: { readonly site: ListedSiteData }) {
  const [first = "", ...others] = site.domains;
  return (
    <div>
      <a href={`/dashboard/sites/${site.siteKey}`}>{site.name}</a>
      <span class="row-note" title={site.domains.join(", ")}>
        {first}
        {others.length > 0 && ` and ${others.length} more`}
      </span>
      <span class="tags">
        <SiteTags {...site} />
        {site.hasWave && (
          <span class="tag warn" title={WAVE_HELP}>
            Wave now
          </span>
        )}
      </span>
    </div>
  );
}
