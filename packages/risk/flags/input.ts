import { type BehaviourSignals, POINTER_KINDS, POINTER_TYPES, type PointerSample } from "@stile/protocol/signals";
import { type Detector, knownBehaviour, knownEnvironment } from "../evidence.ts";
import { didArrive } from "../mouse.ts";
import { parseUserAgent } from "../user-agent.ts";

const DOWN = POINTER_KINDS.indexOf("down");
const CLICK = POINTER_KINDS.indexOf("click");
const MOUSE = POINTER_TYPES.indexOf("mouse");

const isPress = ([, , , kind]: PointerSample): boolean => kind === DOWN || kind === CLICK;
const isTrusted = (sample: PointerSample): boolean => sample[6] === 1;

function isInside([, x, y]: PointerSample, box: BehaviourSignals["box"]): boolean {
  if (box === null) return false;
  const [left, top, width, height] = box;
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/**
 * The click that answered the widget was untrusted: a script made it. The browser trusts what comes from devices,
 * keyboards, screen readers and switches, so a click without pointer events or of unknown type is fine. Pages and
 * extensions (cookie banners) click elsewhere by script: judged is only a click that was asked for or that lies on the
 * widget, and any trusted press clears it. Keyboard extensions (Vimium) and some voice control raise it: never a block.
 */
export const syntheticClick: Detector = (evidence) => {
  const behaviour = knownBehaviour(evidence);
  const presses = behaviour?.pointer.filter(isPress) ?? [];
  if (behaviour === undefined || presses.length === 0 || presses.some(isTrusted)) return false;
  return evidence.solve?.interaction === "click" || presses.some((press) => isInside(press, behaviour.box));
};

/**
 * A mouse was moved to a place in desktop Chromium and pressed there with pressure 0: Puppeteer, chromedriver, older
 * Playwright; real mice report 0.5 (Pointer Events, "pressure"). NVDA, JAWS and TalkBack press with type mouse and
 * pressure 0 too, but without arriving; Safari has reported 0 for every mouse (WebKit bug 206216): not judged.
 */
export const pointerPressureInvalid: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  if (environment === undefined) return false;
  const claim = parseUserAgent(environment.userAgent);
  if (claim.engine !== "chromium" || !claim.isDesktop) return false;
  const pointer = knownBehaviour(evidence)?.pointer ?? [];
  return pointer.some((sample, index) => {
    const isMousePress = sample[3] === DOWN && sample[4] === MOUSE && isTrusted(sample);
    return isMousePress && sample[5] === 0 && didArrive(sample, pointer[index - 1]);
  });
};
