import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { StoreDescription } from "@stile/core/ports/store";
import type { Finding, SystemData } from "@stile/protocol/dashboard-api";
import type { VisitorReader } from "../visitor/visitor.ts";

/** The facts about the running service that the dashboard shows. */
export type ServiceFacts = {
  readonly version: string;
  readonly startedAtMs: number;
  /** STILE_BASE_URL; if undefined, the address that each browser uses. */
  readonly baseUrl: string | undefined;
  /** The demo's site key while the demo is on. */
  readonly demoSiteKey: string | null;
  /** Names of the bots whose signatures the operator trusts. */
  signedAgents(): readonly string[];
  describeStore(): Promise<StoreDescription>;
  listServiceKeys(): Promise<SystemData["serviceKeys"]>;
  /** The findings that `doctor` reports about keys, settings and this description of the store. */
  diagnose(store: StoreDescription): readonly Finding[];
  /** Whether a write has been pending for longer than callers wait (D15, outage). */
  isStoreLate(): boolean;
};

/** The ports of all private endpoints. */
export type DashboardPorts = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "directory"
  | "sites"
  | "keyUsage"
  | "localLimiter"
  | "statistics"
  | "settings"
  | "tokenUsage"
  | "usualEarnings"
  | "waveMemory"
  | "decisions"
  | "securityEvents"
  | "auditLog"
  | "members"
  | "sessions"
  | "links"
  | "passwords"
  | "vault"
  | "devices"
  | "totpCodes"
  | "passkeyCeremonies"
  | "puzzleBase"
> & { readonly visitors: VisitorReader; readonly service: ServiceFacts };
