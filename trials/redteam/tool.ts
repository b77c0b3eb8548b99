import type { Program } from "./install.ts";
import type { Overheard } from "./proxy.ts";
import type { RecordedPaths } from "./recorded-paths.ts";
import type { Session } from "./session.ts";
import type { Testbed } from "./testbed.ts";

/** The surroundings that a run gives its tools. */
export type Surroundings = {
  readonly testbed: Testbed;
  /** The display of the virtual screen, such as `:99`. */
  readonly display: string;
  /** The recorded users; throws if their folder was not given. */
  readonly people: () => RecordedPaths;
  /** Last submissions of controls by the control's name, for tools that replay them. */
  readonly donors: Map<string, Overheard>;
  /** Repeatable numbers in [0, 1). */
  readonly random: () => number;
};

/** A tool that is ready. */
export type OpenTool = {
  readonly visit: (session: Session) => Promise<void>;
  readonly close: () => Promise<unknown>;
};

/** Something that visits the shop. */
export type Tool = {
  readonly name: string;
  /**
   * Its kind: a program; a person, whom the service must not bother; or something that is reported
   * but counted as neither.
   */
  readonly kind: "automation" | "control" | "beside";
  readonly programs: readonly Program[];
  /** Visits for each one that --sessions asks for. */
  readonly share?: number;
  readonly open: (surroundings: Surroundings) => Promise<OpenTool>;
};
