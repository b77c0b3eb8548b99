import assert from "node:assert/strict";
import type { NodeFeed } from "@stile/core/ports/node-feed";
import type { Store } from "@stile/core/ports/store";
import type { Guarantee } from "./contract-fixtures.ts";

const DAY = 20_000;

function openFeeds(store: Store, count: number): NodeFeed[] {
  const { nodes } = store;
  assert.ok(nodes !== undefined, "an engine that several nodes share has a feed");
  return Array.from({ length: count }, () => nodes.openFeed());
}

async function twoFeeds(store: Store): Promise<[NodeFeed, NodeFeed]> {
  const [a, b] = openFeeds(store, 2) as [NodeFeed, NodeFeed];
  // Skips what other tests may have published just before.
  await Promise.all([a.receive(), b.receive()]);
  return [a, b];
}

/** The guarantees of every engine that nodes share. */
export const FEED_GUARANTEES: readonly Guarantee[] = [
  {
    name: "delivers a node's entries to every other node once and in order, and never to itself",
    check: async (store) => {
      const [a, b] = await twoFeeds(store);
      const [c] = openFeeds(store, 1) as [NodeFeed];
      await c.receive();
      await a.publish(["one", "two"]);
      await a.publish(["three, with \u0000 and \u{1F9F1}"]);
      await b.publish([]);
      const all = ["one", "two", "three, with \u0000 and \u{1F9F1}"];
      assert.deepEqual([await b.receive(), await c.receive(), await a.receive()], [all, all, []]);
      assert.deepEqual([await b.receive(), await c.receive(), await a.receive()], [[], [], []]);
      await b.publish(["four"]);
      assert.deepEqual(
        [await a.receive(), await b.receive(), await c.receive()],
        [["four"], [], ["four"]],
      );
    },
  },
  {
    name: "delivers the entries of many simultaneous nodes to each of the others, none twice",
    check: async (store) => {
      const feeds = openFeeds(store, 4);
      await Promise.all(feeds.map((feed) => feed.receive()));
      const publishAll = feeds.map(async (feed, node) => {
        for (let i = 0; i < 25; i++) await feed.publish([`${node}:${i}`]);
      });
      const received = feeds.map((): string[] => []);
      const receiveAll = async (): Promise<void> => {
        for (const [node, feed] of feeds.entries()) received[node]?.push(...(await feed.receive()));
      };
      const publishing = Promise.all(publishAll);
      for (let i = 0; i < 5; i++) await receiveAll();
      await publishing;
      await receiveAll();
      for (const [node, texts] of received.entries()) {
        const wanted = [0, 1, 2, 3]
          .filter((other) => other !== node)
          .flatMap((other) => numbered(other));
        assert.deepEqual(texts.toSorted(), wanted.toSorted());
      }
    },
  },
  {
    name: "makes all nodes agree on the first key proposed for a day, and removes past keys (D14, client address)",
    check: async (store) => {
      const feeds = openFeeds(store, 4);
      const propose = (day: number, add: number) =>
        Promise.all(
          feeds.map((feed, node) => feed.agreeOnDayKey(day, new Uint8Array([add + node, 0, 255]))),
        );
      const keys = await propose(DAY, 1);
      assert.equal(new Set(keys.map(String)).size, 1, "all nodes have the same key");
      assert.deepEqual(await propose(DAY, 50), keys, "a later proposal changes nothing");
      await propose(DAY + 1, 100);
      assert.deepEqual(await propose(DAY, 150), keys, "the next day's key changes nothing either");
      await propose(DAY + 2, 100);
      const again = await propose(DAY, 200);
      assert.ok(
        again.every((key) => (key[0] ?? 0) >= 200),
        "no node knows a key of two days before",
      );
    },
  },
];

function numbered(node: number): string[] {
  return Array.from({ length: 25 }, (_, i) => `${node}:${i}`);
}
