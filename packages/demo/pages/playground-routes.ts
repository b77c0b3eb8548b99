import type { SiteMode } from "@stile/protocol/site-settings";
import type { HttpRoute } from "@stile/server/http/http-route";
import { readQuery } from "@stile/server/http/request/query";
import type { ApiPorts } from "@stile/server/http/v1/api-ports";
import { demoFile, demoPage } from "./demo-routes.ts";
import { attributeChoices, type Choice, readWishes } from "./playground-choices.ts";
import { playgroundPage } from "./playground-page.ts";
import { createTroubleRoute } from "./playground-trouble.ts";

/** The parts that the playground needs. */
export type PlaygroundOptions = {
  readonly api: ApiPorts;
  /** The key of the demo's site. */
  readonly siteKey: string;
  /** The widget's languages besides English, as BCP 47 tags. */
  readonly languages: readonly string[];
};

/**
 * GET /playground with the choices in its query, and below it the addresses that the widget
 * requests. The form posts to the demo.
 */
export function createPlaygroundRoutes({
  api,
  siteKey,
  languages,
}: PlaygroundOptions): readonly HttpRoute[] {
  const style = demoFile("playground.css", "text/css; charset=utf-8");
  const script = demoFile("playground.js", "text/javascript; charset=utf-8");
  // Built on the first request: naming the languages takes as long as the rest of the page.
  let choices: readonly Choice[] | undefined;
  const modeOfSite = async (): Promise<SiteMode | undefined> =>
    (await api.directory.findSite(siteKey))?.mode;
  return [
    {
      method: "GET",
      path: "/playground",
      handle: async ({ url = "" }) => {
        choices ??= attributeChoices(languages);
        const wishes = readWishes(readQuery(url) ?? {}, choices);
        return demoPage(playgroundPage({ siteKey, siteMode: await modeOfSite(), choices, wishes }));
      },
    },
    { method: "GET", path: "/playground/playground.css", handle: () => style },
    { method: "GET", path: "/playground/playground.js", handle: () => script },
    createTroubleRoute(api, siteKey),
  ];
}
