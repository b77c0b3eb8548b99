import type pg from "pg";
import type { ConnectionOptions } from "../engine/connection-options.ts";
import { readTlsOptions } from "./postgres-tls.ts";

/** Makes a connection: the driver's client, which already knows the address. */
export type PostgresClient = new (config?: pg.ClientConfig) => pg.Client;

type Connected = ((fault: Error) => void) | ((fault: null, client: pg.Client) => void);

/**
 * The driver's client for this address. TLS files are read again for each connection, since certificates get renewed; a
 * file that can't be used fails only that connection.
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
      // The driver reads this object once the engine has agreed to encrypt.
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
        // Reported the way the driver reports a failed connection: later, and not by throwing into its pool.
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
