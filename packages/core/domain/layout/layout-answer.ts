import { SOLUTION_BYTES } from "@stile/pow/puzzle";
import { READS_PER_SCENE } from "./create-scene.ts";
import { SCENES_PER_CHALLENGE } from "./layout-bank.ts";

/** What a page reports about the scenes that it was sent. */
export type LayoutAnswer =
  | { readonly kind: "read"; readonly version: number; readonly reads: Uint8Array }
  /** The frame has no size because the page hides the widget. */
  | { readonly kind: "not_laid_out"; readonly version: number };

/** A submitted solution, taken apart (D9). */
export type SolutionParts = {
  /** The packed nonces. */
  readonly nonces: Uint8Array;
  /** The bytes behind the nonces, to which the work commits; empty if the page read nothing. */
  readonly layoutBytes: Uint8Array;
};

const VERSION_BYTES = 2;
const READ_BYTES = VERSION_BYTES + SCENES_PER_CHALLENGE * READS_PER_SCENE;

/** Splits nonces and layout reads. Bytes of another length are all taken as nonces, and then fail as a solution. */
export function splitSolution(bytes: Uint8Array): SolutionParts {
  const rest = bytes.length - SOLUTION_BYTES;
  const at = rest === VERSION_BYTES || rest === READ_BYTES ? SOLUTION_BYTES : bytes.length;
  return { nonces: bytes.subarray(0, at), layoutBytes: bytes.subarray(at) };
}

/** Joins the environment bytes and the layout bytes, in the form that the work commits to. */
export function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Parses the bytes behind the nonces; undefined if there are none. */
export function parseLayoutAnswer(bytes: Uint8Array): LayoutAnswer | undefined {
  if (bytes.length < VERSION_BYTES) return undefined;
  const version = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8);
  if (bytes.length === VERSION_BYTES) return { kind: "not_laid_out", version };
  return { kind: "read", version, reads: bytes.subarray(VERSION_BYTES) };
}
