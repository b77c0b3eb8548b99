import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The peers, and the only versions of them that are measured. */
export const PEER_VERSIONS = {
  "altcha-lib": "2.8.0",
  "@cap.js/server": "4.0.5",
  "friendly-pow": "0.2.2",
} as const;
/** A package among the peers. */
export type PeerPackage = keyof typeof PEER_VERSIONS;

/** The installed peers: outside the workspaces, only for this measurement. */
export type InstalledPeers = {
  readonly versionOf: (name: PeerPackage) => string;
  /**
   * Imports a module of a peer by the name in its documentation, such as
   * `altcha-lib/algorithms/pbkdf2`.
   */
  readonly load: (specifier: string) => Promise<unknown>;
  /** The path of a peer's file. */
  readonly fileOf: (name: PeerPackage, path: string) => string;
};

/** npm could not install the peers; the message says what to do. */
export class PeersMissing extends Error {
  override readonly name = "PeersMissing";
}

/**
 * Names are resolved from the folder of the importing module, so this one must be next to the
 * peers.
 */
const LOADER = "export const load = (specifier) => import(specifier);\n";

function isInstalled(folder: string, name: PeerPackage): boolean {
  const file = join(folder, "node_modules", name, "package.json");
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version === PEER_VERSIONS[name];
}

function install(folder: string): void {
  const npm = process.env.npm_execpath;
  const [command = "npm", ...prefix] = npm === undefined ? ["npm"] : [process.execPath, npm];
  const args = [
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--silent",
  ];
  const { status } = spawnSync(command, [...prefix, ...args], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) return;
  const message = `npm could not install the peers into ${folder}; check the network and the npm registry, then run the command again.`;
  throw new PeersMissing(message);
}

/**
 * Installs missing peers into the folder, without running any of their scripts. Throws
 * PeersMissing.
 */
export async function installPeers(folder: string): Promise<InstalledPeers> {
  const names = Object.keys(PEER_VERSIONS) as PeerPackage[];
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, dependencies: PEER_VERSIONS }),
  );
  writeFileSync(join(folder, "load.mjs"), LOADER);
  if (!names.every((name) => isInstalled(folder, name))) install(folder);
  const loader = (await import(pathToFileURL(join(folder, "load.mjs")).href)) as Pick<
    InstalledPeers,
    "load"
  >;
  return {
    versionOf: (name) => PEER_VERSIONS[name],
    load: loader.load,
    fileOf: (name, path) => join(folder, "node_modules", name, path),
  };
}
