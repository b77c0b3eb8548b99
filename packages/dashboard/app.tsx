import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { LocationProvider, Route, Router, useLocation } from "preact-iso";
import { LinkButton } from "./ui/button.tsx";
import { Frame, OpenFrame } from "./ui/frame.tsx";
import { lazyPage } from "./ui/lazy-page.tsx";
import { Page } from "./ui/page.tsx";

const AccountPage = lazyPage(
  async () => (await import("./features/account/your-account/account-page.tsx")).AccountPage,
);
const AuditPage = lazyPage(
  async () => (await import("./features/account/audit/audit-page.tsx")).AuditPage,
);
const LinkPage = lazyPage(
  async () => (await import("./features/account/sign-in/link-page.tsx")).LinkPage,
);
const MembersPage = lazyPage(
  async () => (await import("./features/account/members/members-page.tsx")).MembersPage,
);
const SignInPage = lazyPage(
  async () => (await import("./features/account/sign-in/sign-in-page.tsx")).SignInPage,
);
const SystemPage = lazyPage(
  async () => (await import("./features/account/system/system-page.tsx")).SystemPage,
);
const InstallPage = lazyPage(
  async () => (await import("./features/sites/install/install-page.tsx")).InstallPage,
);
const KeysPage = lazyPage(
  async () => (await import("./features/sites/keys/keys-page.tsx")).KeysPage,
);
const NewSitePage = lazyPage(
  async () => (await import("./features/sites/new-site-page.tsx")).NewSitePage,
);
const SettingsPage = lazyPage(
  async () => (await import("./features/sites/settings/settings-page.tsx")).SettingsPage,
);
const SitesPage = lazyPage(async () => (await import("./features/sites/sites-page.tsx")).SitesPage);
const DecisionsPage = lazyPage(
  async () => (await import("./features/statistics/decisions-page.tsx")).DecisionsPage,
);
const OutcomePage = lazyPage(
  async () => (await import("./features/statistics/outcome-page.tsx")).OutcomePage,
);
const ScoresPage = lazyPage(
  async () => (await import("./features/statistics/scores-page.tsx")).ScoresPage,
);

const HOME = "/dashboard/sites";
/** Pages that need no session. */
const OPEN_PAGES = ["/dashboard/sign-in", "/dashboard/link"];

/** The whole dashboard. */
export function App() {
  return (
    <LocationProvider scope="/dashboard">
      <Surroundings>
        <Router>
          <Route path="/dashboard" component={Home} />
          <Route path="/dashboard/sign-in" component={SignInPage} />
          <Route path="/dashboard/link" component={LinkPage} />
          <Route path={HOME} component={SitesPage} />
          <Route path="/dashboard/sites/new" component={NewSitePage} />
          <Route path="/dashboard/sites/:siteKey" component={OutcomePage} />
          <Route path="/dashboard/sites/:siteKey/scores" component={ScoresPage} />
          <Route path="/dashboard/sites/:siteKey/decisions" component={DecisionsPage} />
          <Route path="/dashboard/sites/:siteKey/settings" component={SettingsPage} />
          <Route path="/dashboard/sites/:siteKey/keys" component={KeysPage} />
          <Route path="/dashboard/sites/:siteKey/install" component={InstallPage} />
          <Route path="/dashboard/account" component={AccountPage} />
          <Route path="/dashboard/members" component={MembersPage} />
          <Route path="/dashboard/audit" component={AuditPage} />
          <Route path="/dashboard/system" component={SystemPage} />
          <Route default component={NotFoundPage} />
        </Router>
      </Surroundings>
    </LocationProvider>
  );
}

function Surroundings({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  if (!isReadable(path))
    return (
      <Frame>
        <NotFoundPage />
      </Frame>
    );
  return OPEN_PAGES.includes(path) ? <OpenFrame>{children}</OpenFrame> : <Frame>{children}</Frame>;
}

/** Whether the escapes in the path can be decoded; the router fails on those that can't. */
function isReadable(path: string): boolean {
  try {
    // The result is compared, because the build removes calls whose result is not used.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

function Home() {
  const { route } = useLocation();
  useEffect(() => route(HOME, true), []);
  return null;
}

function NotFoundPage() {
  return (
    <Page title="Page not found" intro="Check the address. The page may have been removed.">
      <LinkButton href={HOME}>Go to your sites</LinkButton>
    </Page>
  );
}
