// A real back/forward cache. Browsers under a driver have none, so the pages act for their visitor
// themselves.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { QUIET } from "@stile/testkit/browser/browser";
import { CHROMIUM } from "@stile/testkit/browser/engines/chromium";
import { addSite } from "@stile/testkit/service/operator-site";
import { redeem } from "@stile/testkit/service/redeem";
import { startService } from "@stile/testkit/service/service";

test("a page restored from the back/forward cache first shows that it has no token, and sends another one", async () => {
  const service = await startService();
  // A page without any input looks like a program's.
  const site = await addSite(service.dataDirectory, { name: "backwards", mode: "non_interactive" });
  const sent: URLSearchParams[] = [];
  const sending = new EventEmitter();
  const page = `<!doctype html><script src="${service.baseUrl}/stile.js" async defer></script>
<form method="post"><input name="shown" value="0"><stile-captcha sitekey="${site.siteKey}"></stile-captcha></form>
<script>
  const [form] = document.forms;
  addEventListener("pageshow", async ({ persisted }) => {
    await customElements.whenDefined("stile-captcha");
    // Like a visitor who sees the form.
    await new Promise(requestAnimationFrame);
    form.shown.value = persisted + " " + document.querySelector("stile-captcha").state;
    form.requestSubmit();
  });
</script>`;
  const shop = createServer(async (request, response) => {
    response.setHeader("Content-Type", "text/html");
    if (request.method === "POST") {
      sent.push(new URLSearchParams(await text(request)));
      response.writeHead(303, { Location: "/thanks" }).end();
      if (sent.length === 2) sending.emit("twice");
    } else
      response.end(
        request.url === "/thanks" ? "<script>onpageshow = () => history.back()</script>" : page,
      );
  });
  await new Promise<void>((resolve) => shop.listen(0, resolve));
  const profile = mkdtempSync(join(tmpdir(), "stile-back-"));
  const url = `http://localhost:${(shop.address() as AddressInfo).port}/`;
  const browser = spawn(CHROMIUM.file, [...QUIET, `--user-data-dir=${profile}`, url], {
    stdio: "ignore",
  });
  try {
    await once(sending, "twice", { signal: AbortSignal.timeout(60_000) });
    const shown = sent.map((fields) => fields.get("shown"));
    assert.deepEqual(shown.slice(0, 2), ["false idle", "true idle"]);
    for (const fields of sent.slice(0, 2)) {
      const { body } = await redeem(
        { ...service, secretKey: site.secretKey },
        fields.get("stile-response") ?? "",
      );
      assert.equal(body.data.verified, true, `${body.reasonCode}`);
    }
  } finally {
    browser.kill();
    await once(browser, "exit");
    shop.closeAllConnections();
    shop.close();
    await service.dispose();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
});
