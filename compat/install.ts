import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { bringPrograms } from "@stile/testkit/trials/debian-programs";

const HERE = import.meta.dirname;
const LOCK = join(HERE, "package-lock.json");
const INSTALLED = join(HERE, "node_modules", ".package-lock.json");

/** Installs the libraries of the lock file, unless they are there. Their install scripts don't run. */
export function installLibraries(): void {
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs > statSync(LOCK).mtimeMs) return;
  const options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  execFileSync("npm", options, { cwd: HERE, stdio: "ignore" });
}

/** Debian's libraries and applications of the grid, and what runs them. */
const DEBIAN = [
  { file: "/usr/bin/php", debianPackage: "php-cli" },
  { file: "/usr/share/doc/php-curl", debianPackage: "php-curl" },
  { file: "/usr/share/php/ReCaptcha/autoload.php", debianPackage: "php-google-recaptcha" },
  { file: "/usr/lib/ruby/vendor_ruby/recaptcha.rb", debianPackage: "ruby-recaptcha" },
  { file: "/usr/lib/python3/dist-packages/flask_wtf", debianPackage: "python3-flaskext.wtf" },
  { file: "/usr/sbin/mariadbd", debianPackage: "mariadb-server-core" },
  { file: "/usr/share/phpmyadmin", debianPackage: "phpmyadmin" },
];

/** Installs those, on Debian as root; elsewhere it names the missing ones, which get no row. */
export function installDebianPackages(): void {
  const say = (text: string): void => console.error(text);
  for (const { debianPackage } of bringPrograms(DEBIAN, say))
    say(`${debianPackage} is missing, so the grid has no row of it.`);
}

/** The version of an installed library. */
export function versionOf(library: string): string {
  const file = join(HERE, "node_modules", library, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** A library of the lock file. They are installed on demand, so the repository doesn't know their types. */
export const load = (name: string) => import(name);
