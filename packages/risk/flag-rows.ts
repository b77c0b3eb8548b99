import type { FlagRow } from "./flag-row.ts";
import { automationWebdriver } from "./flags/automation-webdriver.ts";
import { barePress } from "./flags/bare-press.ts";
import { behaviourRepeated } from "./flags/behaviour-repeated.ts";
import { chromeSurfaceMissing } from "./flags/chrome-surface-missing.ts";
import { clickUnplaced } from "./flags/click-unplaced.ts";
import { driverGlobals } from "./flags/driver-globals.ts";
import { emulatedScreen } from "./flags/emulated-screen.ts";
import { environmentMismatch } from "./flags/environment-mismatch.ts";
import { eventTimePhase } from "./flags/event-time-phase.ts";
import { exactCentreClick } from "./flags/exact-centre-click.ts";
import { fleetSurge } from "./flags/fleet-surge.ts";
import { fractionalPointer } from "./flags/fractional-pointer.ts";
import { headerInconsistent } from "./flags/header-inconsistent.ts";
import { headerOrder } from "./flags/header-order.ts";
import { headlessMedia } from "./flags/headless-media.ts";
import { iframeMismatch } from "./flags/iframe-mismatch.ts";
import { injectedStack } from "./flags/injected-stack.ts";
import { ipChanged } from "./flags/ip-changed.ts";
import { ipDatacenter } from "./flags/ip-datacenter.ts";
import { ipHidden } from "./flags/ip-hidden.ts";
import { ipTor } from "./flags/ip-tor.ts";
import { lowEvidence } from "./flags/low-evidence.ts";
import { movePressCoincident } from "./flags/move-press-coincident.ts";
import { movementMismatch } from "./flags/movement-mismatch.ts";
import { nativeTampered } from "./flags/native-tampered.ts";
import { noApproach } from "./flags/no-approach.ts";
import { noScript } from "./flags/no-script.ts";
import { permissionMismatch } from "./flags/permission-mismatch.ts";
import { platformMismatch } from "./flags/platform-mismatch.ts";
import { pointerPressureInvalid } from "./flags/pointer-pressure-invalid.ts";
import { powFallback } from "./flags/pow-fallback.ts";
import { pressDwellRegular } from "./flags/press-dwell-regular.ts";
import { pressTooShort } from "./flags/press-too-short.ts";
import { scriptedClick } from "./flags/scripted-click.ts";
import { scriptedPen } from "./flags/scripted-pen.ts";
import { scriptedTouch } from "./flags/scripted-touch.ts";
import { scriptedTyping } from "./flags/scripted-typing.ts";
import { signalsReplayed } from "./flags/signals-replayed.ts";
import { signalsWithheld } from "./flags/signals-withheld.ts";
import { softwareGl } from "./flags/software-gl.ts";
import { solveTimeImplausible } from "./flags/solve-time-implausible.ts";
import { sparsePointer } from "./flags/sparse-pointer.ts";
import { syntheticClick } from "./flags/synthetic-click.ts";
import { tokenFarm } from "./flags/token-farm.ts";
import { tokenInvalid } from "./flags/token-invalid.ts";
import { trajectoryBot } from "./flags/trajectory-bot.ts";
import { trajectoryReplayed } from "./flags/trajectory-replayed.ts";
import { uaChMismatch } from "./flags/ua-ch-mismatch.ts";
import { uaChanged } from "./flags/ua-changed.ts";
import { uaDeclaredBot } from "./flags/ua-declared-bot.ts";
import { uaHeadless } from "./flags/ua-headless.ts";
import { uaMissing } from "./flags/ua-missing.ts";
import { velocityIp } from "./flags/velocity-ip.ts";
import { velocitySite } from "./flags/velocity-site.ts";
import { viewportExceedsScreen } from "./flags/viewport-exceeds-screen.ts";
import { visitOutOfTime } from "./flags/visit-out-of-time.ts";
import { workerMismatch } from "./flags/worker-mismatch.ts";

/**
 * Every risk indicator, each from its file in `flags/`, in the order in which they are reported
 * (spec 2.2 `flags`). After a change here or in a row, run `node tools/flags.ts`.
 */
export const FLAG_ROWS: readonly FlagRow[] = [
  automationWebdriver,
  uaHeadless,
  uaDeclaredBot,
  uaMissing,
  driverGlobals,
  uaChMismatch,
  headerInconsistent,
  headerOrder,
  injectedStack,
  nativeTampered,
  iframeMismatch,
  workerMismatch,
  environmentMismatch,
  platformMismatch,
  headlessMedia,
  viewportExceedsScreen,
  emulatedScreen,
  chromeSurfaceMissing,
  permissionMismatch,
  softwareGl,
  signalsWithheld,
  powFallback,
  noScript,
  solveTimeImplausible,
  syntheticClick,
  clickUnplaced,
  pointerPressureInvalid,
  fractionalPointer,
  scriptedClick,
  noApproach,
  sparsePointer,
  scriptedPen,
  scriptedTouch,
  barePress,
  pressTooShort,
  movePressCoincident,
  exactCentreClick,
  pressDwellRegular,
  scriptedTyping,
  movementMismatch,
  eventTimePhase,
  visitOutOfTime,
  trajectoryReplayed,
  behaviourRepeated,
  trajectoryBot,
  velocityIp,
  ipDatacenter,
  ipTor,
  tokenFarm,
  ipChanged,
  ipHidden,
  uaChanged,
  velocitySite,
  fleetSurge,
  signalsReplayed,
  tokenInvalid,
  lowEvidence,
];
