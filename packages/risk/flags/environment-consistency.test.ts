import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHROME_VISITOR,
  findVisitor,
  type HonestEvidence,
  withEnvironment,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { raises } from "@stile/testkit/visits/raises";
import { environmentMismatch } from "./environment-mismatch.ts";
import { iframeMismatch } from "./iframe-mismatch.ts";
import { platformMismatch } from "./platform-mismatch.ts";
import { workerMismatch } from "./worker-mismatch.ts";

const FIREFOX = findVisitor("Firefox on Linux, keyboard only");

type Frame = NonNullable<HonestEvidence["environment"]["frame"]>;
const withFrame = (it: HonestEvidence, changes: Partial<Frame>) =>
  withEnvironment(it, { frame: { ...it.environment.frame!, ...changes } });

test("iframe_mismatch: raised by a disguise that covers the page but not its frames", () => {
  const linux = CHROME_VISITOR.userAgent.replace(
    "Windows NT 10.0; Win64; x64",
    "X11; Linux x86_64",
  );
  assert.ok(raises(iframeMismatch, withFrame(CHROME_VISITOR, { userAgent: linux })), "system");
  assert.ok(
    raises(iframeMismatch, withFrame(CHROME_VISITOR, { userAgent: FIREFOX.userAgent })),
    "engine",
  );
  assert.ok(raises(iframeMismatch, withFrame(CHROME_VISITOR, { webdriver: true })), "driver");
  assert.ok(raises(iframeMismatch, withFrame(CHROME_VISITOR, { cores: 2 })), "cores");
});

test("iframe_mismatch: silent on values that a platform hides or disguises for its users", () => {
  assert.ok(!raises(iframeMismatch, withEnvironment(CHROME_VISITOR, { frame: null })));
  assert.ok(!raises(iframeMismatch, withFrame(CHROME_VISITOR, { cores: null, webdriver: null })));
  assert.ok(
    !raises(iframeMismatch, withFrame(FIREFOX, { cores: 2 })),
    "Firefox rounds cores in frames",
  );
  assert.ok(
    !raises(iframeMismatch, withFrame(findVisitor("Brave on a Mac"), { cores: 3 })),
    "Brave scrambles cores",
  );
  assert.ok(!raises(iframeMismatch, {}));
});

test("iframe_mismatch: raised by a fresh frame that the disguise did not reach", () => {
  const blankOf = (changes: Partial<Frame>) =>
    withEnvironment(CHROME_VISITOR, {
      blank: { ...CHROME_VISITOR.environment.blank!, ...changes },
    });
  assert.ok(raises(iframeMismatch, blankOf({ cores: 2 })));
  assert.ok(raises(iframeMismatch, blankOf({ platform: "Linux x86_64" })));
  assert.ok(raises(iframeMismatch, blankOf({ webdriver: true })));
  assert.ok(!raises(iframeMismatch, blankOf({ cores: null, platform: "", webdriver: null })));
});

const withWorker = (it: HonestEvidence, changes: Partial<Frame>) =>
  withEnvironment(it, { worker: { ...it.environment.worker!, ...changes } });

test("worker_mismatch: raised by a disguise that covers windows but not workers", () => {
  const linux = CHROME_VISITOR.userAgent.replace(
    "Windows NT 10.0; Win64; x64",
    "X11; Linux x86_64",
  );
  assert.ok(raises(workerMismatch, withWorker(CHROME_VISITOR, { userAgent: linux })));
  assert.ok(raises(workerMismatch, withWorker(CHROME_VISITOR, { platform: "Linux x86_64" })));
  assert.ok(raises(workerMismatch, withWorker(CHROME_VISITOR, { cores: 2 })));
});

test("worker_mismatch: a claimed touch screen on Windows does not silence it, since Windows has no desktop-site mode", () => {
  const other = withWorker(CHROME_VISITOR, { platform: "Linux x86_64" });
  assert.ok(raises(workerMismatch, withEnvironment(other, { touchPoints: 10 })));
});

test("worker_mismatch: silent without a worker, on values that workers lack, on tablets, and if frames already differ", () => {
  assert.ok(!raises(workerMismatch, withEnvironment(CHROME_VISITOR, { worker: null })));
  assert.ok(!raises(workerMismatch, withEnvironment(CHROME_VISITOR, { frame: null })));
  assert.ok(
    !raises(
      workerMismatch,
      withWorker(CHROME_VISITOR, { cores: null, platform: "", userAgent: "" }),
    ),
  );
  assert.ok(
    !raises(
      workerMismatch,
      withWorker(findVisitor("Android tablet in desktop-site mode"), { platform: "Linux armv81" }),
    ),
  );
  assert.ok(
    !raises(workerMismatch, withFrame(withWorker(CHROME_VISITOR, { cores: 2 }), { cores: 2 })),
    "Brave, per origin",
  );
  assert.ok(
    !raises(workerMismatch, withFrame(withWorker(CHROME_VISITOR, { cores: 2 }), { cores: 4 })),
    "one lie counts once",
  );
});

/**
 * The same visitor with another system in `navigator.platform` than in all other places, including
 * frames and workers.
 */
function onSystem(it: HonestEvidence, platform: string): HonestEvidence {
  const { blank, frame, worker } = it.environment;
  const [ofBlank, ofFrame, ofWorker] = [blank, frame, worker].map((place) => ({
    ...place!,
    platform,
  }));
  return withEnvironment(it, { platform, blank: ofBlank!, frame: ofFrame!, worker: ofWorker! });
}
/** As Playwright shows itself on a server, with a `userAgent` of Windows. */
const DISGUISED = onSystem(CHROME_VISITOR, "Linux x86_64");

test("platform_mismatch: raised by a user agent that was set by a driver's option, including frames and workers", () => {
  for (const touchPoints of [0, 1]) {
    const visitor = withEnvironment(DISGUISED, { touchPoints });
    assert.ok(raises(platformMismatch, visitor), String(touchPoints));
    const { score, flags } = assessVisit(visitor);
    assert.deepEqual([score, flags], [0.34, ["platform_mismatch"]]);
  }
  assert.ok(raises(platformMismatch, onSystem(findVisitor("Brave on a Mac"), "Win32")));
});

test("platform_mismatch: silent on all honest visitors, on unknown values, and if another value contradicts already", () => {
  for (const { name, evidence } of HONEST_VISITORS)
    assert.ok(!raises(platformMismatch, evidence), name);
  for (const platform of ["", "FreeBSD amd64", "Win64", "SunOS"]) {
    assert.ok(!raises(platformMismatch, onSystem(CHROME_VISITOR, platform)), platform);
  }
  const chromebook = CHROME_VISITOR.userAgent.replace(
    "Windows NT 10.0; Win64; x64",
    "X11; CrOS x86_64 14541.0.0",
  );
  const hints = { ...CHROME_VISITOR.environment.clientHints!, platform: "Chrome OS" };
  const onChromeOs = withEnvironment(CHROME_VISITOR, {
    platform: "Linux x86_64",
    userAgent: chromebook,
    clientHints: hints,
  });
  assert.ok(
    !raises(platformMismatch, { ...onChromeOs, userAgent: chromebook, headers: {} }),
    "Chrome OS",
  );
  const tablet = withEnvironment(onSystem(CHROME_VISITOR, "Linux armv81"), { touchPoints: 5 });
  assert.ok(!raises(platformMismatch, tablet), "a tablet that was told to say Windows");
  assert.ok(
    !raises(platformMismatch, withEnvironment(DISGUISED, { clientHints: null })),
    "Firefox, or plain http",
  );
  const switched = { ...CHROME_VISITOR.environment.clientHints!, platform: "Linux" };
  assert.ok(
    !raises(platformMismatch, withEnvironment(DISGUISED, { clientHints: switched })),
    "a switcher",
  );
  assert.ok(!raises(platformMismatch, withWorker(DISGUISED, { cores: 2 })), "one lie counts once");
  assert.ok(!raises(platformMismatch, { environment: "withheld" }));
});

test("environment_mismatch: raised by signals of another browser than the one that submits them", () => {
  assert.ok(
    raises(environmentMismatch, {
      userAgent: FIREFOX.userAgent,
      environment: CHROME_VISITOR.environment,
    }),
  );
  const older = CHROME_VISITOR.userAgent.replace("140", "131");
  assert.ok(
    raises(environmentMismatch, { userAgent: older, environment: CHROME_VISITOR.environment }),
  );
});

test("environment_mismatch: silent on a user-agent switcher that ua_ch_mismatch already reports: one lie counts once", () => {
  assert.ok(!raises(environmentMismatch, { ...CHROME_VISITOR, userAgent: FIREFOX.userAgent }));
});

test("environment_mismatch: silent if the browser of the request or of the page is unknown", () => {
  assert.ok(!raises(environmentMismatch, { environment: CHROME_VISITOR.environment }));
  assert.ok(
    !raises(environmentMismatch, { userAgent: FIREFOX.userAgent, environment: "withheld" }),
  );
  assert.ok(
    !raises(environmentMismatch, {
      userAgent: "MyShop/3.1",
      environment: CHROME_VISITOR.environment,
    }),
  );
  assert.ok(
    !raises(environmentMismatch, findVisitor("Tor Browser on Linux, whose header says Windows")),
  );
});
