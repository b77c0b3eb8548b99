import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { proofWanted, send } from "../api.ts";
import { Button } from "./button.tsx";
import { lazyPage } from "./lazy-page.tsx";
import { announce, Notice, Toasts } from "./notice.tsx";
import { loadMe, may, me, mustSetUpFactor, recoveryCodesLeft } from "./session.ts";
import { Failed, Loading } from "./states.tsx";
import { TEXT } from "./text.ts";

const ProveDialog = lazyPage(async () => (await import("./prove-dialog.tsx")).ProveDialog);

/** Where a second factor is set up: the only page for a member who lacks a demanded one. */
const ACCOUNT = "/dashboard/account";

const PLACES = [
  { path: "/dashboard/sites", label: "Sites", role: "viewer" },
  { path: "/dashboard/members", label: "Members", role: "admin" },
  { path: "/dashboard/audit", label: "Audit log", role: "admin" },
  { path: "/dashboard/system", label: "System", role: "admin" },
] as const;

/**
 * Around every page of a signed-in member: top bar, navigation, live region, prove dialog. Waits
 * until the member is known.
 */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const [error, setError] = useState<Parameters<typeof Failed>[0]["error"]>();
  const load = () =>
    void loadMe().then((answer) => setError(answer.success ? undefined : answer.error));
  useEffect(() => {
    if (me.value === undefined) load();
  }, []);
  // Once shown, it stays: a dialog that disappears with its answer could not return the focus.
  const wasProofWanted = useRef(false);
  if (proofWanted.value !== undefined) wasProofWanted.current = true;
  const { path, route } = useLocation();
  const isElsewhere = mustSetUpFactor() && path !== ACCOUNT;
  useEffect(() => {
    if (isElsewhere) route(ACCOUNT, true);
  }, [isElsewhere]);
  return (
    <>
      <SkipLink />
      <header class="top-bar">
        <a class="brand" href="/dashboard/sites">
          <Mark />
          {TEXT.product}
        </a>
        {me.value !== undefined && <Menus />}
      </header>
      <main id="main" tabIndex={-1}>
        {recoveryCodesLeft.value !== undefined && <RecoveryNotice left={recoveryCodesLeft.value} />}
        {me.value !== undefined && !isElsewhere ? (
          children
        ) : error !== undefined ? (
          <Failed error={error} onRetry={load} />
        ) : (
          <Loading />
        )}
      </main>
      <Toasts />
      {wasProofWanted.current && <ProveDialog />}
    </>
  );
}

function RecoveryNotice({ left }: { readonly left: number }) {
  return (
    <Notice kind="warning" title={TEXT.recoveryUsed}>
      <p>
        {TEXT.recoveryLeft}: {left}. {TEXT.recoveryAdvice} <a href={ACCOUNT}>{TEXT.yourAccount}</a>
      </p>
      <Button class="small" onClick={() => (recoveryCodesLeft.value = undefined)}>
        {TEXT.dismiss}
      </Button>
    </Notice>
  );
}

/** Around the pages that need no session. */
export function OpenFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <header class="top-bar">
        <span class="brand">
          <Mark />
          {TEXT.product}
        </span>
      </header>
      <main id="main" class="open">
        {children}
      </main>
      <Toasts />
    </>
  );
}

function SkipLink() {
  return (
    <a class="skip" href="#main">
      Skip to content
    </a>
  );
}

function Menus() {
  return (
    <>
      {!mustSetUpFactor() && <Places />}
      <AccountMenu />
    </>
  );
}

function Places() {
  return (
    <>
      <Button kind="quiet" class="menu-button" popovertarget="places">
        Menu
      </Button>
      <nav id="places" popover="auto" aria-label="Main">
        {PLACES.filter(({ role }) => may(role)).map(({ path, label }) => (
          <PlaceLink key={path} path={path}>
            {label}
          </PlaceLink>
        ))}
      </nav>
    </>
  );
}

function AccountMenu() {
  const { user, accountName } = me.value ?? {};
  const signOut = async () => {
    const answer = await send("POST", "sign-out");
    // A member who walks away must not believe that the session has ended.
    if (!answer.success) return announce(`${TEXT.stillSignedIn} ${answer.error.message}`);
    sessionStorage.clear();
    // A full page load forgets everything that was read.
    location.assign("/dashboard/sign-in");
  };
  return (
    <>
      <Button kind="quiet" class="account-button" popovertarget="account-menu">
        <span class="account-name">{user?.name || user?.email}</span>
        <span aria-hidden="true"> ▾</span>
      </Button>
      <div id="account-menu" class="menu" popover="auto">
        <p class="menu-note">
          {user?.email}
          <br />
          <span class="quiet">
            {user?.role} of {accountName}
          </span>
        </p>
        <PlaceLink path={ACCOUNT}>{TEXT.yourAccount}</PlaceLink>
        <Button kind="quiet" onClick={signOut}>
          Sign out
        </Button>
      </div>
    </>
  );
}

type PlaceLinkProps = { readonly path: string; readonly children: ComponentChildren };

function PlaceLink({ path, children }: PlaceLinkProps) {
  const here = useLocation().path;
  const isCurrent = here === path || here.startsWith(`${path}/`);
  return (
    <a href={path} aria-current={isCurrent ? "page" : undefined} onClick={closeMenu}>
      {children}
    </a>
  );
}

/**
 * Closes the menu after navigation. In a wide window the navigation is no popover that could be
 * open.
 */
function closeMenu({ currentTarget }: { readonly currentTarget: Element }): void {
  currentTarget.closest<HTMLElement>(":popover-open")?.hidePopover();
}

/** The product's logo, as in the widget: a stile, a ladder across the rail of a fence. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <path d="M9.5 3l-3 18m8-18l3 18M8.5 8.5h7M7.6 13.5h8.8M6.9 18h10.2M1 11h4m14 0h4" />
    </svg>
  );
}
