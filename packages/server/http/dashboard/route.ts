import type { Client, SignedIn } from "@stile/core/domain/account/signed-in";
import type { RelyingParty } from "@stile/core/ports/account/credentials";
import { BODY_LIMITS } from "@stile/protocol/limits";
import type { Role } from "@stile/protocol/roles";
import { problemsOf, type Schema } from "@stile/protocol/schemas/dashboard";
import type { BodyLimit } from "../request/body.ts";
import type { DashboardPorts } from "./dashboard-ports.ts";
import { type RouteReply, refuse } from "./reply.ts";

/**
 * A call by anybody that passed the checks of method, origin and media type. The route reads its
 * input.
 */
export type OpenCall = {
  readonly ports: DashboardPorts;
  readonly client: Client;
  /** The browser's user agent, cut off at 1024 characters. */
  readonly userAgent: string;
  /** The dashboard's origin as this browser sees it, and its host, to which passkeys are bound. */
  readonly party: RelyingParty;
  /**
   * Base of links to pass on: STILE_BASE_URL, or else this browser's origin, without a slash at the
   * end.
   */
  readonly baseUrl: string;
  readonly rawParams: Readonly<Record<string, string>>;
  readonly rawBody: unknown;
  readonly rawQuery: unknown;
};

/** A call by a member with the right to make it. */
export type MemberCall = OpenCall & {
  readonly signedIn: SignedIn;
  /** Whether the member proved their identity within the last 10 minutes. */
  readonly isProven: boolean;
};

/** The parameters of a path, such as `siteKey` of `sites/:siteKey`. */
type ParamsOf<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? ParamsOf<Head> & ParamsOf<Rest>
  : Path extends `:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown;

/** The validated input that a handler gets in addition to the call. */
type Input<Path extends string, Body, Query> = {
  readonly params: ParamsOf<Path>;
  readonly body: Body;
  readonly query: Query;
};

/** The methods of the private endpoints; all but GET are writes. */
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

type Definition<Path extends string, Body, Query, Call> = {
  readonly method: Method;
  /** Relative to /dashboard/api/. A segment `:name` matches any one segment. */
  readonly path: Path;
  readonly body?: Schema<Body>;
  readonly query?: Schema<Query>;
  /** The limits of its body, if they differ from the usual ones. */
  readonly bodyLimit?: BodyLimit;
  readonly handle: (call: Call & Input<Path, Body, Query>) => Promise<RouteReply>;
};

/** A row of the route table. */
export type Route = {
  readonly method: Method;
  readonly path: string;
  readonly bodyLimit: BodyLimit;
} & (
  | { readonly role: "anyone"; readonly run: (call: OpenCall) => Promise<RouteReply> }
  | {
      readonly role: Role;
      /** Whether the member must have proven their identity within the last 10 minutes. */
      readonly needsProof: boolean;
      /**
       * Whether members without the demanded second factor may call it; only for routes that set
       * one up.
       */
      readonly mayLackFactor: boolean;
      readonly run: (call: MemberCall) => Promise<RouteReply>;
    }
);

/**
 * Parses body and query by the route's schemas and calls the handler. Invalid input is refused with
 * all problems.
 */
function withInput<Path extends string, Body, Query, Call extends OpenCall>(
  definition: Definition<Path, Body, Query, Call>,
): (call: Call) => Promise<RouteReply> {
  return async (call) => {
    const body = definition.body?.safeParse(call.rawBody);
    const query = definition.query?.safeParse(call.rawQuery);
    const problems = [body, query].flatMap((parsed) =>
      parsed?.error ? problemsOf(parsed.error) : [],
    );
    if (problems.length > 0) return refuse("invalid_input", { problems });
    // The guard fills in exactly the parameters of the path.
    const params = call.rawParams as ParamsOf<Path>;
    return definition.handle({
      ...call,
      params,
      body: body?.data as Body,
      query: query?.data as Query,
    });
  };
}

/** A route that needs no session. */
export function openRoute<const Path extends string, Body = undefined, Query = undefined>(
  definition: Definition<Path, Body, Query, OpenCall>,
): Route {
  const { method, path, bodyLimit = BODY_LIMITS.dashboard } = definition;
  return { method, path, bodyLimit, role: "anyone", run: withInput(definition) };
}

/**
 * A route for members with at least that role, and with a second factor if their account demands
 * one.
 */
export function memberRoute<const Path extends string, Body = undefined, Query = undefined>(
  definition: Definition<Path, Body, Query, MemberCall> & {
    readonly role: Role;
    readonly needsProof?: true;
    readonly mayLackFactor?: true;
  },
): Route {
  const { method, path, role, needsProof = false, mayLackFactor = false } = definition;
  const { bodyLimit = BODY_LIMITS.dashboard } = definition;
  const run: (call: MemberCall) => Promise<RouteReply> = withInput<Path, Body, Query, MemberCall>(
    definition,
  );
  return { method, path, bodyLimit, role, needsProof, mayLackFactor, run };
}
