import assert from "node:assert/strict";
import { test } from "node:test";
import { runHook } from "@stile/testkit/page/run-hook";
import { pageWindow, standAt } from "@stile/testkit/page/stand-at";

const PAGE = "http://localhost/dashboard/sites/pk_1/settings";
standAt(PAGE);

/** The part of a link that the guard reads. */
class Link {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly target: string;
  readonly isDownload: boolean;
  constructor(
    href: string,
    more: { readonly target?: string; readonly isDownload?: boolean } = {},
  ) {
    const url = new URL(href, PAGE);
    [this.pathname, this.search, this.hash] = [url.pathname, url.search, url.hash];
    this.target = more.target ?? "";
    this.isDownload = more.isDownload === true;
  }
  hasAttribute(name: string): boolean {
    return name === "download" && this.isDownload;
  }
}

/** The reader's answer, and a record of the questions. */
const reader = { stays: true, asked: [] as string[], pushed: [] as string[] };
Object.assign(globalThis, {
  HTMLAnchorElement: Link,
  confirm: (question: string) => {
    reader.asked.push(question);
    return !reader.stays;
  },
  history: {
    pushState: (_state: unknown, _title: string, href: string) => reader.pushed.push(href),
  },
});
const { useLeaveGuard } = await import("./leave-guard.ts");

/** Fires an event at the page's window; returns whether it was held back. */
function fire(type: string, more: object = {}): boolean {
  const event = Object.assign(new Event(type, { cancelable: true }), more);
  pageWindow.dispatchEvent(event);
  return event.defaultPrevented;
}

const click = (link: Link | undefined, more: object = {}): boolean => {
  const plain = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, button: 0 };
  return fire("click", {
    ...plain,
    composedPath: () => (link === undefined ? [] : [link]),
    ...more,
  });
};

/** Guards the page while `act` runs; the reader chooses to stay. */
async function guarded(question: string | undefined, act: () => void): Promise<void> {
  Object.assign(reader, { stays: true, asked: [], pushed: [] });
  const hook = runHook(() => useLeaveGuard(question));
  await hook.began;
  act();
  await hook.end();
}

const ELSEWHERE = new Link("/dashboard/sites");

test("follows a link that leads away only after a yes, and keeps the typed text after a no", async () => {
  await guarded("Leave without saving?", () => {
    assert.equal(click(ELSEWHERE), true);
    reader.stays = false;
    assert.equal(click(ELSEWHERE), false);
    assert.deepEqual(reader.asked, ["Leave without saving?", "Leave without saving?"]);
  });
});

test("asks nothing if nothing is lost: another tab, a download, a place on the same page, no link", async () => {
  await guarded("Leave?", () => {
    for (const key of ["ctrlKey", "metaKey", "shiftKey", "altKey"])
      assert.equal(click(ELSEWHERE, { [key]: true }), false);
    click(ELSEWHERE, { button: 1 });
    click(new Link("/dashboard/sites", { target: "_blank" }));
    click(new Link("/file.csv", { isDownload: true }));
    click(new Link("#limits"));
    click(undefined);
    assert.deepEqual(reader.asked, []);
  });
});

test("takes the same page with another query for another page", async () => {
  await guarded("Leave?", () => assert.equal(click(new Link("?tab=2#limits")), true));
});

test("asks when the reader goes back, and restores the page's address", async () => {
  await guarded("Leave?", () => {
    standAt("http://localhost/dashboard/sites");
    let isHeard = false;
    const router = () => {
      isHeard = true;
    };
    pageWindow.addEventListener("popstate", router);
    fire("popstate");
    assert.deepEqual([reader.pushed, isHeard], [[PAGE], false], "the router must not follow");
    reader.stays = false;
    fire("popstate");
    assert.deepEqual([reader.pushed.length, isHeard], [1, true]);
    pageWindow.removeEventListener("popstate", router);
    standAt(PAGE);
  });
});

test("asks in the browser's own words when the tab closes, while there is something to lose", async () => {
  await guarded("Leave?", () => assert.equal(fire("beforeunload"), true));
  assert.equal(fire("beforeunload"), false, "the page is gone, and its guard with it");
});

test("asks nothing on a page with nothing to lose, or after it is gone", async () => {
  await guarded(undefined, () => {
    assert.equal(click(ELSEWHERE), false);
    assert.equal(fire("beforeunload"), false);
  });
  assert.equal(click(ELSEWHERE), false);
  assert.deepEqual(reader.asked, []);
});
