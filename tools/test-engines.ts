import { CHROMIUM, HEADLESS_SHELL } from "@stile/testkit/browser/engines/chromium";
import { FIREFOX_PROGRAMS } from "@stile/testkit/browser/engines/firefox";
import { WEBKIT_PROGRAMS } from "@stile/testkit/browser/engines/webkit";
import { PGBOUNCER } from "@stile/testkit/postgres/throw-away-pgbouncer";
import { postgresProgram } from "@stile/testkit/postgres/throw-away-postgres";
import { bringPrograms } from "@stile/testkit/trials/debian-programs";

/** The programs that the end-to-end tests run in addition to Node. */
const BROWSERS = [
  { ...CHROMIUM, purpose: "the browser tests" },
  ...[...FIREFOX_PROGRAMS, ...WEBKIT_PROGRAMS].map((program) => ({
    ...program,
    purpose: "the journeys in Firefox and WebKit",
  })),
];

/**
 * The programs that test the samples in deploy/ and the SDKs. Tests are skipped without them, as on
 * a system without systemd.
 */
const SAMPLE_PROGRAMS = [
  { file: "/usr/sbin/nginx", debianPackage: "nginx-light" },
  { file: "/usr/bin/caddy", debianPackage: "caddy" },
  { file: "/usr/bin/systemd-analyze", debianPackage: "systemd" },
  { file: "/usr/bin/openssl", debianPackage: "openssl" },
  { file: "/usr/bin/php", debianPackage: "php-cli" },
  { file: "/usr/share/doc/php-curl", debianPackage: "php-curl" },
  { file: "/usr/bin/go", debianPackage: "golang-go" },
] as const;

/**
 * Makes sure that every engine and browser is there. On Debian as root it installs the missing
 * ones; elsewhere it ends the process with one line per missing program that says where to get it.
 * It also installs the programs that test the samples, PgBouncer, and Chromium's headless shell; if
 * those are not available, it only says so.
 */
function bringTestEngines(): void {
  const say = (text: string): void => console.log(text);
  const postgres = {
    ...postgresProgram(),
    purpose: "the tests of PostgreSQL (or name its folder in POSTGRES_BIN)",
  };
  const missing = bringPrograms([postgres, ...BROWSERS], say);
  for (const { file, debianPackage } of bringPrograms(SAMPLE_PROGRAMS, say)) {
    say(
      `${file} is missing (package "${debianPackage}"): tests of the samples and SDKs that need it are skipped.`,
    );
  }
  for (const { file, debianPackage } of bringPrograms([PGBOUNCER], say)) {
    say(
      `${file} is missing (package "${debianPackage}"): tests of a pooler before PostgreSQL are skipped.`,
    );
  }
  for (const { file, debianPackage } of bringPrograms([HEADLESS_SHELL], say)) {
    say(
      `${file} is missing (package "${debianPackage}"): tests of pages run in Chromium, which takes them longer.`,
    );
  }
  if (missing.length === 0) return;
  for (const { file, debianPackage, purpose } of missing) {
    console.error(
      `Missing ${file}, needed for ${purpose}. Install the package "${debianPackage}".`,
    );
  }
  process.exit(1);
}

bringTestEngines();
