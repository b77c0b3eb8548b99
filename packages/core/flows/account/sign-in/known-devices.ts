import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import type { Member } from "../../../domain/account/member.ts";
import { decodeUtf8, encodeUtf8 } from "../../../domain/bytes.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "devices">;

/** What a browser carries that signed in before. It opens nothing: it only lets its bearer try past the crowd. */
export type Device = {
  readonly deviceId: string;
  readonly userId: string;
  /** Digest of the password's hash at that time: with another password the browser is a stranger again. */
  readonly passwordDigest: string;
};

/** How long a browser stays known after its last sign-in, in days. */
export const DEVICE_DAYS = 90;

const DAY_MS = 86_400_000;
const ID_BYTES = 12;
const MAX_CHARACTERS = 512;
/** The vault asks whose a sealed text is; who bears this one is found inside. */
const OWNER = "known device";

function digestPassword({ cryptography }: Ports, member: Member): string {
  return encodeBase64url(cryptography.digest(member.passwordHash ?? "").subarray(0, ID_BYTES));
}

/** The text that makes a browser known as one of the member's, from now on. */
export function sealDevice(ports: Ports, member: Member): string {
  const deviceId = encodeBase64url(ports.cryptography.randomBytes(ID_BYTES));
  const parts = [deviceId, member.userId, digestPassword(ports, member), String(ports.clock.nowMs())];
  return encodeBase64url(ports.devices.seal(encodeUtf8(parts.join(" ")), OWNER));
}

/** The device a browser's text tells of; undefined for what this service did not make in the last 90 days. */
export function openDevice(ports: Ports, text: string | undefined): Device | undefined {
  if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
  const sealed = decodeBase64url(text);
  const plain = sealed && ports.devices.open(sealed, OWNER);
  if (plain === undefined) return undefined;
  const [deviceId = "", userId = "", passwordDigest = "", madeAtMs = "0"] = decodeUtf8(plain).split(" ");
  if (ports.clock.nowMs() >= Number(madeAtMs) + DEVICE_DAYS * DAY_MS) return undefined;
  return { deviceId, userId, passwordDigest };
}

/** Whether the device is one of the member's, and the member's password the one of then. */
export function isDeviceOf(ports: Ports, device: Device, member: Member): boolean {
  return device.userId === member.userId && device.passwordDigest === digestPassword(ports, member);
}
