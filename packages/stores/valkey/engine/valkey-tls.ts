import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ValkeyAddress } from "./valkey-address.ts";
import { ValkeyProblem } from "./valkey-problem.ts";

/** What a connection is encrypted with, as `tls.connect` takes it. Who the engine is, is always verified. */
export type TlsOptions = {
  /** Told, since a variable of the environment could say otherwise for the whole process. */
  readonly rejectUnauthorized: true;
  /** Signers that are believed, in the place of those that Node knows; PEM. */
  readonly ca?: string;
  /** By which this side shows who it is; PEM. */
  readonly cert?: string;
  readonly key?: string;
};

function read(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ValkeyProblem(`The file ${file} (${option} of STILE_VALKEY_URL) can't be read (${code}).`, { cause });
  }
}

function readCertificate(option: string, file: string): string {
  const text = read(option, file);
  try {
    new X509Certificate(text);
    return text;
  } catch (cause) {
    throw new ValkeyProblem(`The file ${file} (${option} of STILE_VALKEY_URL) holds no certificate in PEM.`, { cause });
  }
}

/**
 * Reads the files that the address names, anew for each connection, since certificates are renewed; undefined where it is not encrypted.
 * Throws ValkeyProblem, which names the file.
 */
export function readTlsOptions({ isEncrypted, files }: ValkeyAddress): TlsOptions | undefined {
  if (!isEncrypted) return undefined;
  const { sslrootcert, sslcert, sslkey } = files;
  return {
    rejectUnauthorized: true,
    ...(sslrootcert !== undefined && { ca: readCertificate("sslrootcert", sslrootcert) }),
    ...(sslcert !== undefined && { cert: readCertificate("sslcert", sslcert) }),
    ...(sslkey !== undefined && { key: read("sslkey", sslkey) }),
  };
}

/** Node's codes of a certificate that no signer which is believed stands behind. */
const UNKNOWN_SIGNER =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)|CERT_SIGNATURE_FAILURE)$/;

/** What is told of a connection that could not be encrypted; undefined where that is not what failed. `place` begins the sentence. */
export function explainTls(fault: unknown, place: string): string | undefined {
  const { code = "", message = "" } = Object(fault) as { readonly code?: unknown; readonly message?: string };
  const name = String(code);
  if (UNKNOWN_SIGNER.test(name)) {
    return `${place} shows a certificate that nobody signed who is believed here (${name}); name the file of its authority: ?sslrootcert=FILE at the end of STILE_VALKEY_URL.`;
  }
  if (name === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `${place} shows a certificate of another name (${message}); write a name into STILE_VALKEY_URL that the certificate has.`;
  }
  if (name === "CERT_HAS_EXPIRED" || name === "CERT_NOT_YET_VALID") {
    return `${place} shows a certificate that is not valid now (${name}); renew it, or set the clock of this machine right.`;
  }
  if (/ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|UNKNOWN_CA|BAD_CERTIFICATE)/.test(name)) {
    return `${place} asks for a certificate of this side that it believes; name it: ?sslcert=FILE&sslkey=FILE at the end of STILE_VALKEY_URL, or set its tls-auth-clients to no.`;
  }
  return undefined;
}
