import { type Config, readConfig } from "@stile/server/config/config";

/** The configuration of an environment; throws with its mistakes if there are any. */
export function configOf(environment: Readonly<Record<string, string | undefined>>): Config {
  const reading = readConfig(environment);
  if (reading.kind === "problems") throw new Error(reading.problems.join("\n"));
  return reading.config;
}

/** The mistakes in an environment. */
export function problemsOf(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const reading = readConfig(environment);
  return reading.kind === "problems" ? reading.problems : [];
}
