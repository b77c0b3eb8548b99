import type { RelyingParty } from "@stile/core/ports/account/credentials";
import { BODY_LIMITS } from "@stile/protocol/limits";
import type { Role } from "@stile/protocol/roles";
import { problemsOf, type Schema } from "@stile/protocol/schemas/dashboard";
import type { BodyLimit } from "../request/body.ts";
import type { Client, DashboardPorts, SignedIn } from "./dashboard-ports.ts";
import { type Reply, refuse } from "./reply.ts";

/** A call of anybody, let in by method, origin and media type; its input is read by the route. */
export type OpenCall = {
  readonly ports: DashboardPorts;
  readonly client: Client;
  /** What the browser says it is, cut off at 1024 characters. */
  readonly userAgent: string;
  /** The dashboard's origin as this browser sees it, and its host: what a passkey is bound to. */
  readonly party: RelyingParty;
  /** Address for links that are handed out: STILE_BASE_URL, or else the origin of this browser; no slash at the end. */
  readonly baseUrl: string;
  readonly rawParams: Readonly<Record<string, string>>;
  readonly rawBody: unknown;
  readonly rawQuery: unknown;
};

/** A call of a member who may make it. */
export type MemberCall = OpenCall & { readonly signedIn: SignedIn };

/** The named segments of a path, such as `siteKey` of `sites/:siteKey`. */
type ParamsOf<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? ParamsOf<Head> & ParamsOf<Rest>
  : Path extends `:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown;

/** What a handler gets besides the call: input that holds. */
type Input<Path extends string, Body, Query> = {
  readonly params: ParamsOf<Path>;
  readonly body: Body;
  readonly query: Query;
};

/** Methods of the private endpoints; all but GET are writes. */
export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

type Definition<Path extends string, Body, Query, Call> = {
  readonly method: Method;
  /** Relative to /dashboard/api/; a segment `:name` stands for any one segment. */
  readonly path: Path;
  readonly body?: Schema<Body>;
  readonly query?: Schema<Query>;
  /** What its body may be, where that is not what all others' may. */
  readonly bodyLimit?: BodyLimit;
  readonly handle: (call: Call & Input<Path, Body, Query>) => Promise<Reply>;
};

/** One row of the route table. */
export type Route = {
  readonly method: Method;
  readonly path: string;
  readonly bodyLimit: BodyLimit;
} & (
  | { readonly role: "anyone"; readonly run: (call: OpenCall) => Promise<Reply> }
  | {
      readonly role: Role;
      /** Whether the member must have proved who it is within the last 10 minutes. */
      readonly needsProof: boolean;
      /** Whether it is open to a member who lacks the second factor that the account demands: only to set one up. */
      readonly mayLackFactor: boolean;
      readonly run: (call: MemberCall) => Promise<Reply>;
    }
);

/** Reads body and query by the route's schemas, then hands on; input that does not hold is refused with all problems. */
function withInput<Path extends string, Body, Query, Call extends OpenCall>(
  definition: Definition<Path, Body, Query, Call>,
): (call: Call) => Promise<Reply> {
  return async (call) => {
    const body = definition.body?.safeParse(call.rawBody);
    const query = definition.query?.safeParse(call.rawQuery);
    const problems = [body, query].flatMap((parsed) => (parsed?.error ? problemsOf(parsed.error) : []));
    if (problems.length > 0) return refuse("invalid_input", { problems });
    // The guard fills in exactly the names that the path has.
    const params = call.rawParams as ParamsOf<Path>;
    return definition.handle({ ...call, params, body: body?.data as Body, query: query?.data as Query });
  };
}

/** A route that needs no session. */
export function openRoute<const Path extends string, Body = undefined, Query = undefined>(
  definition: Definition<Path, Body, Query, OpenCall>,
): Route {
  const { method, path, bodyLimit = BODY_LIMITS.dashboard } = definition;
  return { method, path, bodyLimit, role: "anyone", run: withInput(definition) };
}

/** A route for members of at least that role, who have a second factor where their account demands one. */
export function memberRoute<const Path extends string, Body = undefined, Query = undefined>(
  definition: Definition<Path, Body, Query, MemberCall> & {
    readonly role: Role;
    readonly needsProof?: true;
    readonly mayLackFactor?: true;
  },
): Route {
  const { method, path, role, needsProof = false, mayLackFactor = false } = definition;
  const { bodyLimit = BODY_LIMITS.dashboard } = definition;
  const run: (call: MemberCall) => Promise<Reply> = withInput<Path, Body, Query, MemberCall>(definition);
  return { method, path, bodyLimit, role, needsProof, mayLackFactor, run };
}
