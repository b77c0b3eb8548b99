import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { BlockList, Socket } from "node:net";
import { test } from "node:test";
import { type IpAddress, parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import { configOf } from "@stile/testkit/service/config-of";
import { createVisitorReader } from "./visitor.ts";

type RequestHeaders = Readonly<Record<string, string>>;

/** A request from that peer, as the parser leaves it. */
function requestFrom(peer: string | undefined, headers: RequestHeaders = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: peer });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return request;
}

function readerBehind(proxies: string) {
  if (proxies === "") return createVisitorReader(new BlockList());
  return createVisitorReader(configOf({ STILE_TRUSTED_PROXIES: proxies }).trustedProxies);
}

const textOf = (address: IpAddress | undefined): string | undefined =>
  address && `${address.bytes.join(".")}`;

test("returns no address for a closed connection, and throws nothing", () => {
  const reader = readerBehind("10.0.0.0/8");
  const visitor = reader.read(requestFrom(undefined, { "x-forwarded-for": "192.0.2.1" }));
  assert.deepEqual(
    [visitor.address, visitor.bindingAddress, visitor.userAgent],
    [undefined, undefined, ""],
  );
});

test("binds no address for a visitor behind an undeclared private or loopback peer that forwards (D5, binding)", () => {
  const forwarding = { "x-forwarded-for": "192.0.2.1" };
  const reader = readerBehind("");
  const hiding = [
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.9.9",
    "192.168.1.1",
    "169.254.1.1",
    "100.64.0.1",
    "100.127.255.254",
    "fd00::1",
    "fe80::1",
  ];
  for (const peer of [...hiding, "::ffff:10.1.2.3"]) {
    const visitor = reader.read(requestFrom(peer, forwarding));
    assert.equal(visitor.bindingAddress, undefined, peer);
    assert.notEqual(visitor.address, undefined, peer);
  }
  for (const peer of [
    "198.51.100.1",
    "172.32.0.1",
    "11.0.0.1",
    "100.63.255.1",
    "100.128.0.1",
    "2001:db8::1",
  ]) {
    assert.deepEqual(
      reader.read(requestFrom(peer, forwarding)).bindingAddress,
      parseIpAddress(peer),
      peer,
    );
  }
  for (const peer of hiding) {
    assert.deepEqual(
      reader.read(requestFrom(peer)).bindingAddress,
      parseIpAddress(peer),
      `${peer} not forwarding`,
    );
  }
});

test("reports once that a proxy hides visitors, however many it hides (D5, binding: for doctor and dashboard)", () => {
  let told = 0;
  const reader = createVisitorReader(new BlockList(), { onHidden: () => told++ });
  reader.read(requestFrom("127.0.0.1"));
  reader.read(requestFrom("198.51.100.1", { "x-forwarded-for": "192.0.2.1" }));
  assert.equal(told, 0);
  for (let i = 0; i < 3; i++)
    reader.read(requestFrom("127.0.0.1", { "x-forwarded-for": "192.0.2.1" }));
  assert.equal(told, 1);
});

test("binds the forwarded address behind a declared proxy (D5, binding)", () => {
  const visitor = readerBehind("127.0.0.1").read(
    requestFrom("127.0.0.1", { "x-forwarded-for": "192.0.2.1" }),
  );
  assert.deepEqual(visitor.bindingAddress, parseIpAddress("192.0.2.1"));
});

test("takes the country from the address that a token is bound to, and none for a hidden visitor (D5, binding; D14, client address)", () => {
  const asked: (string | undefined)[] = [];
  const countryOf = (address: IpAddress) => {
    asked.push(textOf(address));
    return "DE" as const;
  };
  const trusted = new BlockList();
  trusted.addAddress("10.0.0.1");
  const reader = createVisitorReader(trusted, { countryOf });
  const forwarding = { "x-forwarded-for": "1.1.1.1, 192.0.2.1" };
  const visitor = reader.read(requestFrom("10.0.0.1", forwarding));
  assert.deepEqual(asked, [], "not before it is needed");
  assert.equal(visitor.country, "DE");
  assert.equal(reader.read(requestFrom("198.51.100.1", forwarding)).country, "DE");
  assert.deepEqual(asked, ["192.0.2.1", "198.51.100.1"], "a client's own claim is not looked up");
  assert.equal(reader.read(requestFrom("10.9.9.9", forwarding)).country, undefined);
  assert.equal(reader.read(requestFrom(undefined, forwarding)).country, undefined);
  assert.equal(asked.length, 2);
  assert.equal(createVisitorReader(trusted).read(requestFrom("198.51.100.1")).country, undefined);
});

test("passes risk only the headers it may see, and at most 1,024 characters of user agent (D7, score request)", () => {
  const headers = {
    accept: "a",
    "sec-ch-ua": "b",
    "user-agent": "u".repeat(2000),
    cookie: "c",
    "x-forwarded-for": "1.1.1.1",
  };
  const visitor = readerBehind("").read(requestFrom("198.51.100.1", headers));
  assert.deepEqual(Object.keys(visitor.riskHeaders), ["accept", "sec-ch-ua", "user-agent"]);
  assert.equal(visitor.userAgent.length, 1024);
});

test("returns the names of the headers as they came, and whether a proxy forwarded them", () => {
  const request = requestFrom("198.51.100.1");
  request.rawHeaders.push("Host", "stile.example", "user-agent", "x", "Accept", "*/*");
  const { wire } = readerBehind("").read(request);
  assert.deepEqual(wire, {
    headerNames: ["Host", "user-agent", "Accept"],
    isForwarded: false,
    tlsFingerprint: undefined,
  });
  for (const name of ["x-forwarded-for", "forwarded", "via", "x-real-ip"]) {
    assert.equal(
      readerBehind("").read(requestFrom("198.51.100.1", { [name]: "y" })).wire?.isForwarded,
      true,
      name,
    );
  }
});

test("takes a TLS fingerprint only from a trusted proxy, in the header that the setting names (D14, client address)", () => {
  const trusted = new BlockList();
  trusted.addAddress("10.0.0.1");
  const reader = createVisitorReader(trusted, { fingerprintHeader: "x-ja4" });
  const told = (peer: string, headers: RequestHeaders) =>
    reader.read(requestFrom(peer, headers)).wire?.tlsFingerprint;
  assert.equal(
    told("10.0.0.1", { "x-ja4": "t13d1516h2_a_b", "x-forwarded-for": "192.0.2.1" }),
    "t13d1516h2_a_b",
  );
  assert.equal(told("198.51.100.1", { "x-ja4": "t13d1516h2_a_b" }), undefined);
  assert.equal(told("10.0.0.1", { "x-other": "t13d1516h2_a_b" }), undefined);
  const unnamed = createVisitorReader(trusted).read(
    requestFrom("10.0.0.1", { "x-ja4": "t13d1516h2_a_b" }),
  );
  assert.equal(unnamed.wire?.tlsFingerprint, undefined);
});
