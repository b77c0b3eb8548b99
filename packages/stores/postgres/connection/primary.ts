import type pg from "pg";
import { DatabaseProblem } from "../engine/database-problem.ts";

/**
 * A server: its cluster, which standbys share; its timeline, which each promotion increases; and
 * its start time, which identifies it under another name.
 */
export type Server = {
  readonly cluster: string;
  readonly timeline: number;
  readonly started: string;
};

/**
 * The name of the log file begins with the timeline. A promoted standby writes there before
 * anything else shows the promotion.
 */
const READ_SERVER = `SELECT system_identifier::TEXT AS cluster, pg_is_in_recovery() AS "isStandby", pg_postmaster_start_time()::TEXT AS started,
  CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_insert_lsn()) END AS log FROM pg_control_system()`;

type ServerRow = Omit<Server, "timeline"> & {
  readonly isStandby: boolean;
  readonly log: string | null;
};

/**
 * Distinguishes the primary from its standbys, and from a former primary that still runs or came
 * back.
 */
export type Primary = {
  /**
   * Rejects if the connection leads to a standby, or to a server that another one took over from.
   */
  readonly check: (client: pg.Client) => Promise<Server>;
  /** Whether another server took over from that one, as far as this process has seen. */
  readonly isLeft: (server: Server) => boolean;
};

/** At first nothing is known: the first connection to a primary counts. */
export function createPrimary(): Primary {
  let newest: Server | undefined;
  const isLeft = ({ cluster, timeline }: Server): boolean =>
    newest !== undefined && cluster === newest.cluster && timeline < newest.timeline;
  return {
    isLeft,
    check: async (client) => {
      const { rows } = await client.query<ServerRow>(READ_SERVER);
      const [row] = rows;
      // The engine's own code for a write that a standby refuses.
      if (row?.isStandby !== false)
        throw Object.assign(new Error("this server is a standby and accepts no writes"), {
          code: "25006",
        });
      const { cluster, started, log } = row;
      const server = { cluster, started, timeline: Number.parseInt(log?.slice(0, 8) ?? "", 16) };
      if (isLeft(server)) {
        throw new DatabaseProblem(
          `PostgreSQL at ${client.host}:${client.port} is a former primary (timeline ${server.timeline}; a standby continued as ${newest?.timeline}), and is not used: ` +
            "stop it, or make it a standby. If you restored an older copy on purpose, restart the nodes.",
        );
      }
      newest = server;
      return server;
    },
  };
}
