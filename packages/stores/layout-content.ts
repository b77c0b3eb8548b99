import { gunzipSync, gzipSync } from "node:zlib";
import type { BankScene, Engine, LayoutBank } from "@stile/core/domain/layout/layout-bank";

/** A bank as a store keeps it. */
export type LayoutBankRow = { readonly version: number; readonly bakedAtMs: number; readonly content: Uint8Array };

type PackedAnswers = readonly [engine: Engine, reads: string, kept: number];
type PackedScene = readonly [text: string, answers: readonly PackedAnswers[]];
/** Banks from before `drawnAtMs` was stored are only the list of scenes. */
type PackedBank = readonly PackedScene[] | { readonly drawnAtMs: number; readonly scenes: readonly PackedScene[] };

/** Scenes as compressed JSON: a third of the length, and it is unpacked only when a bank is new. */
export function packScenes({ drawnAtMs, scenes }: Omit<LayoutBank, "version">): Uint8Array {
  const packed = scenes.map(({ text, answers }): PackedScene => {
    const engines = Object.entries(answers) as [Engine, BankScene["answers"]["blink"]][];
    return [
      text,
      engines.flatMap(([engine, one]) =>
        one === undefined ? [] : [[engine, Buffer.from(one.reads).toString("base64"), one.kept] as const],
      ),
    ];
  });
  return gzipSync(JSON.stringify({ drawnAtMs, scenes: packed } satisfies PackedBank));
}

/** Unpacks a row whose content `packScenes` made. */
export function toLayoutBank({ version, bakedAtMs, content }: LayoutBankRow): LayoutBank {
  const packed = JSON.parse(gunzipSync(content).toString()) as PackedBank;
  const { drawnAtMs, scenes: rows } = "scenes" in packed ? packed : { drawnAtMs: bakedAtMs, scenes: packed };
  const scenes = rows.map(([text, answers]) => ({
    text,
    answers: Object.fromEntries(
      answers.map(([engine, reads, kept]) => [engine, { reads: Uint8Array.from(Buffer.from(reads, "base64")), kept }]),
    ),
  }));
  return { version, bakedAtMs, drawnAtMs, scenes };
}

/** The version after `newest`; a u16 that is never 0. */
export const nextVersion = (newest: number): number => (newest % 65_535) + 1;
