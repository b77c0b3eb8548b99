import type { LayoutBank } from "../../domain/layout/layout-bank.ts";

/** The scenes in the memory of one process; a job reads them again now and then (proof of browser). */
export interface LayoutScenes {
  /** The bank whose scenes are sent out; undefined if none was baked yet. */
  newest(): LayoutBank | undefined;
  /** The bank of that version, if answers to its scenes are still accepted. */
  find(version: number): LayoutBank | undefined;
  /** Reads the stored banks if they have changed. Rejects as the store does. */
  refresh(): Promise<void>;
}
