import type { SiteData } from "@stile/protocol/dashboard-api";
import type { InstallData } from "@stile/protocol/dashboard-statistics";
import { REASON_CODES } from "@stile/protocol/reason-codes";
import { useEffect, useState } from "preact/hooks";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { me } from "../../../ui/session.ts";
import { Failed, Loading } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { useData } from "../../../ui/use-data.ts";
import { Choice } from "../settings/choice.tsx";
import { SiteShell } from "../site-shell.tsx";
import { INSTALL } from "../text.ts";
import type { Snippet } from "./snippet.ts";

/**
 * /dashboard/sites/:siteKey/install: code with this site's key, and a live check of whether it
 * works.
 */
export function InstallPage({ siteKey }: { readonly siteKey: string }) {
  const path = `sites/${encodeURIComponent(siteKey)}`;
  const site = useData<SiteData>(path);
  return (
    <SiteShell siteKey={siteKey} current="install" site={site.data}>
      {site.state === "loading" && <Loading />}
      {site.state === "failed" && <Failed error={site.error} onRetry={site.reload} />}
      {site.data !== undefined && (
        <>
          <Snippets site={site.data} />
          <LiveCheck path={path} />
        </>
      )}
    </SiteShell>
  );
}

type InstallSnippets = { readonly page: readonly Snippet[]; readonly server: readonly Snippet[] };

function Snippets({ site }: { readonly site: SiteData }) {
  const { siteKey } = site;
  const baseUrl = me.value?.baseUrl ?? location.origin;
  const [parts, setParts] = useState<InstallSnippets>();
  useEffect(() => {
    void Promise.all([import("./page-snippets.ts"), import("./server-snippets.ts")]).then(
      ([{ pageSnippets }, { serverSnippets }]) => {
        const facts = { ...site, baseUrl };
        setParts({ page: pageSnippets(facts), server: serverSnippets(facts) });
      },
    );
  }, [baseUrl, site]);
  if (parts === undefined) return <Loading label={INSTALL.loadingCode} />;
  return (
    <>
      <Panel title={INSTALL.page} intro={INSTALL.pageIntro}>
        <SnippetChoice label={INSTALL.languagePage} snippets={parts.page} />
      </Panel>
      <Panel title={INSTALL.server} intro={INSTALL.serverIntro}>
        <SnippetChoice label={INSTALL.languageServer} snippets={parts.server} />
        <p class="quiet">
          {INSTALL.environment} <a href={`/dashboard/sites/${siteKey}/keys`}>{INSTALL.toKeys}</a>
        </p>
      </Panel>
    </>
  );
}

function SnippetChoice({
  label,
  snippets,
}: {
  readonly label: string;
  readonly snippets: readonly Snippet[];
}) {
  const [id, setId] = useState(snippets[0]?.id ?? "");
  const chosen = snippets.find((snippet) => snippet.id === id);
  return (
    <>
      <Choice
        label={label}
        value={id}
        onValue={setId}
        options={snippets.map((snippet) => ({ value: snippet.id, label: snippet.label }))}
      />
      {chosen !== undefined && (
        <CodeBlock code={chosen.code} language={chosen.language} label={chosen.label} />
      )}
    </>
  );
}

const POLL_MS = 3_000;

function LiveCheck({ path }: { readonly path: string }) {
  const install = useData<InstallData>(`${path}/install`, undefined, { refreshMs: POLL_MS });
  const { data } = install;
  return (
    <Panel title={INSTALL.check} intro={INSTALL.checkIntro}>
      {install.state === "loading" && <Loading />}
      {install.error !== undefined && <Failed error={install.error} onRetry={install.reload} />}
      {data !== undefined && (
        <>
          <Steps install={data} />
          {data.refusedHosts.length > 0 && (
            <Notice kind="warning" title={INSTALL.refusedHosts}>
              <ul>
                {data.refusedHosts.map(({ host, lastAtMs }) => (
                  <li key={host}>
                    <code>{host}</code>, <Time ms={lastAtMs} />
                  </li>
                ))}
              </ul>
              <p>
                {INSTALL.addHosts} <a href={`/dashboard/${path}/settings`}>{INSTALL.toSettings}</a>
              </p>
            </Notice>
          )}
          {data.lastRefusal !== null && (
            <Notice kind="warning" title={INSTALL.lastRefusal}>
              <p>
                <Time ms={data.lastRefusal.atMs} />:{" "}
                {REASON_CODES[data.lastRefusal.reasonCode].meaning} (
                <code>{data.lastRefusal.reasonCode}</code>)
              </p>
            </Notice>
          )}
        </>
      )}
    </Panel>
  );
}

/** The three steps of an integration: which were seen, and what to do about those that were not. */
export function Steps({ install }: { readonly install: InstallData }) {
  const seen = {
    challenge: install.lastChallengeAtMs,
    token: install.lastTokenAtMs,
    verified: install.lastVerifiedAtMs,
  };
  const isDone = Object.values(seen).every((ms) => ms !== null);
  return (
    <>
      <ol class="check-steps" aria-label={INSTALL.checkLabel}>
        {(Object.keys(seen) as (keyof typeof seen)[]).map((step) => {
          const { title, todo } = INSTALL.steps[step];
          const atMs = seen[step];
          return (
            <li key={step} class={atMs === null ? undefined : "done"}>
              <strong>{title}</strong>{" "}
              {atMs === null ? (
                <>
                  <span class="tag">{INSTALL.waiting}</span>
                  <span class="row-note">{todo}</span>
                </>
              ) : (
                <span class="tag good">
                  {INSTALL.seen} <Time ms={atMs} />
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <p role="status">{isDone && INSTALL.done}</p>
    </>
  );
}
