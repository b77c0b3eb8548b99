// Writes lines of requests into a file, in a separate process for each core, so that memory left
// over from minting does not affect the measured server. Arguments: workload, data directory, file
// with the keys of the sites, first seed, seed after the last, file.
import { readFileSync, writeFileSync } from "node:fs";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import { mintLines } from "./lines.ts";
import { WORKLOADS } from "./messages.ts";
import { WORKLOAD_PLANS } from "./workloads.ts";

const [name, dataDirectory = "", keysFile = "", from, to, file = "", databaseUrl = ""] =
  process.argv.slice(2);
const workload = WORKLOADS.find((known) => known === name);
if (workload === undefined) throw new Error(`there is no workload "${name}"`);
const siteKeys = JSON.parse(readFileSync(keysFile, "utf8")) as string[];
const minter = {
  cryptography: await openServiceCryptography(dataDirectory, databaseUrl),
  siteKeys,
};
const lines = mintLines(WORKLOAD_PLANS[workload].lines, minter, {
  from: Number(from),
  to: Number(to),
});
writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
