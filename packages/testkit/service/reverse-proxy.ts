import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectSecurely } from "node:tls";
import { findFreePort } from "../free-port.ts";

const DEPLOY = join(import.meta.dirname, "..", "..", "..", "deploy");
/** The host name in the samples. */
const HOST = "stile.example.org";
/** The user `nobody`: neither proxy needs to be root. */
const UNPRIVILEGED = 65_534;
const START_MS = 20_000;

/** The answer to a caller of the proxy; status 0 if the connection ended without an answer. */
export type ProxiedAnswer = { readonly status: number; readonly body: string };

type ProxiedCall = {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST; without a body the call is a GET. */
  readonly body?: string | Buffer;
  /** Address of the caller, one of this machine's own. */
  readonly from?: string;
};

/** One of the samples of deploy/, in front of nodes on this machine. */
export type ReverseProxy = {
  call(call: ProxiedCall): Promise<ProxiedAnswer>;
  /**
   * Sends that text unchanged over a new connection, and leaves at once or after the first bytes of
   * an answer.
   */
  sendText(text: string, until: "sent" | "answered"): Promise<void>;
  dispose(): Promise<void>;
};

/** A folder with a certificate for HOST, accessible to the unprivileged user. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stile-proxy-"));
  const place = join(folder, "stile");
  mkdirSync(place);
  const [key, certificate] = [join(place, "privkey.pem"), join(place, "fullchain.pem")];
  const subject = ["-subj", `/CN=${HOST}`, "-addext", `subjectAltName=DNS:${HOST}`, "-days", "2"];
  const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync(
    "openssl",
    ["req", "-x509", ...ec, "-keyout", key, "-out", certificate, ...subject],
    {
      stdio: "ignore",
    },
  );
  chmodSync(key, 0o644);
  return folder;
}

/** An nginx.conf around the sample, with every path inside the folder. */
function nginxMain(folder: string, sample: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 512; }
http { access_log off; ${temporary.join(" ")}
${sample}
}
`;
}

/**
 * The complaint of `nginx -t` about the sample as shipped; null if there is none. Only root may use
 * its ports.
 */
export function checkNginxSample(): string | null {
  const folder = makeFolder();
  try {
    writeFileSync(
      join(folder, "nginx.conf"),
      nginxMain(folder, readFileSync(join(DEPLOY, "nginx", "stile.conf"), "utf8")),
    );
    execFileSync("/usr/sbin/nginx", ["-t", "-p", folder, "-c", join(folder, "nginx.conf")], {
      stdio: "pipe",
    });
    return null;
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function replaceNodes(sample: string, nodes: readonly [number, number]): string {
  return sample
    .replaceAll("127.0.0.1:8787", `127.0.0.1:${nodes[0]}`)
    .replaceAll("127.0.0.1:8788", `127.0.0.1:${nodes[1]}`);
}

/** The sample, with only its addresses changed, and the command that runs it. */
const PROXIES = {
  nginx: (folder: string, port: number, plainPort: number, nodes: readonly [number, number]) => {
    const sample = replaceNodes(readFileSync(join(DEPLOY, "nginx", "stile.conf"), "utf8"), nodes)
      .replaceAll(/ +listen \[::\].*\n/g, "")
      .replace("listen 443", `listen 127.0.0.1:${port}`)
      .replace("listen 80", `listen 127.0.0.1:${plainPort}`);
    writeFileSync(join(folder, "nginx.conf"), nginxMain(folder, sample));
    return [
      "/usr/sbin/nginx",
      "-p",
      folder,
      "-c",
      join(folder, "nginx.conf"),
      "-e",
      `${folder}/error.log`,
      "-g",
      "daemon off;",
    ];
  },
  Caddy: (folder: string, port: number, _plainPort: number, nodes: readonly [number, number]) => {
    const own = `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n`;
    const site = `https://${HOST}:${port} {\n\ttls ${folder}/stile/fullchain.pem ${folder}/stile/privkey.pem`;
    const sample = replaceNodes(readFileSync(join(DEPLOY, "caddy", "Caddyfile"), "utf8"), nodes);
    writeFileSync(join(folder, "Caddyfile"), own + sample.replace(`\n${HOST} {`, `\n${site}`));
    return [
      "/usr/bin/caddy",
      "run",
      "--config",
      join(folder, "Caddyfile"),
      "--adapter",
      "caddyfile",
    ];
  },
} as const;

async function waitForPort(port: number, said: () => string): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    if (performance.now() > deadline) throw new Error(`the proxy does not listen:\n${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function callThrough(port: number, call: ProxiedCall): Promise<ProxiedAnswer> {
  const { path, headers = {}, body, from = "127.0.0.1" } = call;
  return new Promise((resolve) => {
    const lost = (error: Error): void => resolve({ status: 0, body: error.message });
    const options = {
      host: "127.0.0.1",
      port,
      path,
      method: body === undefined ? "GET" : "POST",
      agent: false as const,
      servername: HOST,
      rejectUnauthorized: false,
      localAddress: from,
      headers: {
        host: HOST,
        ...headers,
        ...(body !== undefined && { "Content-Length": body.length }),
      },
    };
    const sent = request(options, (answer) => {
      text(answer).then((told) => resolve({ status: answer.statusCode ?? 0, body: told }), lost);
    });
    sent.once("error", lost).end(body);
  });
}

async function sendThrough(port: number, sent: string, until: "sent" | "answered"): Promise<void> {
  const options = {
    host: "127.0.0.1",
    port,
    servername: HOST,
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
  };
  const socket = connectSecurely(options).on("error", () => {});
  const isOver = new Promise((resolve) => socket.once("data", resolve).once("close", resolve));
  await new Promise((resolve) => socket.write(sent, resolve));
  if (until === "answered") await isOver;
  socket.destroy();
}

/** Starts the sample of this proxy in front of two nodes, as a user without privileges. */
export async function startReverseProxy(
  name: keyof typeof PROXIES,
  nodes: readonly [number, number],
): Promise<ReverseProxy> {
  const folder = makeFolder();
  const port = await findFreePort();
  const [command = "", ...args] = PROXIES[name](folder, port, await findFreePort(), nodes);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const identity = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"], ...identity });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  const gone = once(child, "exit");
  const dispose = async (): Promise<void> => {
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitForPort(port, () => said);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    call: (call) => callThrough(port, call),
    sendText: (sent, until) => sendThrough(port, sent, until),
    dispose,
  };
}
