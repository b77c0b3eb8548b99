import { startService } from "@stile/testkit/service/service";
import type { Figure, Trial } from "@stile/testkit/trials/trial";
import { measureShapes, type ShapeCost } from "../payloads/hostile-costs.ts";
import { hostileShapes } from "../payloads/hostile-shapes.ts";

/**
 * The most that a request refused without a credential may cost, in small requests of its route.
 */
const MAX_RATIO = 3;

function worstOf(costs: readonly ShapeCost[]): ShapeCost {
  return costs.reduce((worst, cost) => (cost.ratio > worst.ratio ? cost : worst));
}

/** The most expensive shape of each route, among all requests that anybody may send. */
export const hostileBodies: Trial = {
  name: "hostile-bodies",
  tries:
    "Requests of every shape that nobody needs a key to send: does one cost more CPU than three small ones?",
  run: async () => {
    const service = await startService({
      STILE_TRUSTED_PROXIES: "127.0.0.1",
      STILE_DEMO: "on",
      STILE_LOG_LEVEL: "error",
    });
    try {
      const costs = await measureShapes(service, hostileShapes(service));
      const routes = [...new Set(costs.map(({ route }) => route))];
      return routes.map((route): Figure => {
        const worst = worstOf(costs.filter((cost) => cost.route === route));
        const name = `${route}, most expensive: ${worst.shape} (${Math.round(worst.cpuMicros)} us)`;
        return {
          name,
          value: worst.ratio,
          unit: "x",
          bound: { kind: "at_most", value: MAX_RATIO },
        };
      });
    } finally {
      await service.dispose();
    }
  },
};
