import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHROME_VISITOR,
  findVisitor,
  withEnvironment,
  withHeaders,
  withUserAgent,
} from "@stile/testkit/visits/find-visitor";
import { raises } from "@stile/testkit/visits/raises";
import { headerInconsistent } from "./header-inconsistent.ts";
import { uaChMismatch } from "./ua-ch-mismatch.ts";

const hints = (major: number, mobile: boolean, platform: string) => ({
  "sec-ch-ua": `"Chromium";v="${major}", "Not=A?Brand";v="24"`,
  "sec-ch-ua-mobile": mobile ? "?1" : "?0",
  "sec-ch-ua-platform": `"${platform}"`,
});

test("ua_ch_mismatch: raised by an overridden user agent whose hints were not changed", () => {
  const ofRequest = (major: number, mobile: boolean, platform: string) =>
    raises(uaChMismatch, withHeaders(CHROME_VISITOR, hints(major, mobile, platform)));
  assert.ok(ofRequest(156, false, "Windows"), "version");
  assert.ok(ofRequest(140, false, "Linux"), "system");
  assert.ok(ofRequest(140, true, "Windows"), "form");
  assert.ok(
    raises(
      uaChMismatch,
      withHeaders(findVisitor("Chrome on Android"), hints(140, false, "Android")),
    ),
    "tablet",
  );
});

test("ua_ch_mismatch: raised by Chromium's hints from a claimed Firefox, Safari or iPhone", () => {
  for (const name of [
    "Firefox on Linux, keyboard only",
    "Safari on a Mac, whose mouse reports no pressure",
    "iPhone",
  ]) {
    assert.ok(
      raises(uaChMismatch, withHeaders(findVisitor(name), hints(156, false, "Linux"))),
      name,
    );
  }
});

test("ua_ch_mismatch: raised by the page alone, whatever the request contains", () => {
  const clientHints = { brands: [["Chromium", "156"] as const], mobile: false, platform: "Linux" };
  assert.ok(raises(uaChMismatch, withEnvironment(CHROME_VISITOR, { clientHints })));
});

test("ua_ch_mismatch: silent if either is missing, unknown or too vague", () => {
  const headers = {
    "sec-ch-ua": '"Not A;Brand";v="99"',
    "sec-ch-ua-mobile": "?0",
    "sec-ch-ua-platform": '"Unknown"',
  };
  assert.ok(!raises(uaChMismatch, withHeaders(CHROME_VISITOR, headers)));
  assert.ok(!raises(uaChMismatch, { headers: hints(140, false, "Linux") }));
  assert.ok(!raises(uaChMismatch, { userAgent: CHROME_VISITOR.userAgent, headers: {} }));
  assert.ok(
    !raises(uaChMismatch, { userAgent: "MyShop/3.1", headers: hints(140, true, "Android") }),
  );
});

test("ua_ch_mismatch: silent on a phone in desktop-site mode, whose hints may still name the phone", () => {
  const tablet = findVisitor("Android tablet in desktop-site mode");
  for (const mobile of [true, false])
    assert.ok(!raises(uaChMismatch, withHeaders(tablet, hints(140, mobile, "Android"))));
  assert.ok(
    raises(uaChMismatch, withHeaders(tablet, hints(156, true, "Android"))),
    "but the version must still fit",
  );
});

test("header_inconsistent: raised by desktop Chrome over a secure connection without client hints", () => {
  const bare = {
    "sec-ch-ua": undefined,
    "sec-ch-ua-mobile": undefined,
    "sec-ch-ua-platform": undefined,
  };
  assert.ok(raises(headerInconsistent, withHeaders(CHROME_VISITOR, bare)));
  assert.ok(
    !raises(headerInconsistent, withHeaders(findVisitor("Edge on Windows"), bare)),
    "forks may not send them",
  );
});

test("header_inconsistent: raised by a borrowed user agent without accept-language", () => {
  const { userAgent } = CHROME_VISITOR;
  assert.ok(raises(headerInconsistent, { userAgent, headers: { accept: "*/*" } }));
  assert.ok(
    raises(headerInconsistent, {
      userAgent,
      headers: { accept: "*/*", "accept-encoding": "gzip, deflate" },
    }),
  );
});

test("header_inconsistent: silent if headers are unknown or selected by the customer (D7, score request)", () => {
  const { userAgent } = CHROME_VISITOR;
  assert.ok(!raises(headerInconsistent, { userAgent }));
  assert.ok(!raises(headerInconsistent, { userAgent, headers: { "accept-language": "de" } }));
  assert.ok(!raises(headerInconsistent, { userAgent, headers: { "user-agent": userAgent } }));
  assert.ok(!raises(headerInconsistent, { headers: { accept: "*/*" } }));
  assert.ok(!raises(headerInconsistent, { userAgent: "MyShop/3.1", headers: { accept: "*/*" } }));
});

test("header_inconsistent: silent on an embedded view of an old app over a secure connection", () => {
  const view = findVisitor("Android view inside an app, on a Cubot phone, without client hints");
  assert.ok(
    view.headers["sec-fetch-mode"] !== undefined && view.headers["sec-ch-ua"] === undefined,
  );
  assert.ok(!raises(headerInconsistent, view));
  const electron = withUserAgent(
    view,
    CHROME_VISITOR.userAgent.replace("Safari", "Electron/38.0.0 Safari"),
  );
  assert.ok(!raises(headerInconsistent, electron));
});

test("header_inconsistent: raised by client hints that were assembled by hand", () => {
  const forged: readonly Record<string, string | undefined>[] = [
    { "sec-ch-ua-mobile": undefined },
    { "sec-ch-ua-platform": undefined },
    { "sec-fetch-mode": undefined, "sec-fetch-site": undefined, "sec-fetch-dest": undefined },
    { "sec-ch-ua": '"Chromium";v="140", "Google Chrome";v="140"' },
    { "sec-ch-ua": '"Chromium";v="140", "Google Chrome";v="139", "Not=A?Brand";v="24"' },
  ];
  for (const changes of forged) {
    assert.ok(
      raises(headerInconsistent, withHeaders(CHROME_VISITOR, changes)),
      JSON.stringify(changes),
    );
  }
});

test("header_inconsistent: silent on every spelling of the GREASE brand, and on forks with their own versions", () => {
  const spellings = [
    "Not=A?Brand",
    "Not;A=Brand",
    " Not A;Brand",
    "Not(A:Brand",
    "Not/A)Brand",
    "Not?A_Brand",
    "Not_A Brand",
  ];
  for (const name of spellings) {
    const brands = `"Chromium";v="140", "${name}";v="99", "YaBrowser";v="25.8", "Opera";v="124"`;
    assert.ok(
      !raises(headerInconsistent, withHeaders(CHROME_VISITOR, { "sec-ch-ua": brands })),
      name,
    );
  }
});

test("header_inconsistent: raised by a widget's call with the headers of a navigation or of a library", () => {
  const forged: readonly Record<string, string>[] = [
    { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" },
    { accept: "application/json, text/plain, */*" },
    { "sec-fetch-mode": "navigate" },
    { "sec-fetch-dest": "document" },
  ];
  for (const changes of forged) {
    const borrowed = withHeaders(CHROME_VISITOR, changes);
    assert.ok(raises(headerInconsistent, borrowed), JSON.stringify(changes));
    assert.ok(
      !raises(headerInconsistent, { ...borrowed, solve: undefined }),
      "a page's navigation, passed on by the customer (D7, score request)",
    );
  }
});

test("header_inconsistent: silent behind a company proxy that rewrites encodings and keeps all other headers", () => {
  for (const encoding of ["gzip", "gzip, deflate", "identity", undefined]) {
    assert.ok(
      !raises(headerInconsistent, withHeaders(CHROME_VISITOR, { "accept-encoding": encoding })),
    );
  }
});
