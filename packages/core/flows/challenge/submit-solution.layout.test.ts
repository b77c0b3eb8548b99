import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { ProofOfBrowser } from "@stile/protocol/site-settings";
import { createRandom } from "@stile/risk/seeded-random";
import { issueTo, type PageSignals, solve, visitorAt, WEBDRIVER } from "@stile/testkit/minting/solving";
import { createWorld, referenceTo, type World } from "@stile/testkit/world/world";
import { type ReleaseVotes, voteOf } from "../../domain/layout/agreement.ts";
import { bakeScenes, createScenes } from "../../domain/layout/bake-bank.ts";
import { READS_PER_SCENE } from "../../domain/layout/create-scene.ts";
import type { Site } from "../../domain/site/site.ts";
import { updateSite } from "../site/update-site.ts";
import { submitSolution } from "./submit-solution.ts";

let world: World;

/** Lets the node read what is stored, as its job does. */
async function refresh(): Promise<void> {
  await world.node.layoutScenes.refresh();
  await world.node.layoutVotes.refresh(world.clock.nowMs());
}

/** Stores scenes with answers that two engines would share. */
async function bake(seed: number, bakedAtMs: number): Promise<void> {
  const texts = createScenes(createRandom(seed), 20);
  const random = createRandom(seed + 1);
  const reads = Uint8Array.from({ length: READS_PER_SCENE * texts.length }, () => 2 + Math.floor(random() * 60));
  const scenes = bakeScenes(texts, [
    { engine: "blink", reads },
    { engine: "gecko", reads },
  ]);
  await world.store.layoutBanks.addBank({ bakedAtMs, drawnAtMs: bakedAtMs, scenes });
}

/** A bank that was baked an hour ago. */
beforeEach(async () => {
  world = await createWorld({ challenge: 10_000, challengeTotal: 100_000 });
  await bake(7, world.clock.nowMs() - 3_600_000);
  await refresh();
});

/** An answer to the scenes of a challenge with this many right reads; the others are wrong. */
function answer(scenes: string | undefined, right: number, node = world.node): Uint8Array {
  const [version = "", ...lines] = scenes?.split("\n") ?? [];
  const known = node.layoutScenes.newest()?.scenes ?? [];
  const reads = [0, 3, 6].flatMap((at) => {
    const text = lines.slice(at, at + 3).join("\n");
    return [...(known.find((scene) => scene.text === text)?.answers.blink?.reads ?? [])];
  });
  const read = reads.map((value, at) => (at < right ? value : value + 1));
  return Uint8Array.from([Number(version) & 255, Number(version) >> 8, ...read]);
}

async function visit(
  proofOfBrowser: ProofOfBrowser,
  right: number,
  ip: string,
  page: PageSignals = {},
  meanwhile: (site: Site) => Promise<unknown> = async () => {},
) {
  const { site } = await world.createSite({ proofOfBrowser, mode: "invisible" });
  const visitor = visitorAt(ip);
  const issued = await issueTo(world, site, visitor);
  await meanwhile(site);
  const layout = answer(issued.scenes, right);
  await submitSolution(world.node, { ...(await solve(world, site, issued, { ...page, layout })), visitor });
  await world.store.decisions.flush();
  const [entry] = await world.store.decisions.list({ siteKey: site.siteKey, limit: 1 });
  assert.ok(entry !== undefined && "contributions" in entry);
  return { score: entry.score, flags: entry.contributions.map(({ flag }) => flag) };
}

async function votes(): Promise<readonly ReleaseVotes[]> {
  await refresh();
  return world.store.layoutVotes.listVotes(world.clock.nowMs());
}

test("an honest visit says how much of the bank is as its engine has it, once a network, and guesses say nothing", async () => {
  await visit("auto", 48, "192.0.2.1");
  await visit("auto", 48, "192.0.2.200");
  await visit("auto", 36, "203.0.113.1");
  await visit("auto", 3, "203.0.113.200");
  await visit("auto", 3, "198.18.0.1");
  const [said, ...others] = await votes();
  assert.match(said?.release ?? "", /^Chromium \d+$/);
  assert.deepEqual([others, said?.near, said?.nearShare, said?.low], [[], 2, 1.75, 0]);
});

test("who has a whole IPv6 /32 has ten votes a day, whatever networks they come from, and takes nobody else's", async () => {
  for (let network = 0; network < 12; network++) await visit("auto", 48, `2001:db8:${network}::1`);
  assert.equal((await votes())[0]?.near, 10);
  await visit("auto", 48, "2001:db9::1");
  await visit("auto", 48, "192.0.2.1");
  assert.equal((await votes())[0]?.near, 12);
  world.clock.advance(86_400_000);
  await visit("auto", 48, "2001:db8:5::1");
  assert.ok(((await votes())[0]?.near ?? 0) > 12);
});

test("whoever is suspect for anything else has no vote, and a layout alone makes nobody suspect here", async () => {
  const { score } = await visit("live", 48, "192.0.2.1", { environment: WEBDRIVER });
  assert.ok(score >= 0.3);
  assert.deepEqual(await votes(), []);
  // Half of the reads are wrong, which counts at this site, but everything else is honest.
  assert.ok((await visit("live", 24, "192.0.2.2")).score >= 0.6);
  assert.equal((await votes())[0]?.low, 1);
});

test("what was asked before it counted is never held against a visitor, whatever it counts for when they answer", async () => {
  const goLive = (site: Site) => updateSite(world.node, referenceTo(site), { proofOfBrowser: "live" });
  // For a page that was asked for nothing.
  const unasked = await visit("off", 0, "192.0.2.1", {}, goLive);
  const shadowed = await visit("shadow", 3, "192.0.2.2", {}, goLive);
  const opened = await visit("auto", 3, "192.0.2.3", {}, async () => {
    await world.store.layoutVotes.addVotes(many("Chromium 150", 200, 1), world.clock.nowMs());
    await refresh();
  });
  for (const { score } of [unasked, shadowed, opened]) assert.ok(score < 0.3);
  assert.ok(opened.flags.includes("layout_wrong"), "it is shown as a shadow flag");
  assert.ok((await visit("auto", 3, "192.0.2.4")).score >= 0.6);
  // Nor does it help to take a challenge while layouts count, and to have that switched off and on again.
  const again = await visit("live", 3, "192.0.2.5", {}, async (site) => {
    await updateSite(world.node, referenceTo(site), { proofOfBrowser: "off" });
    await goLive(site);
  });
  assert.ok(again.score >= 0.6);
});

const many = (release: string, count: number, share: number): ReleaseVotes[] =>
  Array.from({ length: count }, () => voteOf(release, share)).filter((vote) => vote !== undefined);

test("layouts count by themselves once two engines were baked and 200 visits agree; other choices hold as they are", async () => {
  await world.store.layoutVotes.addVotes(many("Chromium 150", 199, 1), world.clock.nowMs());
  await refresh();
  assert.ok((await visit("auto", 3, "192.0.2.1")).score < 0.3);
  await world.store.layoutVotes.addVotes(many("Chromium 150", 1, 1), world.clock.nowMs());
  await refresh();
  const counted = await visit("auto", 3, "192.0.2.2");
  assert.ok(counted.score >= 0.6 && counted.flags.includes("layout_wrong"));
  assert.ok((await visit("shadow", 3, "192.0.2.3")).score < 0.3);
  assert.ok(!(await visit("off", 3, "192.0.2.4")).flags.includes("layout_wrong"));
});

test("a release that fell is held to what all engines share, as one that nobody baked", async () => {
  assert.ok((await visit("live", 30, "192.0.2.1")).flags.includes("layout_wrong"));
  const [said] = await votes();
  await world.store.layoutVotes.addVotes(many(said?.release ?? "", 30, 0.6), world.clock.nowMs());
  await refresh();
  assert.deepEqual(world.node.layoutVotes.gate().fallen, [said?.release]);
  assert.ok(!(await visit("live", 30, "192.0.2.2")).flags.includes("layout_wrong"));
  // Guesses are not the vote of any browser, whatever release they claim.
  assert.ok((await visit("live", 3, "192.0.2.3")).flags.includes("layout_wrong"));
});

test("a node that has not heard of new scenes yet looks for them before it holds them against a visitor", async () => {
  const { site } = await world.createSite({ proofOfBrowser: "live", mode: "invisible" });
  await bake(9, world.clock.nowMs());
  const other = await world.createNode();
  const visitOf = async (right: number) => {
    const issued = await issueTo({ ...world, node: other }, site);
    const layout = answer(issued.scenes, right, other);
    await submitSolution(world.node, await solve(world, site, issued, { layout }));
    await world.store.decisions.flush();
    const [entry] = await world.store.decisions.list({ siteKey: site.siteKey, limit: 1 });
    assert.ok(entry !== undefined && "contributions" in entry);
    return entry.contributions.map(({ flag }) => flag).filter((flag) => flag.startsWith("layout_"));
  };
  assert.deepEqual(await visitOf(48), []);
  assert.deepEqual(await visitOf(3), ["layout_wrong"]);
});

test("a solution whose key is retired while scenes are looked for spends nothing, in whichever run that would be (D3, D9)", async () => {
  const { site } = await world.createSite({ proofOfBrowser: "live", mode: "invisible" });
  await bake(9, world.clock.nowMs());
  const other = await world.createNode();
  const issued = await issueTo({ ...world, node: other }, site);
  const submission = await solve(world, site, issued, { layout: answer(issued.scenes, 48, other) });
  const { cryptography, layoutScenes } = world.node;
  let isRetired = false;
  const refresh = async (): Promise<void> => {
    await layoutScenes.refresh();
    isRetired = true;
  };
  const node = {
    ...world.node,
    cryptography: { ...cryptography, isRetired: () => isRetired },
    layoutScenes: { ...layoutScenes, refresh },
  };
  assert.equal((await submitSolution(node, submission)).kind, "retry");
  assert.notEqual((await submitSolution(world.node, submission)).kind, "retry", "it was spent");
});
