import type { SqlitePorts } from "./sqlite-ports.ts";

/**
 * Where a server runs a method of a port:
 *
 * - `here`: in the calling thread, over its own connection. It only reads, and takes no time.
 * - `write`: in the writer's thread, in one transaction, which it shares with other writes. The
 *   caller waits for WRITE_DEADLINE_MS at most.
 * - `job`: in the writer's thread, in several transactions and without a deadline.
 * - `longRead`: in the reader's thread. A page of statistics takes 25 ms, during which the calling
 *   thread could answer nothing else.
 * - `own`: the threaded store has a method of its own, which buffers or batches.
 */
export type MethodPlace = "here" | "write" | "job" | "longRead" | "own";

/** The place of each method. A method that is missing here does not compile. */
export const METHOD_PLACES = {
  sites: {
    findSite: "here",
    findSiteBySecret: "here",
    findAccount: "here",
    listAccounts: "here",
    listSites: "here",
    insertAccount: "write",
    renameAccount: "write",
    insertSite: "write",
    replaceSite: "write",
    purgeSites: "job",
  },
  tokens: { redeem: "own", isSpent: "here" },
  statistics: {
    count: "own",
    add: "own",
    flush: "own",
    readSeries: "longRead",
    readDays: "here",
    readSums: "longRead",
    prune: "job",
  },
  decisions: {
    append: "own",
    insertMany: "own",
    flush: "own",
    list: "longRead",
    listRefusedHosts: "longRead",
    setLabel: "write",
    prune: "job",
  },
  keyUsage: { record: "own", recordMany: "own", flush: "own", findLastUses: "here" },
  serviceKeys: {
    listServiceKeys: "here",
    newestKeyId: "here",
    insertServiceKey: "write",
    deleteServiceKey: "write",
  },
  members: {
    findMember: "here",
    findMemberByEmail: "here",
    findMemberByPasskey: "here",
    listMembers: "here",
    replaceMember: "write",
    isSecondFactorDemanded: "here",
    setSecondFactorDemand: "write",
    removeMember: "write",
  },
  links: {
    insertLink: "write",
    findLink: "here",
    listLinks: "here",
    removeLink: "write",
    countTry: "write",
    join: "write",
    reset: "write",
    prune: "job",
  },
  sessions: {
    startSession: "write",
    findSession: "here",
    listSessions: "here",
    touchSession: "write",
    removeSession: "write",
    removeOtherSessions: "write",
    prune: "job",
  },
  auditLog: { append: "write", list: "longRead", findChange: "here", prune: "job" },
  housekeeping: { sweep: "job", newestMs: "here" },
} as const satisfies {
  readonly [Port in keyof SqlitePorts]: {
    readonly [Method in keyof SqlitePorts[Port]]: MethodPlace;
  };
};

/** Ports without the methods that the threaded store has to add. */
export type SharedPorts = {
  readonly [Port in keyof SqlitePorts]: {
    readonly [Method in keyof SqlitePorts[Port] as Method extends keyof (typeof METHOD_PLACES)[Port]
      ? (typeof METHOD_PLACES)[Port][Method] extends "own"
        ? never
        : Method
      : never]: SqlitePorts[Port][Method];
  };
};
