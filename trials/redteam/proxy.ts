import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request as it reached the service, for tools that replay it. */
export type Overheard = { readonly headers: readonly string[]; readonly body: string };

/** The customer's server behind the proxy. */
export type Shop = {
  readonly answer: (
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
  /** The address from which the service should see the visit come. */
  readonly addressOf: (name: string) => string | undefined;
};

/** A running proxy. */
export type VisitProxy = {
  readonly server: Server;
  readonly port: number;
  /** The last submission of a visit. */
  readonly overheard: (name: string) => Overheard | undefined;
};

/**
 * Host labels that lead to the service begin with this; the rest of the label is the visit's name.
 */
const SERVICE_LABEL = "stile-";

/**
 * For clients that can't resolve this machine's hosts: paths that lead to the service begin like
 * this.
 */
const RAW_PATH = /^\/as\/(\w+)(\/.*)$/;

/**
 * Addresses of a visit: to the browser the shop and the service are two sites, and each visit has
 * its own hosts.
 */
export function urlsOf(
  port: number,
  name: string,
): { readonly shop: string; readonly service: string; readonly raw: string } {
  return {
    shop: `http://${name}.localhost:${port}`,
    service: `http://${SERVICE_LABEL}${name}.localhost:${port}`,
    raw: `http://127.0.0.1:${port}/as/${name}`,
  };
}

/** The visit and the path of a request to the service; undefined for a request to the shop. */
function findPassage(
  label: string,
  path: string,
): { readonly name: string; readonly path: string } | undefined {
  const [, name, rest] = RAW_PATH.exec(path) ?? [];
  if (name !== undefined && rest !== undefined) return { name, path: rest };
  return label.startsWith(SERVICE_LABEL)
    ? { name: label.slice(SERVICE_LABEL.length), path }
    : undefined;
}

/** Passes a request on unchanged, except for the sender's address, as an operator's proxy does. */
function passOn(
  incoming: IncomingMessage,
  body: string,
  to: { port: number; path: string; address: string },
  out: ServerResponse,
): void {
  const kept = incoming.rawHeaders.flatMap((value, i, all) => {
    const isName = i % 2 === 0;
    return isName && !/^x-forwarded-for$/i.test(value) ? [value, all[i + 1] ?? ""] : [];
  });
  const headers = [...kept, "X-Forwarded-For", to.address];
  const { method } = incoming;
  const upstream = request(
    { host: "127.0.0.1", port: to.port, path: to.path, method, headers },
    (answer) => {
      out.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(out);
    },
  );
  upstream.on("error", () => out.destroy());
  upstream.end(body);
}

/**
 * One server for all hosts `*.localhost`: a shop's page for each visit, and in front of the service
 * a proxy that gives each visit its own address, as real visitors have.
 */
export async function openProxy(servicePort: number, shop: Shop): Promise<VisitProxy> {
  const heard = new Map<string, Overheard>();
  const serve = async (incoming: IncomingMessage, out: ServerResponse): Promise<void> => {
    const label = incoming.headers.host?.split(".")[0] ?? "";
    const passage = findPassage(label, incoming.url ?? "/");
    if (passage === undefined) return shop.answer(label, incoming, out);
    const { name, path } = passage;
    const address = shop.addressOf(name);
    const body = await text(incoming);
    if (address === undefined) return void out.writeHead(404).end();
    const isSubmission = incoming.method === "POST" && path === "/api/v1/verify";
    if (isSubmission) heard.set(name, { headers: incoming.rawHeaders, body });
    passOn(incoming, body, { port: servicePort, path, address }, out);
  };
  const server = createServer((incoming, out) => {
    serve(incoming, out).catch(() => out.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    server,
    port: (server.address() as AddressInfo).port,
    overheard: (name) => heard.get(name),
  };
}
