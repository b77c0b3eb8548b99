import { readTlsFiles, type TlsContent } from "../../tls-files.ts";
import type { ValkeyAddress } from "./valkey-address.ts";
import { ValkeyProblem } from "./valkey-problem.ts";

/** What a connection is encrypted with, as `tls.connect` takes it. Who the engine is, is always verified. */
export type TlsOptions = TlsContent & {
  /** Told, since a variable of the environment could say otherwise for the whole process. */
  readonly rejectUnauthorized: true;
};

/**
 * Reads the files that the address names, anew for each connection, since certificates are renewed; undefined where it is not encrypted.
 * Throws ValkeyProblem, which names the file.
 */
export function readTlsOptions({ isEncrypted, files }: ValkeyAddress): TlsOptions | undefined {
  if (!isEncrypted) return undefined;
  return { rejectUnauthorized: true, ...readTlsFiles(files, { name: "STILE_VALKEY_URL", Problem: ValkeyProblem }) };
}
