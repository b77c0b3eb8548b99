/**
 * The service's own variables, some of which are secret, and those that point libpq to another
 * database.
 */
const NOT_FOR_OTHERS = /^(STILE_|PG(?!PASSFILE$|OPTIONS$))/;

/**
 * The environment for a program that this process starts. It has no settings of the service and no
 * variables of libpq, except the two that the driver reads as well. Everything else is passed,
 * because each system has its own variables for home, libraries and display.
 */
export function environmentForPrograms(
  environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !NOT_FOR_OTHERS.test(name)),
  );
}
