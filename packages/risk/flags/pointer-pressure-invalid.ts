import { knownBehaviour, knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { isWorkedByMouse } from "../handheld.ts";
import { didArrive } from "../mouse.ts";
import { parseUserAgent } from "../user-agent.ts";

/**
 * In a Chromium with a mouse, a mouse moved to a place and pressed there with pressure 0:
 * Puppeteer, chromedriver, older Playwright. Real mice report 0.5. NVDA, JAWS and TalkBack press
 * with pressure 0 too, but without moving there. Safari is not scored (WebKit bug 206216).
 */
export const pointerPressureInvalid = {
  name: "pointer_pressure_invalid",
  group: "input",
  label: "A mouse button was pressed without pressure.",
  weight: 3.2,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined) return false;
    const claim = parseUserAgent(environment.userAgent);
    if (claim.engine !== "chromium" || !isWorkedByMouse(environment)) return false;
    const pointer = knownBehaviour(evidence)?.pointer ?? [];
    return pointer.some((sample, index) => {
      const isMousePress = sample.kind === "down" && sample.type === "mouse" && sample.isTrusted;
      return isMousePress && sample.pressure === 0 && didArrive(sample, pointer[index - 1]);
    });
  },
} satisfies FlagRow;
