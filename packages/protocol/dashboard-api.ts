import type { SecurityEvent } from "./dashboard-events.ts";
import type { Role } from "./roles.ts";
import type {
  Binding,
  NoScript,
  OnUnavailable,
  ScoreSignals,
  SignedAgentPolicy,
  SiteLimits,
  SiteMode,
  Theme,
} from "./site-settings.ts";

/**
 * The messages between the dashboard and its private endpoints under `/dashboard/api/`. They are no
 * public interface (spec 1; D16, operator), so they may change with any release. Every answer is
 * `{ success: true, data }` or the error of D11 (errors), which also has `problems` where the input
 * was refused. Times are epoch ms.
 */
export type DashboardAnswer<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly error: DashboardError };

/** Why a call was refused. `problems` names the fields to correct, if there are any. */
export type DashboardError = {
  readonly code: DashboardErrorCode;
  readonly message: string;
  readonly request_id: string;
  readonly problems?: readonly FieldProblem[];
};

/** A field of the input and how to correct it. */
export type FieldProblem = { readonly field: string; readonly message: string };

/** The codes of `DashboardError` with their HTTP status. */
export const DASHBOARD_ERROR_CODES = {
  bad_request: { status: 400, meaning: "The request could not be read." },
  invalid_input: { status: 400, meaning: "A value in the form is not valid." },
  not_signed_in: { status: 401, meaning: "Sign in first." },
  wrong_credentials: {
    status: 401,
    meaning: "Incorrect email, password, code or passkey. Check it and try again.",
  },
  puzzle_needed: {
    status: 403,
    meaning:
      "This browser has not signed in here recently, so it must do a little work before the password is checked. The sign-in page does that automatically. Reload it and try again.",
  },
  second_factor_needed: {
    status: 401,
    meaning: "Enter the code from your authenticator app or a recovery code, or use a passkey.",
  },
  foreign_origin: {
    status: 403,
    meaning: "The dashboard accepts requests only from its own pages.",
  },
  insecure_connection: {
    status: 403,
    meaning:
      "Signing in requires https. Put a TLS proxy in front of the service and set STILE_BASE_URL, or open the dashboard on the service's own machine at http://localhost.",
  },
  not_allowed: {
    status: 403,
    meaning: "Your role does not allow this. Ask an owner or admin of the account.",
  },
  second_factor_demanded: {
    status: 403,
    meaning:
      "This account requires a second factor for every member. Set up an authenticator app or a passkey first.",
  },
  step_up_needed: {
    status: 403,
    meaning: "Confirm that it's you: enter your password or use your passkey.",
  },
  not_found: { status: 404, meaning: "Not found in this account. It may have been deleted." },
  link_expired: { status: 404, meaning: "This link was used or has expired. Ask for a new one." },
  name_taken: { status: 409, meaning: "This name is already taken." },
  conflict: {
    status: 409,
    meaning: "Someone else has changed this. Reload it, then make your change again.",
  },
  factor_missing: {
    status: 409,
    meaning:
      "You don't have a second factor yourself. Set up an authenticator app or a passkey on your account page first.",
  },
  last_owner: {
    status: 409,
    meaning: "An account needs an owner. Make someone else an owner first.",
  },
  method_not_allowed: { status: 405, meaning: "This address does not accept this method." },
  payload_too_large: { status: 413, meaning: "The body is larger than this address accepts." },
  unsupported_media_type: { status: 415, meaning: "The body must be sent as application/json." },
  rate_limited: {
    status: 429,
    meaning: "Too many attempts. Wait for the time given in Retry-After, then try again.",
  },
  internal_error: {
    status: 500,
    meaning: "Something went wrong. Try again. The service's log has the request ID.",
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

/** Machine-readable cause of a refused call. */
export type DashboardErrorCode = keyof typeof DASHBOARD_ERROR_CODES;

/**
 * GET me: the signed-in member, the account, and the facts about the service that every page shows.
 */
export type MeData = {
  readonly user: {
    readonly userId: string;
    readonly email: string;
    readonly name: string;
    readonly role: Role;
  };
  readonly accountName: string;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: readonly PasskeyData[];
  readonly recoveryCodesLeft: number;
  /**
   * Whether the account demands a second factor. A member without one can then do nothing but set
   * one up.
   */
  readonly isSecondFactorDemanded: boolean;
  /**
   * Until this moment, deleting, rotating and weakening a site need no further proof (10 minutes
   * after the last one).
   */
  readonly freshUntilMs: number;
  /** The address at which browsers reach the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly version: string;
  /**
   * The demo's site key while the demo is on. The widget preview uses it where the site's own
   * domains do not fit.
   */
  readonly demoSiteKey: string | null;
  /** Names of the bots whose signatures the operator trusts (STILE_SIGNED_AGENTS). */
  readonly signedAgents: readonly string[];
  /** The limits of a site that sets none of its own (STILE_LIMIT_VERIFY, STILE_LIMIT_SCORE). */
  readonly defaultLimits: SiteLimits<number>;
};

/** A registered passkey. */
export type PasskeyData = {
  readonly passkeyId: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
};

/**
 * GET sign-in: facts that anybody may know before signing in. While there is no member, only a
 * set-up link leads in, and the page says where the operator finds one. It reveals neither the link
 * nor anything about the account.
 */
export type SignInData = { readonly hasMember: boolean };

/** GET links: the purpose of an opened set-up, invitation or reset link. */
export type LinkData = {
  readonly purpose: "setup" | "invite" | "reset";
  readonly accountName: string;
  readonly role: Role;
  /** The member whose credentials are reset; null if the link creates a new member. */
  readonly email: string | null;
  /**
   * For a reset link: whether the member must give a code or passkey, or the maker removed their
   * second factors.
   */
  readonly secondFactor: "none" | "needed" | "removed";
  /** Whether a passkey may serve as that second factor. */
  readonly hasPasskeys: boolean;
  readonly expiresAtMs: number;
};

/** POST sign-in and POST link/accept: how many recovery codes are left, if one was used. */
export type EnteredData = { readonly recoveryCodesLeft?: number };

/**
 * POST me/recovery-codes, and confirming a first second factor: recovery codes to keep, shown only
 * this once.
 */
export type RecoveryCodesData = { readonly recoveryCodes?: readonly string[] };

/** One session of the signed-in member. */
export type SessionData = {
  readonly sessionId: string;
  readonly isCurrent: boolean;
  /** Browser and operating system in words, such as "Chrome on Linux". */
  readonly device: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
};

/** One member of the account. */
export type MemberData = {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly lastSignInAtMs: number | null;
  readonly hasTotp: boolean;
  readonly passkeyCount: number;
};

/** An invitation that has not been accepted yet. */
export type InvitationData = {
  readonly linkId: string;
  readonly role: Role;
  readonly expiresAtMs: number;
  /** The email of the member who made it; null if the operator did. */
  readonly madeBy: string | null;
};

/** GET members. */
export type MembersData = {
  readonly members: readonly MemberData[];
  readonly invitations: readonly InvitationData[];
};

/** POST members and POST members/{id}/reset: a link to pass on, shown only this once. */
export type NewLinkData = { readonly url: string; readonly expiresAtMs: number };

/**
 * POST totp: the data for an authenticator app. It takes effect only when a code of the app is
 * confirmed.
 */
export type TotpEnrolmentData = {
  readonly secret: string;
  readonly uri: string;
  /** The QR code of `uri`: one text of "0" and "1" per row. */
  readonly qr: readonly string[];
};

/**
 * One finding, in a sentence: `warn` works but needs attention, `fail` does not work. `fix` says
 * what to do.
 */
export type Finding = {
  readonly level: "ok" | "warn" | "fail";
  readonly text: string;
  readonly fix?: string;
};

/** GET system: facts about the running service for an operator. */
export type SystemData = {
  readonly version: string;
  readonly node: string;
  readonly startedAtMs: number;
  readonly nowMs: number;
  readonly store: { readonly engine: string; readonly durability: string; readonly detail: string };
  /**
   * Whether the disk has kept a write waiting longer than any caller waits for an answer (D15,
   * outage).
   */
  readonly isStoreLate: boolean;
  readonly serviceKeys: readonly {
    readonly keyId: number;
    readonly createdAtMs: number;
    readonly isCurrent: boolean;
  }[];
  readonly baseUrl: string;
  readonly isDemoOn: boolean;
  /** The findings of the command `doctor` about keys, store and settings. */
  readonly findings: readonly Finding[];
  /**
   * Security events since the start, the latest first. An event that never happened is left out.
   */
  readonly securityEvents: readonly {
    readonly event: SecurityEvent;
    readonly count: number;
    readonly lastAtMs: number;
  }[];
};

/** POST sign-in/puzzle: the work that an unknown browser does before it submits a password. */
export type SignInPuzzleData = {
  readonly challenge: string;
  readonly algorithm: number;
  readonly k: number;
  readonly difficulty: number;
};

/**
 * The settings of a site that can be changed (spec 2.4; D13, formats), as the dashboard sends and
 * receives them.
 */
export type SiteSettingsData = SiteLimits<number | null> & {
  readonly name: string;
  readonly domains: readonly string[];
  readonly mode: SiteMode;
  readonly theme: Theme;
  readonly language: string;
  readonly isEnabled: boolean;
  readonly tokenLifeSeconds: number;
  readonly binding: Binding;
  readonly thresholds: { readonly challenge: number; readonly block: number };
  readonly difficultyOffset: number;
  readonly signedAgents: SignedAgentPolicy;
  readonly scoreSignals: ScoreSignals;
  readonly onUnavailable: OnUnavailable;
  readonly noScript: NoScript;
  readonly contact: string;
};

/** GET sites/{key}. */
export type SiteData = SiteSettingsData & {
  readonly siteKey: string;
  readonly createdAtMs: number;
  readonly revision: number;
  readonly secretKeys: readonly SecretKeyData[];
};

/**
 * A secret key that still works; of the key itself, only the last four characters are kept (D12,
 * states; D13, formats).
 */
export type SecretKeyData = {
  readonly lastFour: string;
  readonly createdAtMs: number;
  readonly state: "active" | "grace";
  /** When the grace period ends; null for the active key. */
  readonly deadAtMs: number | null;
  /** When a call with this key was last accepted, to about 10 s; null if there was none. */
  readonly lastUsedAtMs: number | null;
};

/** POST sites, .../rotate, .../restore: the secret key is shown only this once (D13, formats). */
export type SiteWithSecretData = { readonly site: SiteData; readonly secretKey: string };

/**
 * GET sites: those in use, with the figures of the last 24 hours, and the deleted ones that can be
 * restored (D12, states).
 */
export type SitesData = {
  readonly sites: readonly ListedSiteData[];
  readonly deleted: readonly {
    readonly siteKey: string;
    readonly name: string;
    readonly deletedAtMs: number;
    readonly purgedAtMs: number;
  }[];
};

/** A site in the list, with its figures of the last 24 hours. */
export type ListedSiteData = {
  readonly siteKey: string;
  readonly name: string;
  readonly domains: readonly string[];
  readonly mode: SiteMode;
  readonly isEnabled: boolean;
  readonly lastFour: string;
  readonly issued: number;
  readonly solved: number;
  readonly tokens: number;
  readonly verified: number;
  /** Share of the redemption attempts that were verified; null before the first attempt. */
  readonly passRate: number | null;
  /** Share of the scored solutions that were blocked; null before the first one. */
  readonly blockRate: number | null;
  readonly solveP50Ms: number | null;
  readonly solveP95Ms: number | null;
  /** Solved challenges per hour for 24 hours, oldest first. */
  readonly sparkline: readonly number[];
  /**
   * Whether of the tokens of 24 h none was redeemed (if few: nor in a week), or none any more: the
   * customer's server does not call.
   */
  readonly isNeverVerified: boolean;
  /**
   * Whether a wave of visits that look the same is under way, as far as the answering node knows.
   */
  readonly hasWave: boolean;
};
