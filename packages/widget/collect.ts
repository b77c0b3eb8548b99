import { ENVELOPE_SEPARATOR } from "@stile/protocol/signals";
import type { PageServices } from "./element/page-services.ts";
import { surroundingsOf } from "./element/page-surroundings.ts";
import { readAttribute } from "./element/read-attribute.ts";
import { encodeBase64url } from "./encode-base64url.ts";
import { createServiceClient } from "./service/service-client.ts";
import { encodeSignals } from "./signals/encode-signals.ts";
import { observeEnvironment } from "./signals/environment-bytes.ts";
import { loadCollector } from "./signals/load-collector.ts";
import { openSolverFrame } from "./solver/solver-frame.ts";

/** Options of `stile.collect`; by default both come from the first widget of the page. */
export type CollectOptions = { readonly siteKey?: string; readonly action?: string };

/**
 * The envelope for POST /score (D7, score request): a fresh challenge, the environment, and the
 * behaviour since the page was opened, joined by dots. No puzzle is solved. Rejects with an Error
 * whose message ends in the name of a `WidgetError`.
 */
export async function collect(
  page: PageServices,
  options?: CollectOptions | null,
): Promise<string> {
  const element = document.querySelector("stile-captcha");
  const siteKey = options?.siteKey ?? (element && readAttribute(element, "sitekey"));
  if (!siteKey) throw new Error("stile.collect: sitekey_missing");
  const { base } = page;
  const ended = new AbortController();
  const collector = loadCollector(base);
  try {
    const client = createServiceClient(base, ended.signal, surroundingsOf(page));
    const [outcome, frame] = await Promise.all([
      client.fetchChallenge(
        siteKey,
        options?.action ?? (element && readAttribute(element, "action")),
        "",
      ),
      openSolverFrame(page, document.body, ended.signal),
    ]);
    if (outcome.type === "failed") throw new Error(`stile.collect: ${outcome.error.name}`);
    const behaviour = page.recorder.snapshot(0, null, element ?? undefined);
    return [
      outcome.challenge.challenge,
      encodeBase64url(await observeEnvironment(collector, frame?.probe ?? null)),
      encodeBase64url(encodeSignals(behaviour)),
    ].join(ENVELOPE_SEPARATOR);
  } finally {
    ended.abort();
  }
}
