import type { SiteData } from "@stile/protocol/dashboard-api";
import type { ComponentChildren } from "preact";
import { LinkButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { useData } from "../../ui/use-data.ts";
import { SiteTags } from "./site-tags.tsx";
import { SITE } from "./text.ts";

/** The pages of one site. */
export type SiteTab = keyof typeof SITE.tabs;

type SiteShellProps = {
  readonly siteKey: string;
  readonly current: SiteTab;
  /** The site, if the page has already loaded it. */
  readonly site?: SiteData | undefined;
  readonly children?: ComponentChildren;
};

/** The frame around each page of a site: its name, its state, and the tabs, which are links. */
export function SiteShell(props: SiteShellProps) {
  const path = `sites/${encodeURIComponent(props.siteKey)}`;
  const own = useData<SiteData>(props.site === undefined ? path : undefined);
  const shown = props.site ?? own.data;
  if (shown === undefined && own.error?.code === "not_found") return <UnknownSite />;
  return (
    <Page
      title={shown?.name ?? props.siteKey}
      documentTitle={`${SITE.tabs[props.current]} · ${shown?.name ?? props.siteKey}`}
      intro={
        <span class="tags">
          {shown !== undefined && (
            <>
              {shown.isEnabled && <span class="tag good">{SITE.enabled}</span>}
              <SiteTags {...shown} />
            </>
          )}
          <a href="/dashboard/sites">{SITE.allSites}</a>
        </span>
      }
    >
      <nav class="tabs" aria-label={SITE.tabsLabel}>
        {(Object.keys(SITE.tabs) as SiteTab[]).map((tab) => (
          <a
            key={tab}
            href={`/dashboard/${path}${tab === "outcome" ? "" : `/${tab}`}`}
            aria-current={tab === props.current ? "page" : undefined}
          >
            {SITE.tabs[tab]}
          </a>
        ))}
      </nav>
      {props.children}
    </Page>
  );
}

function UnknownSite() {
  return (
    <Page title={SITE.unknownTitle} intro={SITE.unknownBody}>
      <LinkButton href="/dashboard/sites">{SITE.toSites}</LinkButton>
    </Page>
  );
}
