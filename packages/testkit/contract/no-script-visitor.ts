import type { SiteSettings } from "@stile/core/domain/site/site";
import type { TimedFixture } from "./service-fixtures.ts";
import { newSite, type TestSite } from "./sites.ts";

type FormFields = Readonly<Record<string, string>>;

/** A page as received. */
export type ShownPage = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Its first heading. */
  readonly title: string;
};

/** The browser of these visitors. */
export const NO_SCRIPT_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
/** The headers that this browser sends with every navigation. */
export const NO_SCRIPT_HEADERS: FormFields = {
  "user-agent": NO_SCRIPT_AGENT,
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "accept-language": "en-GB,en;q=0.5",
};
/** The page of the site that has the form. */
const FORM_PAGE = "https://shop.example/sign-up";

/** The fields of a page's form, as a browser would send them. */
export function fieldsOf({ text }: ShownPage): FormFields {
  const inputs = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

/** The token that a page shows; undefined if it shows none. */
export function tokenOf({ text }: ShownPage): string | undefined {
  return /<textarea[^>]*>([^<]*)</.exec(text)?.[1];
}

/**
 * Visitors without JavaScript of a service that takes their addresses from its peer (D18, no
 * JavaScript).
 */
export function noScriptVisitors(fixture: TimedFixture) {
  let networks = 0;
  /** An address in a network that no other visitor has. */
  const newAddress = (): string => `198.18.${++networks}.7`;

  const show = async (
    path: string,
    init: RequestInit & { headers: FormFields },
  ): Promise<ShownPage> => {
    const response = await fetch(new URL(path, fixture.baseUrl), { redirect: "error", ...init });
    const text = await response.text();
    const title = /<h1>([^<]*)</.exec(text)?.[1] ?? "";
    return { status: response.status, headers: response.headers, text, title };
  };

  /** Follows the link on the form's page. */
  const open = (query: FormFields, address: string, headers: FormFields = {}): Promise<ShownPage> =>
    show(`/noscript?${new URLSearchParams(query)}`, {
      headers: { ...NO_SCRIPT_HEADERS, referer: FORM_PAGE, "x-forwarded-for": address, ...headers },
    });

  /** Presses Continue. */
  const send = (
    fields: FormFields,
    address: string,
    headers: FormFields = {},
  ): Promise<ShownPage> =>
    show("/noscript", {
      method: "POST",
      headers: { ...NO_SCRIPT_HEADERS, "x-forwarded-for": address, origin: "null", ...headers },
      body: new URLSearchParams(fields),
    });

  /** A site that offers tokens without JavaScript. */
  const offering = (settings: Partial<SiteSettings> = {}): Promise<TestSite> =>
    newSite(fixture, { noScript: "wait", ...settings });

  /** A visitor who has waited: the fields that they are about to send, and their address. */
  const waited = async (site: TestSite, query: FormFields = {}, headers: FormFields = {}) => {
    const address = newAddress();
    const fields = fieldsOf(await open({ sitekey: site.siteKey, ...query }, address, headers));
    fixture.clock.advance(30_000);
    return { address, fields };
  };

  return { newAddress, show, open, send, offering, waited };
}
