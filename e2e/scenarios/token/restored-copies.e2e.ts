import assert from "node:assert/strict";
import { test } from "node:test";
import { restoredCopies } from "@stile/testkit/trials/restored-copies";
import { holds } from "@stile/testkit/trials/trial";

test("no restored copy of the data makes spent tokens or solutions valid again; a crash loses none (D3, single use)", async () => {
  const figures = await restoredCopies.run(() => {});
  assert.ok(figures.length >= 15);
  assert.deepEqual(
    figures.filter((figure) => !holds(figure)),
    [],
  );
});
