import type { Config } from "../config/config.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";

/**
 * The error if there is no installation. Usually the command was run without the service's
 * settings.
 */
export const noInstallation = ({ dataDirectory }: Config): DataDirectoryProblem =>
  new DataDirectoryProblem(
    `There is no installation in ${dataDirectory}. Run this with the settings of the service, such as its STILE_DATA_DIR, or start the service first.`,
  );
