/** What visits of a wave may share, in words for people. Class of the environment first, then of the behaviour. */
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
  actions: "What was done",
  rhythm: "Rhythm of the keys",
  work: "Speed of the work",
} as const satisfies Readonly<Record<string, string>>;

/** One of the properties that visits of a wave may share. */
export type WaveProperty = keyof typeof WAVE_PROPERTIES;

/** Visits to a site that have more in common than its visitors usually have. */
export type WaveData = {
  /** Names the class that surged, by digests; no visitor can be found by it. */
  readonly waveId: string;
  readonly sinceMs: number;
  readonly lastAtMs: number;
  /** Whether the class is no longer above what is usual. */
  readonly isOver: boolean;
  /** Visits of the class while it lasted, and of them those of the strongest stretch. */
  readonly visits: number;
  readonly peak: {
    readonly visits: number;
    /** Networks (/24, /48) they came from, estimated. */
    readonly networks: number;
    /** What the site's own past lets expect of as many visits. */
    readonly expected: number;
    /** Length of the stretch, ms. */
    readonly withinMs: number;
  };
  /** What they share, with its value as the browsers say it; empty until a visit of it came to this node. */
  readonly properties: readonly { readonly property: WaveProperty; readonly value: string }[];
  /** Until when visits of the class are refused; null: they are judged. */
  readonly refusedUntilMs: number | null;
};

/** GET sites/{key}/waves: the waves of the last 24 hours, the latest first. */
export type WavesData = {
  readonly nowMs: number;
  /** Whether too little is known of the site to tell a wave from its visitors. */
  readonly isLearning: boolean;
  readonly waves: readonly WaveData[];
  /** Tokens that one network may earn of the site in an hour, from how many on its work gets dearer, and how many networks that are. */
  readonly earnings: { readonly tokensPerHour: number; readonly dearerFrom: number; readonly networks: number };
};
