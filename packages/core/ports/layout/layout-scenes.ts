import type { LayoutBank } from "../../domain/layout/layout-bank.ts";

/** The scenes as one process holds them in memory; read anew now and then, by a job (proof of browser). */
export interface LayoutScenes {
  /** The bank whose scenes are given out; undefined as long as none was baked. */
  newest(): LayoutBank | undefined;
  /** The bank of that version, if its scenes may still be answered. */
  find(version: number): LayoutBank | undefined;
  /** Reads the stored banks if others were baked. Rejects as the store does. */
  refresh(): Promise<void>;
}
