// `npm start`: builds what is stale, then runs the service in this process.
import { buildStale } from "./build.ts";

await buildStale();
await import("../packages/server/main.ts");
