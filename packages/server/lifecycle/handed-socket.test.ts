import assert from "node:assert/strict";
import { test } from "node:test";
import { assertSocket, findHandedSocket, listUnusedSettings } from "./handed-socket.ts";

const PROCESS = { pid: 70, ppid: 60 };

test("takes a socket only in the process that the service manager named, as sd_listen_fds(3) says (D17, settings)", () => {
  const table = [
    [{}, "none"],
    [{ LISTEN_FDS: "0", LISTEN_PID: "70" }, "none"],
    [{ LISTEN_FDS: "1" }, "none"],
    [{ LISTEN_FDS: "1", LISTEN_PID: "7" }, "none"],
    [{ LISTEN_PID: "70" }, "none"],
    [{ LISTEN_FDS: "1", LISTEN_PID: "70" }, "socket"],
    [{ LISTEN_FDS: "1", LISTEN_PID: "70", LISTEN_FDNAMES: "stile.socket" }, "socket"],
    [{ LISTEN_FDS: "1", LISTEN_PID: "60" }, "problem"],
    [{ LISTEN_FDS: "2", LISTEN_PID: "70" }, "problem"],
    [{ LISTEN_FDS: "x", LISTEN_PID: "70" }, "problem"],
  ] as const;
  for (const [environment, kind] of table) {
    assert.equal(findHandedSocket(environment, PROCESS).kind, kind, JSON.stringify(environment));
  }
  const found = findHandedSocket({ LISTEN_FDS: "1", LISTEN_PID: "70" }, PROCESS);
  assert.deepEqual(found, { kind: "socket", descriptor: 3 });
});

test("names address settings without effect, including those given as a file", () => {
  assert.deepEqual(listUnusedSettings({ STILE_DEMO: "on" }), []);
  assert.deepEqual(listUnusedSettings({ STILE_PORT_FILE: "/x", STILE_HOST: "::1" }), [
    "STILE_HOST",
    "STILE_PORT",
  ]);
});

test("treats a closed descriptor, or one that is not a socket, as a fault of listening", () => {
  for (const [descriptor, code] of [
    [987_654, "EBADF"],
    [1e9, "EBADF"],
  ] as const) {
    assert.throws(() => assertSocket(descriptor), { code, syscall: "listen" });
  }
});
