// The reader's thread does long reads, so that no redemption waits while somebody looks at
// statistics.
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { createSqlitePorts } from "../../sqlite-ports.ts";
import { retryWhileBusy } from "../busy.ts";
import { NO_WRITER } from "../group-commit.ts";
import { runCall, toEnding } from "../thread-calls.ts";
import type { ReadReply, ReadRequest } from "./reader-thread.ts";

if (parentPort === null) throw new Error("reader.ts runs only as a worker thread");
const port = parentPort;
const { file } = workerData as { readonly file: string };
const now = (): number => performance.now();

// Read-only: the writer has already migrated the tables, and a migration here would wait for the
// writer.
const connect = (): DatabaseSync => new DatabaseSync(file, { readOnly: true, timeout: 0 });
const opening = retryWhileBusy(connect, now).then((database) => ({
  database,
  ports: createSqlitePorts(database, NO_WRITER, now),
}));

async function read({ jobId, call }: ReadRequest): Promise<void> {
  const ending = await toEnding(opening.then(({ ports }) => runCall(ports, call)));
  port.postMessage({ jobId, ending } satisfies ReadReply);
}

port.on("message", (request: ReadRequest | "close") => {
  if (request !== "close") return void read(request);
  port.close();
  opening.then(
    ({ database }) => database.close(),
    () => {},
  );
});
