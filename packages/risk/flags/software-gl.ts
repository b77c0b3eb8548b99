import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

const SOFTWARE = /SwiftShader|llvmpipe|softpipe|Microsoft Basic Render/i;

/** The processor draws WebGL: on servers and virtual machines, but also for some people. */
export const softwareGl = {
  name: "software_gl",
  group: "environment",
  label: "Graphics are rendered in software.",
  weight: 0.15,
  detect: (evidence) => {
    const graphics = knownEnvironment(evidence)?.graphics ?? null;
    return (
      graphics !== null && SOFTWARE.test(`${graphics.vendor} ${graphics.renderer}`.slice(0, 512))
    );
  },
} satisfies FlagRow;
