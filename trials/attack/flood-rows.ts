/** The service's view of a visitor who asks for a challenge. */
export type Asker = { readonly address: string; readonly userAgent: string };

/** One flood alongside honest visitors, on a service of its own. */
export type FloodRow = {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The attacker's total rate. */
  readonly perSecond: number;
  readonly attacker: (request: number) => Asker;
  readonly honest: (visitor: number) => Asker;
  /** Whether the honest visitors visit another site of the account than the flooded one. */
  readonly isOtherSite: boolean;
  /** Least share of honest visitors, in %, who must get a challenge at the first try. */
  readonly served: number;
};

/** Honest visitors of each row, spread over a minute. */
export const HONEST = 30;
/** 100 times the rate of the honest visitors. */
const FLOOD_PER_SECOND = (100 * HONEST) / 60;

const firefox = (version: number): string =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const safari = (version: string): string =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;

/** A common browser, which a third of the honest visitors use. */
const COMMON_AGENT = firefox(156);
const OTHER_AGENTS = [
  safari("19.1"),
  firefox(155),
  safari("18.6"),
  firefox(140),
  safari("19.0"),
  firefox(154),
];

/** The browser of an honest visitor: seven in all, each used by several visitors. */
function agentOf(visitor: number): string {
  return visitor % 3 === 0
    ? COMMON_AGENT
    : (OTHER_AGENTS[visitor % OTHER_AGENTS.length] ?? COMMON_AGENT);
}

const fromOwnNetwork = (visitor: number): Asker => ({
  address: `81.2.${visitor}.9`,
  userAgent: agentOf(visitor),
});
const SHARED_ADDRESS = "62.40.7.1";
const fromSharedAddress = (visitor: number): Asker => ({
  address: SHARED_ADDRESS,
  userAgent: agentOf(visitor),
});

const NETWORKS = 1000;
const fromManyNetworks = (request: number): Asker => {
  const network = request % NETWORKS;
  return { address: `45.${network >> 8}.${network & 255}.7`, userAgent: agentOf(network) };
};
const OWN_AGENT = firefox(128);

const AGAINST_ALL = {
  settings: {},
  perSecond: FLOOD_PER_SECOND,
  honest: fromOwnNetwork,
  isOtherSite: false,
} as const;
const BEHIND_ONE_ADDRESS = { ...AGAINST_ALL, honest: fromSharedAddress, served: 80 } as const;

/** The floods that are tried, each with real requests. */
export const FLOOD_ROWS: readonly FloodRow[] = [
  {
    ...AGAINST_ALL,
    name: "one IPv4 /24",
    attacker: (request) => ({ address: `45.9.9.${request % 256}`, userAgent: OWN_AGENT }),
    served: 95,
  },
  {
    ...AGAINST_ALL,
    name: "one IPv6 /48, another /56 and /64 each time",
    attacker: (request) => ({
      address: `2a00:45:9:${((request * 257) % 65_536).toString(16)}::1`,
      userAgent: OWN_AGENT,
    }),
    served: 95,
  },
  {
    ...AGAINST_ALL,
    name: "one IPv6 /32, another /48 each time, a total of 1,000 a minute",
    settings: { STILE_LIMIT_CHALLENGE_TOTAL: "1000" },
    attacker: (request) => ({
      address: `2a00:46:${request.toString(16)}::1`,
      userAgent: OWN_AGENT,
    }),
    served: 95,
  },
  {
    ...BEHIND_ONE_ADDRESS,
    name: "same address, own agent",
    attacker: () => ({ address: SHARED_ADDRESS, userAgent: OWN_AGENT }),
  },
  ...[3.3, 16.7, 50].map((perSecond) => ({
    ...AGAINST_ALL,
    name: `1,000 networks, ${perSecond} a second`,
    perSecond,
    attacker: fromManyNetworks,
    served: 80,
  })),
  {
    ...AGAINST_ALL,
    name: "one site of two, 1,000 networks, a total of 1,000 a minute",
    settings: { STILE_LIMIT_CHALLENGE_TOTAL: "1000" },
    attacker: fromManyNetworks,
    isOtherSite: true,
    served: 95,
  },
];
