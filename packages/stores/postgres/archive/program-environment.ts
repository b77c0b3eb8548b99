/**
 * The service's own variables, some of them secret, and those by which libpq is told of another
 * database than the service's.
 */
const NOT_FOR_OTHERS = /^(STILE_|PG(?!PASSFILE$|OPTIONS$))/;

/**
 * The environment for a program that this process starts: without the settings, and without libpq's
 * variables, but for the two that the driver reads as well. Where a program finds its home,
 * libraries and display differs from system to system, so all else is passed on.
 */
export function environmentForPrograms(
  environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !NOT_FOR_OTHERS.test(name)),
  );
}
