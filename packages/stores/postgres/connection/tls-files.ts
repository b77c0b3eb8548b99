import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * Files of an encrypted connection, with libpq's names: the trusted authority, and this side's
 * certificate and key.
 */
export type TlsFiles = {
  readonly sslrootcert?: string | undefined;
  readonly sslcert?: string | undefined;
  readonly sslkey?: string | undefined;
};

/** The content of such files, in the form of `tls.connect`; PEM. */
export type TlsContent = { readonly ca?: string; readonly cert?: string; readonly key?: string };

/** The setting that names the files, and the error to throw for an unusable file. */
export type TlsSetting = {
  readonly name: string;
  readonly Problem: new (message: string, options?: ErrorOptions) => Error;
};

/** Reads a file and checks its content; `holds` throws if the content is wrong. */
function read(
  option: string,
  file: string,
  { name, Problem }: TlsSetting,
  [thing, holds]: PemContent,
): string {
  const place = `The file ${file} (${option} of ${name})`;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new Problem(`${place} can't be read (${(cause as NodeJS.ErrnoException).code}).`, {
      cause,
    });
  }
  try {
    holds(text);
    return text;
  } catch (cause) {
    throw new Problem(`${place} holds no ${thing}.`, { cause });
  }
}

/** The expected content of a file, in words, and a function that throws for any other text. */
type PemContent = readonly [thing: string, holds: (text: string) => unknown];
const CERTIFICATE: PemContent = ["certificate in PEM", (text) => new X509Certificate(text)];
const KEY: PemContent = [
  "private key in PEM that needs no password",
  (text) => createPrivateKey(text),
];

/** Reads the files. Throws the setting's Problem, which names the file. */
export function readTlsFiles(
  { sslrootcert, sslcert, sslkey }: TlsFiles,
  setting: TlsSetting,
): TlsContent {
  const content: TlsContent = {
    ...(sslrootcert !== undefined && {
      ca: read("sslrootcert", sslrootcert, setting, CERTIFICATE),
    }),
    ...(sslcert !== undefined && { cert: read("sslcert", sslcert, setting, CERTIFICATE) }),
    ...(sslkey !== undefined && { key: read("sslkey", sslkey, setting, KEY) }),
  };
  const { cert, key } = content;
  if (
    cert !== undefined &&
    key !== undefined &&
    !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  ) {
    throw new setting.Problem(
      `The key of ${sslkey} (sslkey of ${setting.name}) is not that of the certificate ${sslcert}.`,
    );
  }
  return content;
}

/** Node's error codes for a certificate without a trusted signer. */
const UNKNOWN_SIGNER =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)|CERT_SIGNATURE_FAILURE)$/;

/**
 * The parts of a message about a connection. `place` says where the engine is and begins the
 * sentence. `setting` has its address, and `mark` is the character before an option added to it.
 * `askNone` makes the engine ask for no certificate.
 */
export type TlsWords = {
  readonly place: string;
  readonly setting: string;
  readonly mark: "?" | "&";
  readonly askNone: string;
};

/** The message if encryption is what failed; undefined otherwise. */
export function explainTls(fault: unknown, words: TlsWords): string | undefined {
  const { place, setting, mark, askNone } = words;
  const { code = "", message = "" } = Object(fault) as {
    readonly code?: unknown;
    readonly message?: string;
  };
  const name = String(code);
  if (UNKNOWN_SIGNER.test(name)) {
    return `${place} shows a certificate that nobody signed who is believed here (${name}); name the file of its authority: ${mark}sslrootcert=FILE at the end of ${setting}.`;
  }
  if (name === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `${place} shows a certificate of another name (${message}); write a name into ${setting} that the certificate has.`;
  }
  if (name === "CERT_HAS_EXPIRED" || name === "CERT_NOT_YET_VALID") {
    return `${place} shows a certificate that is not valid now (${name}); renew it, or set the clock of this machine right.`;
  }
  if (/ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|UNKNOWN_CA|BAD_CERTIFICATE)/.test(name)) {
    return `${place} asks for a certificate of this side that it believes; name it: ${mark}sslcert=FILE&sslkey=FILE at the end of ${setting}, or ${askNone}.`;
  }
  return undefined;
}
