import { readTlsFiles, type TlsContent } from "../../tls-files.ts";
import type { ValkeyAddress } from "./valkey-address.ts";
import { ValkeyProblem } from "./valkey-problem.ts";

/** The TLS options, in the form of `tls.connect`. The engine's identity is always verified. */
export type TlsOptions = TlsContent & {
  /** Always set, since an environment variable could change the default for the whole process. */
  readonly rejectUnauthorized: true;
};

/**
 * Reads the files that the address names, anew for each connection, since certificates get renewed; undefined if the
 * connection is not encrypted. Throws ValkeyProblem, which names the file.
 */
export function readTlsOptions({ isEncrypted, files }: ValkeyAddress): TlsOptions | undefined {
  if (!isEncrypted) return undefined;
  return { rejectUnauthorized: true, ...readTlsFiles(files, { name: "STILE_VALKEY_URL", Problem: ValkeyProblem }) };
}
