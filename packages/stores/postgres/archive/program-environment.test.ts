import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentForPrograms } from "./program-environment.ts";

test("passes a program no setting of the service or of a database, but everything that its system needs", () => {
  const passedOn = {
    PATH: "/bin",
    HOME: "/root",
    LD_LIBRARY_PATH: "/lib",
    DISPLAY: ":0",
    PGPASSFILE: "/p",
    PGOPTIONS: "-cx=y",
  };
  const kept = { STILE_MASTER_KEY: "k", STILE_DATABASE_URL_FILE: "/f", STILE_SECRET: "sk_x" };
  const ofOthers = {
    PGSERVICE: "other",
    PGSERVICEFILE: "/s",
    PGPASSWORD: "p",
    PGHOSTADDR: "10.0.0.1",
    PGSSLCRL: "/c",
  };
  assert.deepEqual(environmentForPrograms({ ...passedOn, ...kept, ...ofOthers }), passedOn);
});
