import { parseArgs } from "node:util";
import type { Deployment } from "./own-deployment.ts";

/** Which stores servers can use. */
export type TorturedStore = "sqlite" | "postgres";

/** The command's order. */
export type TortureOrder =
  | { readonly kind: "help" }
  | { readonly kind: "problem"; readonly problem: string }
  | {
      readonly kind: "deployment";
      readonly deployment: Deployment;
      readonly tokens: number;
      readonly isJson: boolean;
    }
  | {
      readonly kind: "store";
      readonly store: TorturedStore;
      readonly servers: number;
      readonly tokens: number;
      readonly kills: number;
      readonly isJson: boolean;
    };

/** The text of `--help`. */
export const HELP = `Usage: npm run trial -- torture --store sqlite|postgres [--servers N] [--tokens N] [--kills N] [--json]
       npm run trial -- torture --target URL [--target URL ...] --site-key KEY --origin ORIGIN [--tokens N] [--json]

Tries to redeem tokens twice, and holds every answer against single use: is there any order of the calls that explains them?

  --store      On servers of its own, each a process, on loopback addresses: over SQLite (one server), or over a PostgreSQL
               of its own with a real fsync per commit. Callers race for each token while servers and engines are killed (-9) and the network between them is cut, torn, deaf,
               silent or slow; some ask again late; at the end each token is redeemed a last time. Then: stores that are wrong
               on purpose must show doubles, or the run fails as blind; limits at all servers and over a minute's edge; and how
               long it takes to be told that the store is gone.
  --servers    Servers over PostgreSQL (default 3)
  --tokens     Tokens to race for (default 3000; with --target 10)
  --kills      Kills while the race is on (default 20); the network breaks as often

  --target     Address of a server of your own deployment; nothing is killed there. Tokens are earned by solving, at the first
               address: about a second of this machine for each, within the limits of any visitor.
  --site-key   The site's public key, pk_...; its secret key is read from the variable STILE_SECRET
  --origin     The page the visitor claims to be on, such as https://shop.example; one of the site's domains

  --json       Print { torture, broken } instead of the table

Progress goes to standard error. The exit code is 1 if a bound is broken.
`;

const WHOLE = /^\d{1,7}$/;
const MOST = { servers: 8, tokens: 1_000_000, kills: 10_000, earned: 50 } as const;

type Values = ReturnType<typeof parse>;

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  return parseArgs({
    args: [...args],
    options: {
      store: text,
      servers: text,
      tokens: text,
      kills: text,
      target: { type: "string", multiple: true },
      "site-key": text,
      origin: text,
      json: flag,
      help: { ...flag, short: "h" },
    },
  }).values;
}

class Refused extends Error {}

function refuse(problem: string): never {
  throw new Refused(problem);
}

function toCount(
  name: string,
  text: string | undefined,
  standard: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return standard;
  const isIn = WHOLE.test(text) && Number(text) >= least && Number(text) <= most;
  return isIn ? Number(text) : refuse(`--${name} must be a whole number from ${least} to ${most}.`);
}

function toUrl(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return isWeb
    ? text.replace(/\/+$/, "")
    : refuse(`--target must be an address such as https://a.example, not "${text}".`);
}

function toDeployment(values: Values, secretKey: string | undefined): TortureOrder {
  const { target = [], "site-key": siteKey, origin } = values;
  const started = [values.store, values.servers, values.kills];
  if (started.some((value) => value !== undefined)) {
    return refuse(
      "--target takes none of --store, --servers and --kills: nothing is started or killed there.",
    );
  }
  const urls = target.map(toUrl);
  if (!siteKey || !origin)
    return refuse("--target needs --site-key and --origin, to earn tokens with.");
  if (!secretKey)
    return refuse(
      "--target needs the site's secret key in the variable STILE_SECRET, to redeem tokens with.",
    );
  const tokens = toCount("tokens", values.tokens, 10, 1, MOST.earned);
  return {
    kind: "deployment",
    deployment: { urls, siteKey, secretKey, origin },
    tokens,
    isJson: values.json,
  };
}

function toStore(values: Values): TortureOrder {
  const { store, "site-key": siteKey, origin } = values;
  if (store !== "sqlite" && store !== "postgres") {
    return refuse("Say --store sqlite or --store postgres, or --target URL.");
  }
  if (siteKey !== undefined || origin !== undefined)
    return refuse("--site-key and --origin belong to --target.");
  const most = store === "sqlite" ? 1 : MOST.servers;
  if (store === "sqlite" && values.servers !== undefined && values.servers !== "1") {
    return refuse("SQLite has one server; several share --store postgres.");
  }
  return {
    kind: "store",
    store,
    servers: toCount("servers", values.servers, Math.min(3, most), 1, most),
    tokens: toCount("tokens", values.tokens, 3000, 10, MOST.tokens),
    kills: toCount("kills", values.kills, 20, 1, MOST.kills),
    isJson: values.json,
  };
}

/** Parses the command line; `secretKey` is the variable that holds one. */
export function readArguments(
  args: readonly string[],
  secretKey: string | undefined,
): TortureOrder {
  try {
    const values = parse(args);
    if (values.help) return { kind: "help" };
    return values.target === undefined ? toStore(values) : toDeployment(values, secretKey);
  } catch (error) {
    return { kind: "problem", problem: (error as Error).message };
  }
}
