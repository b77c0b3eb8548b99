import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import type { Member } from "../../../domain/account/member.ts";
import { decodeUtf8, encodeUtf8 } from "../../../domain/bytes.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "devices">;

/**
 * The record that a browser keeps from an earlier sign-in. It grants no access: it only exempts
 * from the limits for strangers.
 */
export type Device = {
  readonly deviceId: string;
  readonly userId: string;
  /**
   * Digest of the password's hash at that time. If the password has changed, the browser is a
   * stranger again.
   */
  readonly passwordDigest: string;
};

/** For how many days after its last sign-in a browser stays known. */
export const DEVICE_DAYS = 90;

const DAY_MS = 86_400_000;
const ID_BYTES = 12;
const MAX_CHARACTERS = 512;
/** The vault requires an owner, but the member is not known until the text is opened. */
const OWNER = "known device";

function digestPassword({ cryptography }: Ports, member: Member): string {
  return encodeBase64url(cryptography.digest(member.passwordHash ?? "").subarray(0, ID_BYTES));
}

/** The text that makes a browser known as one of this member's. */
export function sealDevice(ports: Ports, member: Member): string {
  const deviceId = encodeBase64url(ports.cryptography.randomBytes(ID_BYTES));
  const parts = [
    deviceId,
    member.userId,
    digestPassword(ports, member),
    String(ports.clock.nowMs()),
  ];
  return encodeBase64url(ports.devices.seal(encodeUtf8(parts.join(" ")), OWNER));
}

/**
 * The device in a browser's text; undefined unless this service made the text in the last 90 days.
 */
export function openDevice(ports: Ports, text: string | undefined): Device | undefined {
  if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
  const sealed = decodeBase64url(text);
  const plain = sealed && ports.devices.open(sealed, OWNER);
  if (plain === undefined) return undefined;
  const [deviceId = "", userId = "", passwordDigest = "", madeAtMs = "0"] =
    decodeUtf8(plain).split(" ");
  if (ports.clock.nowMs() >= Number(madeAtMs) + DEVICE_DAYS * DAY_MS) return undefined;
  return { deviceId, userId, passwordDigest };
}

/** Whether the device's member still has the password that they had when it became known. */
export function isStillKnown(ports: Ports, device: Device, member: Member): boolean {
  return device.passwordDigest === digestPassword(ports, member);
}
