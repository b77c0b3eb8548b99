import { createRestartLoad, restartUnderLoad } from "@stile/testkit/service/restarts-under-load";
import type { Trial } from "@stile/testkit/trials/trial";
import { NONE, withService } from "./scene.ts";

const RESTARTS = 20;

/** Clean restarts under load. */
export const restarts: Trial = {
  name: "restarts",
  tries: `${RESTARTS} restarts by SIGTERM while 8 callers redeem`,
  run: async () =>
    await withService({}, async (service) => {
      const load = await createRestartLoad(service);
      const { verified, wrong, lost, reset, refused } = await restartUnderLoad(
        [service],
        load,
        RESTARTS,
      );
      const unit = `of ${verified + wrong + lost + reset}`;
      return [
        {
          name: "fresh tokens that were answered otherwise than verified",
          value: wrong,
          unit,
          bound: NONE,
        },
        {
          name: "requests on connections that stood, without an answer",
          value: lost,
          unit,
          bound: NONE,
        },
        { name: "requests on new connections that were reset", value: reset, unit, bound: NONE },
        { name: "connections refused while nothing listened", value: refused, unit: "" },
      ];
    }),
};
