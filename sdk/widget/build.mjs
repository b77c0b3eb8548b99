// Adds what follows from the built widget: its types, and the digest of `stile.js` for the attribute
// `integrity`. `npm pack` runs it.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildStale } from "../../tools/build.ts";

const here = import.meta.dirname;
const widget = join(here, "../../packages/widget");
await buildStale();
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const digest = createHash("sha384").update(readFileSync(join(widget, "dist/stile.js")));
const integrity = { version, "stile.js": `sha384-${digest.digest("base64")}` };

writeFileSync(join(here, "integrity.json"), `${JSON.stringify(integrity, undefined, 2)}\n`);
copyFileSync(join(widget, "types/stile.d.ts"), join(here, "stile.d.ts"));
copyFileSync(join(here, "../../LICENSE"), join(here, "LICENSE"));
