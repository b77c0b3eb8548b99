import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Authorities and certificates for a test, as files: `NAME.pem` and `NAME.key`. */
export type ThrowAwayCertificates = {
  readonly pathOf: (file: string) => string;
  readonly makeAuthority: (name: string) => void;
  /**
   * Signed by that authority, for these names as `DNS:a,IP:b`, valid for some days from now; if
   * negative, it has expired.
   */
  readonly makeCertificate: (
    name: string,
    authority: string,
    alternatives: string,
    days?: number,
  ) => void;
  readonly dispose: () => void;
};

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function openssl(...args: readonly string[]): void {
  execFileSync("openssl", [...args], { stdio: "pipe" });
}

/** Makes a folder for them, which `dispose` removes. */
export function createCertificates(): ThrowAwayCertificates {
  const folder = mkdtempSync(join(tmpdir(), "stile-tls-"));
  const pathOf = (file: string): string => join(folder, file);
  return {
    pathOf,
    makeAuthority: (name) => {
      const out = ["-keyout", pathOf(`${name}.key`), "-out", pathOf(`${name}.pem`)];
      openssl("req", "-x509", ...NEW_KEY, ...out, "-subj", `/CN=${name}`, "-days", "2");
    },
    makeCertificate: (name, authority, alternatives, days = 2) => {
      const made = ["-keyout", pathOf(`${name}.key`), "-out", pathOf(`${name}.csr`)];
      openssl("req", ...NEW_KEY, ...made, "-subj", `/CN=${name}`);
      writeFileSync(pathOf(`${name}.ext`), `subjectAltName=${alternatives}\n`);
      const signer = [
        "-CA",
        pathOf(`${authority}.pem`),
        "-CAkey",
        pathOf(`${authority}.key`),
        "-CAcreateserial",
      ];
      const io = [
        "-in",
        pathOf(`${name}.csr`),
        "-out",
        pathOf(`${name}.pem`),
        "-extfile",
        pathOf(`${name}.ext`),
      ];
      openssl("x509", "-req", ...io, ...signer, "-days", `${days}`);
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
