import type pg from "pg";
import type { ConnectionOptions } from "../engine/connection-options.ts";
import { readTlsOptions } from "./postgres-tls.ts";
import { createPrimary, type Server } from "./primary.ts";

/** A connection: the driver's client, with the server that it is connected to. */
export type PrimaryClient = pg.Client & {
  /** Rejects, like `connect`, if the server cannot be reached or accepts no writes. */
  readonly connectToPrimary: () => Promise<Server>;
  /** Whether another server took over from that one, as far as this process knows. */
  readonly isLeft: () => boolean;
};

/** Creates a connection to the address that it was made for. */
export type PostgresClient = new (config?: pg.ClientConfig) => PrimaryClient;

type Connected = (fault: unknown, client?: pg.Client) => void;

/**
 * How long one of several servers may take to accept a connection, ms, even if the caller would
 * wait longer.
 */
const HOST_MS = 3000;

/**
 * The driver's client for this address. It connects only to a primary; when a connection fails, the
 * next one tries the next server. TLS files are read for each connection, because certificates are
 * renewed. An invalid file makes only that connection fail.
 */
export function clientFor(driver: typeof pg, options: ConnectionOptions): PostgresClient {
  const { place, password, sessionOptions, tls } = options;
  const { hosts, user, name: database } = place;
  const address = { user, database, password: password || undefined, options: sessionOptions };
  const primary = createPrimary();
  let at = 0;
  return class extends driver.Client {
    readonly #tls: object;
    readonly #at = at;
    #server: Server | undefined;

    constructor({ connectionTimeoutMillis = HOST_MS, ...config }: pg.ClientConfig = {}) {
      // The driver reads this object once the engine has agreed to encrypt.
      const secured = {};
      super({
        ...config,
        ...address,
        ...hosts[at],
        ssl: tls.mode === "disable" ? false : secured,
        connectionTimeoutMillis:
          hosts.length > 1 ? Math.min(connectionTimeoutMillis, HOST_MS) : connectionTimeoutMillis,
      });
      this.#tls = secured;
      // A call on a broken connection gets the error from its own statement.
      this.on("error", () => {});
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connecting = this.connectToPrimary().then(() => this);
      if (callback === undefined) return connecting;
      connecting.then((client) => callback(null, client), callback);
      return undefined;
    }

    async connectToPrimary(): Promise<Server> {
      try {
        Object.assign(this.#tls, readTlsOptions(tls));
        await super.connect();
        this.#server = await primary.check(this);
        return this.#server;
      } catch (fault) {
        if (at === this.#at) at = (at + 1) % hosts.length;
        void this.end().catch(() => {});
        throw fault;
      }
    }

    isLeft(): boolean {
      return this.#server !== undefined && primary.isLeft(this.#server);
    }
  };
}
