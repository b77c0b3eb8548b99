import { encodeBase64url } from "@stile/pow/base64url";
import { CHANGE_REPEAT_MS } from "../../domain/account/audit.ts";
import type { RequestedChange } from "../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";

/** The session that sends a change, the change's id, and its content: method, address and body. */
type SentChange = { readonly sessionId: string; readonly changeId: string; readonly what: string };

/**
 * The requested change, and whether an earlier request made it. `too_late`: it was made too long
 * ago to be repeated. A repeat has the same session, id, address and body; anything else is another
 * change. The digest does not reveal a password in the body, because nobody stores the id, which is
 * random.
 */
export async function findRequestedChange(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "auditLog">,
  { sessionId, changeId, what }: SentChange,
): Promise<RequestedChange | "too_late"> {
  const digest = encodeBase64url(ports.cryptography.digest(`${sessionId}\n${changeId}\n${what}`));
  const made = await ports.auditLog.findChange(digest);
  if (made !== undefined && ports.clock.nowMs() >= made.atMs + CHANGE_REPEAT_MS) return "too_late";
  return { digest, made };
}
