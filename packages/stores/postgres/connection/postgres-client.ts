import type pg from "pg";
import type { ConnectionOptions } from "../engine/connection-options.ts";
import { readTlsOptions } from "./postgres-tls.ts";

/** What makes a connection: the driver's client, told already where to. */
export type PostgresClient = new (config?: pg.ClientConfig) => pg.Client;

type Connected = ((fault: Error) => void) | ((fault: null, client: pg.Client) => void);

/**
 * The driver's client for this address. The files of TLS are read anew for each connection, since certificates are renewed; one that is of
 * no use fails that connection alone.
 */
export function clientFor(
  driver: typeof pg,
  { place, password, sessionOptions, tls }: ConnectionOptions,
): PostgresClient {
  const { host, port, user, name: database } = place;
  const address = { host, port, user, database, password: password || undefined, options: sessionOptions };
  return class extends driver.Client {
    readonly #tls: object;

    constructor(config: pg.ClientConfig = {}) {
      // The driver looks into it once the engine has agreed to encrypt.
      const secured = {};
      super({ ...config, ...address, ssl: tls.mode === "disable" ? false : secured });
      this.#tls = secured;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      try {
        Object.assign(this.#tls, readTlsOptions(tls));
      } catch (fault) {
        // As the driver tells of a connection that failed: later, and not by throwing at its pool.
        if (callback === undefined) return Promise.reject(fault);
        process.nextTick(callback as (fault: unknown) => void, fault);
        return undefined;
      }
      if (callback === undefined) return super.connect();
      super.connect(callback);
      return undefined;
    }
  };
}
