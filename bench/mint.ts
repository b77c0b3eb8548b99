// Writes the requests of a round into a file, in a process of its own: what minting leaves in memory must not weigh on the
// server that is measured. Arguments: workload, count, data directory, site key, secret key, file.
import { writeFileSync } from "node:fs";
import { WORKLOADS, type Workload } from "./messages.ts";
import { mintRequests } from "./workloads.ts";

const [name, count, dataDirectory = "", siteKey = "", secretKey = "", file = ""] = process.argv.slice(2);
const workload = WORKLOADS.find((known) => known === name) satisfies Workload | undefined;
if (workload === undefined) throw new Error(`there is no workload "${name}"`);
const requests = await mintRequests(workload, { dataDirectory, siteKey, secretKey }, Number(count));
const { method, path, headers, bodies } = requests;
const head = [method, path, ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`), ""];
writeFileSync(file, [...head, ...bodies].join("\n"));
