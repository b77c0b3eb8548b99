import type { SiteSettings } from "@stile/core/domain/site/site";
import type { TrafficProfile } from "./traffic.ts";

/** A demonstration site: its settings and its visitors. */
export type DemoSite = {
  readonly settings: Pick<SiteSettings, "name" | "domains"> & Partial<SiteSettings>;
  readonly traffic: TrafficProfile;
};

/**
 * A busy shop with occasional attacks, a quiet forum, and a newsletter whose server forgot to
 * verify.
 */
export const DEMO_SITES: readonly DemoSite[] = [
  {
    settings: { name: "Harbour Shop", domains: ["shop.harbour.example", "harbour.example"] },
    traffic: {
      seed: 11,
      peoplePerHour: 64,
      redeemedShare: 0.965,
      botShare: 0.07,
      attacks: [
        { daysAgo: 41, hours: 9, botsPerHour: 480 },
        { daysAgo: 12, hours: 5, botsPerHour: 900 },
        { daysAgo: 1, hours: 3, botsPerHour: 650 },
      ],
      actions: [
        ["login", 52],
        ["checkout", 27],
        ["signup", 15],
        ["password-reset", 6],
      ],
      hosts: [
        ["shop.harbour.example", 88],
        ["www.harbour.example", 12],
      ],
    },
  },
  {
    settings: {
      name: "Rowing Forum",
      domains: ["rowing-forum.example"],
      mode: "interactive",
      theme: "dark",
      language: "de",
    },
    traffic: {
      seed: 23,
      peoplePerHour: 9,
      redeemedShare: 0.98,
      botShare: 0.35,
      attacks: [{ daysAgo: 27, hours: 30, botsPerHour: 60 }],
      actions: [
        ["post", 60],
        ["signup", 40],
      ],
      hosts: [["rowing-forum.example", 1]],
    },
  },
  {
    settings: {
      name: "Newsletter",
      domains: ["news.harbour.example", "localhost"],
      mode: "invisible",
    },
    traffic: {
      seed: 37,
      peoplePerHour: 4,
      redeemedShare: 0,
      botShare: 0.12,
      attacks: [],
      actions: [["", 1]],
      hosts: [
        ["news.harbour.example", 95],
        ["localhost", 5],
      ],
    },
  },
];
