/**
 * The properties that visits of a wave may share, in words: first those of the
 * environment, then of the behaviour.
 */
export const WAVE_PROPERTIES = {
  browser: "Browser",
  system: "System",
  screen: "Screen",
  window: "Window",
  languages: "Languages",
  timeZone: "Time zone",
  processors: "Processor",
  graphics: "Graphics",
  input: "Input",
  actions: "Actions",
  rhythm: "Typing rhythm",
  work: "Solving speed",
} as const satisfies Readonly<Record<string, string>>;

/** One of the properties that visits of a wave may share. */
export type WaveProperty = keyof typeof WAVE_PROPERTIES;

/** Visits to a site that have more in common than its visitors usually have. */
export type WaveData = {
  /** Identifies the class that surged, by digests. No visitor can be traced by it. */
  readonly waveId: string;
  readonly sinceMs: number;
  readonly lastAtMs: number;
  /** Whether the class is back at its usual share. */
  readonly isOver: boolean;
  /** Visits of the class during the whole wave, and those in its strongest stretch. */
  readonly visits: number;
  readonly peak: {
    readonly visits: number;
    /** How many networks (/24, /48) they came from, estimated. */
    readonly networks: number;
    /** How many visits of this class to expect, going by the site's own past. */
    readonly expected: number;
    /** Length of the stretch, ms. */
    readonly withinMs: number;
  };
  /**
   * The shared properties, with the value as browsers report it; empty until this node has seen a
   * visit of the class.
   */
  readonly properties: readonly { readonly property: WaveProperty; readonly value: string }[];
  /** Until when visits of the class are refused; null if they are scored as usual. */
  readonly refusedUntilMs: number | null;
};

/**
 * GET sites/{key}/waves: the waves of the last 24 hours, those under way first, then the latest to
 * begin.
 */
export type WavesData = {
  readonly nowMs: number;
  /**
   * Whether the service knows too little of the site yet to distinguish a wave from its usual
   * visitors.
   */
  readonly isLearning: boolean;
  readonly waves: readonly WaveData[];
  /**
   * Tokens that one network may earn of the site in an hour before its work gets harder, and
   * networks with more.
   */
  readonly earnings: { readonly free: number; readonly networks: number };
};
