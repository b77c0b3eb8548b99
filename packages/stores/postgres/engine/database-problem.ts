import { explainTls } from "../connection/tls-files.ts";

/**
 * The database cannot be used with its present setup. The message tells the operator what to do,
 * and has no password.
 */
export class DatabaseProblem extends Error {
  override readonly name = "DatabaseProblem";
}

/** A server, by its name or the folder of its socket. */
export type DatabaseHost = { readonly host: string; readonly port: number };

/**
 * Where a database is, without the password: its servers, in the order to try them. One of them
 * accepts writes.
 */
export type DatabasePlace = {
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  readonly name: string;
  readonly user: string;
};

const listHosts = ({ hosts }: DatabasePlace): string =>
  hosts.map(({ host, port }) => `${host}:${port}`).join(" or ");

const codeOf = (fault: unknown): string => {
  const { code } = Object(fault) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
};

/**
 * Our systemd unit denies the service network access by default, and that failure looks like a
 * wrong address.
 */
const OR_NO_NETWORK =
  ", and under systemd, that the unit has a network (deploy/systemd/network.conf).";

const PLAIN_REFUSED = /no encryption/;
const CERTIFICATE_WANTED = /client certificate/;
const NO_TLS = /does not support SSL/;

/** The message if encryption, or the lack of it, is what failed. */
function explainEncryption(fault: unknown, given: DatabasePlace): string | undefined {
  const place = `PostgreSQL at ${listHosts(given)}`;
  const { message = "" } = Object(fault) as { readonly message?: string };
  if (NO_TLS.test(message)) {
    return `${place} speaks no TLS; turn its setting ssl on, or, where nobody else is on the way, write sslmode=disable into STILE_DATABASE_URL.`;
  }
  if (codeOf(fault) === "28000" && PLAIN_REFUSED.test(message)) {
    return `${place} takes no connection from here that is not encrypted; write sslmode=verify-full into STILE_DATABASE_URL, or see its pg_hba.conf.`;
  }
  if (codeOf(fault) === "28000" && CERTIFICATE_WANTED.test(message)) {
    return `${place} asks for a certificate of this side; name it: &sslcert=FILE&sslkey=FILE at the end of STILE_DATABASE_URL.`;
  }
  return explainTls(fault, {
    place,
    setting: "STILE_DATABASE_URL",
    mark: "&",
    askNone: "take clientcert out of its pg_hba.conf",
  });
}

function explainByCode(code: string, place: DatabasePlace): string | undefined {
  const { hosts, name, user } = place;
  const servers = listHosts(place);
  switch (code) {
    case "28P01":
    case "28000":
      return `PostgreSQL at ${servers} does not let "${user}" in; check user and password in STILE_DATABASE_URL, and pg_hba.conf.`;
    case "3D000":
      return `PostgreSQL at ${servers} has no database "${name}"; make it with: createdb -E UTF8 -O ${user} ${name}`;
    case "42501":
    case "3F000":
      return `The user "${user}" may not make tables in the database "${name}"; let it with: GRANT CREATE, USAGE ON SCHEMA public TO "${user}"`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The host ${hosts.map(({ host }) => host).join(" or ")} of STILE_DATABASE_URL is not known; check its name${OR_NO_NETWORK}`;
    case "ENETUNREACH":
      return `PostgreSQL at ${servers} can't be reached from here; check STILE_DATABASE_URL${OR_NO_NETWORK}`;
    case "25006":
      if (hosts.length > 1)
        return `None of PostgreSQL at ${servers} accepts writes; start the primary, or let a standby take over (SELECT pg_promote()).`;
      return `The PostgreSQL at ${servers} is a standby, which can't be written to; name the primary in STILE_DATABASE_URL.`;
    case "42P07":
      return `The database "${name}" has tables with names of Stile's, but its table "migrations" is missing. Restore a backup (restore FILE --replace), or name an empty database in STILE_DATABASE_URL.`;
    case "53300":
      return `PostgreSQL at ${servers} has no connection left for "${user}"; raise max_connections, or stop what holds them.`;
    default:
      return undefined;
  }
}

/**
 * The error to report for a database that could not be opened. It quotes the fault if there is no
 * better explanation.
 */
export function explainOpening(fault: unknown, place: DatabasePlace): DatabaseProblem {
  if (fault instanceof DatabaseProblem) return fault;
  const { message } = Object(fault) as Error;
  const text =
    explainEncryption(fault, place) ??
    explainByCode(codeOf(fault), place) ??
    `PostgreSQL at ${listHosts(place)} can't be reached (${message}); check STILE_DATABASE_URL, and that it runs.`;
  return new DatabaseProblem(text, { cause: fault });
}
