import { actorOf } from "@stile/core/domain/account/audit";
import { refuseWave } from "@stile/core/use-cases/site/refuse-wave";
import { viewWaves } from "@stile/core/use-cases/statistics/view-waves";
import { waveRefusalSchema } from "@stile/protocol/schemas/dashboard";
import { ok, refuse } from "../reply.ts";
import { memberRoute, type Route } from "../route.ts";

/** The wave was merged into a more specific one, or only another node has seen it. */
const NOT_LISTED = refuse("not_found", {
  message:
    "This wave is no longer listed. Check what the page shows now, and try again if the wave is still there.",
});

const waves = memberRoute({
  method: "GET",
  path: "sites/:siteKey/waves",
  role: "viewer",
  handle: async ({ ports, signedIn, params }) => {
    const data = await viewWaves(ports, {
      accountId: signedIn.member.accountId,
      siteKey: params.siteKey,
    });
    return data === undefined ? refuse("not_found") : ok(data);
  },
});

const refusal = memberRoute({
  method: "PUT",
  path: "sites/:siteKey/waves/:waveId",
  role: "developer",
  body: waveRefusalSchema,
  handle: async (call) => {
    const { ports, signedIn, params, body } = call;
    const { member } = signedIn;
    const reference = {
      accountId: member.accountId,
      siteKey: params.siteKey,
      actor: actorOf(member),
    };
    const answer = await refuseWave(
      ports,
      reference,
      params.waveId,
      body.isRefused ? "refuse" : "release",
    );
    return answer === "changed" ? ok() : NOT_LISTED;
  },
});

/** Routes of waves of similar visits, and of the owner's refusal of one. */
export const waveRoutes: readonly Route[] = [waves, refusal];
