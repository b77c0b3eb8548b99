import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { SHIPPED_MODEL } from "@stile/risk/trajectory/shipped-model";
import { handPath, steppedPath, variedPath } from "@stile/testkit/visits/pointer-paths";
import { REGIMES } from "../training/device-copies.ts";
import type { Recording } from "../training/read-examples.ts";
import { evaluate } from "./evaluate.ts";
import { readRecordings } from "./recordings.ts";
import { measureReplays } from "./replays.ts";

const KEYS = [
  ...["auc", "tpr_at_1", "tpr_at_01", "logo_tpr_at_1", "logo_tpr_at_01", "tpr3_at_01"],
  ...["person_fpr_p90", "ece", "microseconds"],
];
const MORE = [
  ...[
    "intervals",
    "of_scored",
    "people",
    "asked",
    "clocks",
    "programs",
    "families",
    "regimes",
    "screens",
    "abstentions",
  ],
  "hopping",
  "unpressed",
];
const course = (i: number) =>
  ({ from: [100 + 7 * (i % 90), 600 - 3 * i], to: [470, 362 + (i % 50)] }) as const;

function madeUpPeople(people: number, each: number): Recording[] {
  return Array.from({ length: people * each }, (_, i) => {
    return {
      subject: `p${i % people}`,
      source: "test",
      kind: "human",
      generator: "human",
      events: handPath(course(i), i),
    };
  });
}

const madeUpPrograms = (generator: string, count: number): Recording[] =>
  Array.from({ length: count }, (_, i) => {
    return {
      source: "test",
      subject: `${i}`,
      kind: "bot",
      generator,
      events: steppedPath(course(i), 11 + (i % 30)),
    };
  });

function inFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (folder: string) => void,
): void {
  const folder = mkdtempSync(join(tmpdir(), "stile-recordings-"));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const linesOf = (recordings: readonly Recording[]): string =>
  recordings.map((it) => `${JSON.stringify(it)}\n`).join("");
const silent = (): void => {};

test("prints one line with the published figures for --json, and progress to standard error", () => {
  const bots = [...madeUpPrograms("steps", 100), ...madeUpPrograms("jumps", 100)];
  inFolder(
    { "people.jsonl.gz": gzipSync(linesOf(madeUpPeople(4, 12))), "bots.jsonl": linesOf(bots) },
    (folder) => {
      const script = join(import.meta.dirname, "..", "eval.ts");
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [script, "--data", folder, "--json"],
        {
          encoding: "utf8",
        },
      );
      assert.equal(status, 0, stderr);
      assert.equal(stdout.trim().split("\n").length, 1);
      const figures = JSON.parse(stdout);
      assert.deepEqual(Object.keys(figures), [...KEYS, "shipped", ...MORE]);
      for (const key of KEYS) assert.equal(typeof figures[key], "number", key);
      assert.ok(figures.auc > 0.95, String(figures.auc));
      assert.equal(figures.shipped.version, SHIPPED_MODEL.version);
      assert.deepEqual(
        figures.programs.map(({ generator }: { generator: string }) => generator),
        ["steps", "jumps"],
      );
      assert.equal(figures.regimes.length, REGIMES.length);
      for (const { regime, ...asked } of figures.regimes.filter(
        (row: { regime: string }) => !row.regime.startsWith("slow"),
      ))
        assert.ok(
          (Object.values(asked) as { value: unknown }[]).every((figure) => figure.value !== null),
          `no people were seen in the regime ${regime}`,
        );
      assert.deepEqual(
        figures.clocks.map((row: { clock_errs_ms: number }) => row.clock_errs_ms),
        [0, 1, 2, 4],
      );
      const { value, low, high } = figures.intervals.tpr_at_1;
      assert.ok(low <= value && value <= high, JSON.stringify(figures.intervals));
      assert.match(
        stderr,
        /people held out[\s\S]*program out: steps \(1 of 2\)[\s\S]*device out: coalesced \(1 of 12\)/,
      );
    },
  );
});

test("does not score the rest of short paths on slow screens, and reports their share", () => {
  const recordings = [
    ...madeUpPeople(4, 12),
    ...madeUpPrograms("steps", 30),
    ...madeUpPrograms("jumps", 3),
  ];
  const { summary, programs, screens, abstentions } = evaluate(recordings, SHIPPED_MODEL, silent);
  assert.deepEqual(programs, [], "no program has 100 recordings");
  assert.deepEqual([summary.logo_tpr_at_1, summary.logo_tpr_at_01], [null, null]);
  assert.ok((summary.auc ?? 0) > 0.9);
  const abstained = (name: string) => screens.find((row) => row.name === name)?.abstained;
  assert.deepEqual([abstained("60 Hz"), abstained("15 Hz")], [0, 1]);
  assert.ok(
    screens.every(
      ({ one_path, three_paths }) => one_path.value !== null && three_paths.value !== null,
    ),
  );
  assert.deepEqual(abstentions.people, {});
});

test("refuses too few people and says how many are needed", () => {
  const recordings = [...madeUpPeople(3, 12), ...madeUpPrograms("steps", 30)];
  assert.throws(() => evaluate(recordings, SHIPPED_MODEL, silent), /4 people are needed/);
});

test("names files without paths and leaves them out, and names a broken line", () => {
  const people = linesOf(madeUpPeople(1, 2));
  inFolder(
    { "a.jsonl": people, "sessions.jsonl": '{"tool":"x"}\n', "notes.txt": "no" },
    (folder) => {
      const said: string[] = [];
      assert.equal(readRecordings(folder, (text) => said.push(text)).length, 2);
      assert.ok(said.some((text) => text.includes("sessions.jsonl holds no paths")));
      writeFileSync(join(folder, "b.jsonl"), `${people}{"events":[]}\n`);
      assert.throws(() => readRecordings(folder, silent), /b\.jsonl, line 3: a recording needs/);
    },
  );
  inFolder({}, (folder) => assert.throws(() => readRecordings(folder, silent), /no \*\.jsonl/));
});

test("recognises a program that replays people's paths, but not people's own paths", () => {
  const people = madeUpPeople(4, 5);
  const played = people.map((it): Recording => {
    const events = it.events.map(
      ([ms, x, y, kind]) => [1.1 * ms, 50 + 1.2 * x, 1.2 * y, kind] as const,
    );
    return { ...it, kind: "bot", generator: "replay-made-up", events };
  });
  const [own, program] = measureReplays([...people, ...played], 0.007);
  assert.equal(own?.name, "people");
  assert.equal(own?.close, 0);
  assert.ok((program?.close ?? 0) > 0.9, JSON.stringify(program));
});

test("takes nobody who moves in their own manner for a replay or for one of a crowd, however many people there are", () => {
  const events = (i: number) => variedPath(course(i), i);
  const people = madeUpPeople(60, 15).map((it, i): Recording => ({ ...it, events: events(i) }));
  const [own] = measureReplays(people, 0.007);
  assert.ok((own?.with_curve ?? 0) > 600, "compares with more than one shape");
  assert.ok((own?.within_reach ?? 1) < 0.2 && (own?.common ?? 1) < 0.2, JSON.stringify(own));
});

test("explains both commands if they are called without a folder", () => {
  for (const command of ["eval.ts", "train.ts"]) {
    const script = join(import.meta.dirname, "..", command);
    assert.throws(() => execFileSync(process.execPath, [script], { stdio: "pipe" }), /--data DIR/);
  }
});
