import { useEffect } from "preact/hooks";

/** The question to ask before the page at `href` is left; undefined while nothing would be lost. */
let guarded: { readonly question: string; readonly href: string } | undefined;

/**
 * While `question` is set, asks it before the page is left by a link, by the back button or by
 * closing it.
 */
export function useLeaveGuard(question: string | undefined): void {
  useEffect(() => {
    if (question === undefined) return undefined;
    guarded = { question, href: location.href };
    addEventListener("beforeunload", refuseUnload);
    return () => {
      guarded = undefined;
      removeEventListener("beforeunload", refuseUnload);
    };
  }, [question]);
}

// Registered at the start, before the router's: listeners on the window itself run in the order of
// registration.
addEventListener("click", onClick, true);
addEventListener("popstate", onPopState);

function refuseUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function onClick(event: MouseEvent): void {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (guarded === undefined || link === undefined || !leavesPage(link, event)) return;
  if (confirm(guarded.question)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function onPopState(event: PopStateEvent): void {
  if (guarded === undefined || location.href === guarded.href || confirm(guarded.question)) return;
  // The browser has already moved; the router must not follow.
  event.stopImmediatePropagation();
  history.pushState(null, "", guarded.href);
}

/**
 * Whether following the link leaves this page: it opens no new tab, and is no anchor on the same
 * page.
 */
function leavesPage(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const opensElsewhere =
    event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
  const isSamePage =
    link.pathname === location.pathname && link.search === location.search && link.hash !== "";
  return (
    !opensElsewhere &&
    !/^_?(blank|top)$/.test(link.target) &&
    !link.hasAttribute("download") &&
    !isSamePage
  );
}
