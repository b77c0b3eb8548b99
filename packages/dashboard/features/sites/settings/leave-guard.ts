import { useEffect } from "preact/hooks";

/** What is asked before the page at `href` is left; undefined while nothing would be lost. */
let guarded: { readonly question: string; readonly href: string } | undefined;

/** Asks before the page is left by link, by the browser's back button or by closing it, while `question` is set. */
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

// Listening from the start, before the router does: events of the window itself reach their listeners in the order of registration.
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
  // The browser has moved already; the router must not follow.
  event.stopImmediatePropagation();
  history.pushState(null, "", guarded.href);
}

/** Whether following the link takes this page away: not a new tab, and not a place on the same page. */
function leavesPage(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0;
  const isSamePage = link.pathname === location.pathname && link.search === location.search && link.hash !== "";
  return !opensElsewhere && !/^_?(blank|top)$/.test(link.target) && !link.hasAttribute("download") && !isSamePage;
}
