import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHROME_VISITOR,
  withEnvironment,
  withHeaders,
  withUserAgent,
} from "@stile/testkit/visits/find-visitor";
import { raises } from "@stile/testkit/visits/raises";
import { uaDeclaredBot } from "./ua-declared-bot.ts";
import { uaHeadless } from "./ua-headless.ts";
import { uaMissing } from "./ua-missing.ts";

const HEADLESS = CHROME_VISITOR.userAgent.replace("Chrome/", "HeadlessChrome/");

test("ua_headless: raised by request, page, frame or brand alone, so that hiding one place is not enough", () => {
  const { frame } = CHROME_VISITOR.environment;
  assert.ok(raises(uaHeadless, { userAgent: HEADLESS }));
  assert.ok(raises(uaHeadless, withEnvironment(CHROME_VISITOR, { userAgent: HEADLESS })));
  assert.ok(
    raises(
      uaHeadless,
      withEnvironment(CHROME_VISITOR, { frame: { ...frame!, userAgent: HEADLESS } }),
    ),
  );
  const brands = '"Not:A-Brand";v="8", "Chromium";v="156", "HeadlessChrome";v="156"';
  assert.ok(raises(uaHeadless, withHeaders(CHROME_VISITOR, { "sec-ch-ua": brands })));
  const clientHints = {
    brands: [["HeadlessChrome", "156"] as const],
    mobile: false,
    platform: "Linux",
  };
  assert.ok(raises(uaHeadless, withEnvironment(CHROME_VISITOR, { clientHints })));
  assert.ok(
    raises(uaHeadless, {
      userAgent: "Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.1.0",
    }),
  );
});

test("ua_headless: silent without user agents, and on a user agent that only mentions headless browsers", () => {
  assert.ok(!raises(uaHeadless, {}));
  assert.ok(!raises(uaHeadless, withEnvironment(CHROME_VISITOR, { platform: "Headless" })));
});

const DECLARED = [
  "curl/8.5.0",
  "Wget/1.21.4",
  "python-requests/2.32.3",
  "Python-urllib/3.12",
  "python-httpx/0.28.1",
  "Python/3.12 aiohttp/3.11.11",
  "Go-http-client/2.0",
  "okhttp/4.12.0",
  "axios/1.7.9",
  "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
  "node",
  "undici",
  "Java/17.0.9",
  "Java-http-client/21.0.2",
  "Apache-HttpClient/4.5.14 (Java/17.0.9)",
  "libwww-perl/6.77",
  "Ruby",
  "GuzzleHttp/7",
  "PostmanRuntime/7.43.0",
  "Scrapy/2.11.2 (+https://scrapy.org)",
  "k6/0.55.0 (https://k6.io/)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0)",
  "Mozilla/5.0 (compatible; Baiduspider/2.0)",
  "Sogou web spider/4.0",
  "facebookexternalhit/1.1",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Chrome-Lighthouse",
];

test("ua_declared_bot: raised by the names that tools, libraries and crawlers give themselves", () => {
  const missed = DECLARED.filter((userAgent) => !raises(uaDeclaredBot, { userAgent }));
  assert.deepEqual(missed, []);
});

test("ua_declared_bot: raised if only the page or only the headers reveal the tool", () => {
  assert.ok(raises(uaDeclaredBot, { headers: { "user-agent": "curl/8.5.0" } }));
  assert.ok(
    raises(
      uaDeclaredBot,
      withEnvironment(CHROME_VISITOR, { userAgent: "AdsBot-Google (+http://www.google.com)" }),
    ),
  );
});

const HONEST_TEXTS = [
  "Mozilla/5.0 (Linux; Android 11; CUBOT_X30 Build/RP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 9; Cubot Power) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; U; Android 12; en; Robotics Tab) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Electron/38.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/530.0]",
  "Opera/9.80 (Android; Opera Mini/36.2/191.249; U; en) Presto/2.12.423 Version/12.16",
  "Mozilla/5.0 (Mobile; Nokia 2780 Flip; rv:84.0) Gecko/84.0 Firefox/84.0 KAIOS/3.1",
  "MyShop/3.1",
  "MyShop/3.1.4 (iPhone; iOS 18.6; Scale/3.00)",
  "MyShop/1.0; Android",
  "com.shop.app/310 CFNetwork/3826.500.131 Darwin/24.5.0",
  "Nodle/2.0 (Android)",
];

test("ua_declared_bot: silent on phones, views and apps with similar names", () => {
  const accused = HONEST_TEXTS.filter((userAgent) => raises(uaDeclaredBot, { userAgent }));
  assert.deepEqual(accused, []);
});

const MONITORS = [
  "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
  "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 PTST/240201",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Cypress/13.6.0 Chrome/118.0.5993.159 Electron/27.1.3 Safari/537.36",
];

test("ua_declared_bot: raised by monitors and test tools that use a browser's user agent", () => {
  assert.deepEqual(
    MONITORS.filter((userAgent) => !raises(uaDeclaredBot, { userAgent })),
    [],
  );
});

test("ua_declared_bot: silent on headless browsers, which have a flag of their own: one cause counts once", () => {
  for (const userAgent of [
    HEADLESS,
    "Mozilla/5.0 (Unknown; Linux) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1",
  ]) {
    assert.ok(raises(uaHeadless, { userAgent }));
    assert.ok(!raises(uaDeclaredBot, { userAgent }));
  }
});

test("ua_missing: raised by a complete request without a user agent", () => {
  const { userAgent: _, ...rest } = withHeaders(CHROME_VISITOR, { "user-agent": undefined });
  assert.ok(raises(uaMissing, rest), "called the service directly");
  assert.ok(
    raises(uaMissing, { headers: { accept: "*/*" } }),
    "the customer passed the request on",
  );
  assert.ok(raises(uaMissing, { userAgent: "  " }), "the customer passed an empty one");
});

test("ua_missing: silent if the customer did not report the user agent (D7, score request)", () => {
  assert.ok(!raises(uaMissing, {}));
  assert.ok(!raises(uaMissing, { headers: { "accept-language": "de" } }));
  assert.ok(
    !raises(uaMissing, { headers: { accept: "*/*", "user-agent": CHROME_VISITOR.userAgent } }),
  );
  assert.ok(!raises(uaMissing, withUserAgent(CHROME_VISITOR, "SomethingNew/1.0")));
});
