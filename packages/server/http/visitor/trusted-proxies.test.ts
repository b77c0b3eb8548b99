import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { type IpAddress, parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import { readConfig } from "../../config/config.ts";
import { createProxyChain } from "./trusted-proxies.ts";

/** The client that is found behind these proxies, as a text of its bytes. */
function clientOf(proxies: string, peer: string, forwardedFor?: string): string | undefined {
  const reading = readConfig(proxies === "" ? {} : { STILE_TRUSTED_PROXIES: proxies });
  assert.ok(reading.kind === "config");
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: peer });
  const request = new IncomingMessage(socket);
  if (forwardedFor !== undefined) request.headers["x-forwarded-for"] = forwardedFor;
  return textOf(createProxyChain(reading.config.trustedProxies).addressOf(request));
}

const textOf = (address: IpAddress | undefined): string | undefined =>
  address && `${address.bytes.join(".")}`;
const same = (text: string): string | undefined => textOf(parseIpAddress(text));

test("without trusted proxies, takes the peer as the client, whatever it forwards (D14, client address)", () => {
  assert.equal(clientOf("", "198.51.100.1"), "198.51.100.1");
  assert.equal(clientOf("", "198.51.100.1", "192.0.2.1"), "198.51.100.1");
  assert.equal(clientOf("", "127.0.0.1", "192.0.2.1"), "127.0.0.1");
});

test("does not believe a peer that is not a trusted proxy (D14, client address)", () => {
  assert.equal(clientOf("10.0.0.0/8", "198.51.100.1", "192.0.2.1"), "198.51.100.1");
});

test("reads X-Forwarded-For from the right up to the first address that is not trusted (D14, client address)", () => {
  const proxies = "10.0.0.0/8, 203.0.113.7, 2001:db8:f::/48";
  assert.equal(clientOf(proxies, "10.0.0.1", "192.0.2.1"), "192.0.2.1");
  assert.equal(
    clientOf(proxies, "10.0.0.1", "1.1.1.1, 192.0.2.1"),
    "192.0.2.1",
    "the client's own claim is ignored",
  );
  assert.equal(clientOf(proxies, "10.0.0.1", "192.0.2.1, 203.0.113.7 ,10.9.9.9"), "192.0.2.1");
  assert.equal(clientOf(proxies, "10.0.0.1", "192.0.2.1, 2001:db8:f::1"), "192.0.2.1");
  assert.equal(clientOf(proxies, "2001:db8:f::9", "2001:db8::5"), same("2001:db8::5"));
  assert.equal(
    clientOf(proxies, "10.0.0.1", "10.0.0.2, 10.0.0.3"),
    "10.0.0.2",
    "only proxies: the outermost one",
  );
});

test("ends the search at the proxy that wrote an entry which is not an address (D14, client address)", () => {
  for (const garbage of [
    "unknown",
    "",
    "_hidden",
    "192.0.2.1 evil",
    "192.0.2.300",
    "1.2.3.4/8",
    "[192.0.2.1",
  ]) {
    assert.equal(clientOf("10.0.0.0/8", "10.0.0.1", `192.0.2.1, ${garbage}`), "10.0.0.1", garbage);
    assert.equal(
      clientOf("10.0.0.0/8", "10.0.0.1", `192.0.2.1, ${garbage}, 10.0.0.2`),
      "10.0.0.2",
      garbage,
    );
  }
});

test("takes the ports, brackets and zones that some proxies add, and IPv4-mapped spellings (D5, binding; D14, client address)", () => {
  assert.equal(clientOf("10.0.0.0/8", "10.0.0.1", "192.0.2.1:4711"), "192.0.2.1");
  assert.equal(clientOf("10.0.0.0/8", "10.0.0.1", "[2001:db8::5]:443"), same("2001:db8::5"));
  assert.equal(clientOf("10.0.0.0/8", "10.0.0.1", "[2001:db8::5]"), same("2001:db8::5"));
  assert.equal(clientOf("10.0.0.0/8", "10.0.0.1", "fe80::1%eth0"), same("fe80::1"));
  assert.equal(clientOf("10.0.0.0/8", "::ffff:10.0.0.1", "::ffff:192.0.2.1"), "192.0.2.1");
  assert.equal(clientOf("10.0.0.0/8", "10.0.0.1", "192.0.2.1, ::ffff:10.0.0.9"), "192.0.2.1");
});

test("drops zone ids of link-local peers, and counts ::1 as IPv4 (D5, binding)", () => {
  assert.equal(clientOf("", "fe80::1%eth0"), same("fe80::1"));
  assert.equal(clientOf("", "::1"), "127.0.0.1");
});
