import type { MeData } from "@stile/protocol/dashboard-api";
import type { Role } from "@stile/protocol/roles";

/**
 * The service's data about a member with that role; by default with a password and without a second
 * factor.
 */
export function memberWithRole(role: Role, more: Partial<MeData> = {}): MeData {
  return {
    user: { userId: "usr_me", email: "ada@example.org", name: "Ada", role },
    accountName: "Otters Ltd",
    hasPassword: true,
    hasTotp: false,
    passkeys: [],
    recoveryCodesLeft: 0,
    isSecondFactorDemanded: false,
    freshUntilMs: 0,
    baseUrl: "https://stile.example",
    version: "0.1.0",
    demoSiteKey: null,
    signedAgents: [],
    defaultLimits: { verifyPerMinute: 1000, scorePerMinute: 500 },
    ...more,
  };
}
