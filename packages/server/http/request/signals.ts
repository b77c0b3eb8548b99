import { isUtf8 } from "node:buffer";
import type { PageSignals } from "@stile/core/ports/visitor/page-signals";
import { decodeBehaviour, decodeEnvironment } from "@stile/protocol/decode-signals";
import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import { isBehaviourSignals, isEnvironmentSignals } from "@stile/protocol/signals-shape";
import { decodeLongBase64url } from "./decode-base64url.ts";
import { readJson } from "./json-guard.ts";

function decode(text: string | null | undefined): Uint8Array {
  const bytes = text ? decodeLongBase64url(text) : undefined;
  return bytes === undefined || bytes.length > SIGNALS_BYTES_LIMIT ? new Uint8Array(0) : bytes;
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  const reading = readJson(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"),
    SIGNALS_BYTES_LIMIT,
  );
  return reading.kind === "json" ? reading.value : undefined;
}

/** Takes the two base64url strings of D9 (submission), and decodes nothing yet. */
export function readSignals(
  environment: string | null | undefined,
  behaviour: string | null | undefined,
): PageSignals {
  let decoded: Uint8Array | undefined;
  const environmentBytes = (): Uint8Array => {
    decoded ??= decode(environment);
    return decoded;
  };
  return {
    environmentBytes,
    observe: () => {
      const ofBrowser = parse(environmentBytes());
      const ofVisit = parse(decode(behaviour));
      return {
        environment: isEnvironmentSignals(ofBrowser) ? decodeEnvironment(ofBrowser) : "withheld",
        behaviour: isBehaviourSignals(ofVisit) ? decodeBehaviour(ofVisit) : "withheld",
      };
    },
  };
}
