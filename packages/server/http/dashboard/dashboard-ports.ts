import type { AccountPorts } from "@stile/core/flows/account/account-ports";
import type { getSite } from "@stile/core/flows/site/get-site";
import type { SitePorts } from "@stile/core/flows/site/own-site";
import type { labelDecision } from "@stile/core/flows/statistics/label-decision";
import type { listSites } from "@stile/core/flows/statistics/list-sites";
import type { viewDecisions } from "@stile/core/flows/statistics/view-decisions";
import type { viewInstall } from "@stile/core/flows/statistics/view-install";
import type { viewOutcome } from "@stile/core/flows/statistics/view-outcome";
import type { viewScores } from "@stile/core/flows/statistics/view-scores";
import type { StoreDescription } from "@stile/core/ports/store";
import type { SystemData } from "@stile/protocol/dashboard-api";
import type { VisitorReader } from "../visitor.ts";

export type { Client, SignedIn } from "@stile/core/flows/account/account-ports";

/** What the dashboard tells of the running service. */
export type ServiceFacts = {
  readonly version: string;
  readonly startedAtMs: number;
  /** STILE_BASE_URL; undefined: each browser's own address. */
  readonly baseUrl: string | undefined;
  /** The demo's site key while the demo is on. */
  readonly demoSiteKey: string | null;
  describeStore(): Promise<StoreDescription>;
  listServiceKeys(): Promise<SystemData["serviceKeys"]>;
  /** When a private peer last forwarded visitors undeclared, since this start (D5); null if never. */
  undeclaredProxySeenAtMs(): number | null;
  /** Whether a write has been under way for longer than callers wait (D15). */
  isStoreLate(): boolean;
};

/** Ports of every private endpoint. */
export type DashboardPorts = AccountPorts &
  SitePorts &
  Parameters<typeof getSite>[0] &
  Parameters<typeof listSites>[0] &
  Parameters<typeof viewOutcome>[0] &
  Parameters<typeof viewScores>[0] &
  Parameters<typeof viewDecisions>[0] &
  Parameters<typeof labelDecision>[0] &
  Parameters<typeof viewInstall>[0] & { readonly visitors: VisitorReader; readonly service: ServiceFacts };
