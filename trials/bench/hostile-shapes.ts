import { startService } from "@stile/testkit/service/service";
import { measureShapes, type ShapeCost } from "../payloads/hostile-costs.ts";
import { hostileShapes } from "../payloads/hostile-shapes.ts";

/** One line of the table; `ratio` is relative to the small request of the route. */
type Row = {
  readonly route: string;
  readonly shape: string;
  readonly status: string;
  readonly cpu_us: number;
  readonly ratio: number;
};

function toRow({ route, shape, statuses, cpuMicros, ratio }: ShapeCost): Row {
  return {
    route,
    shape,
    status: statuses.join(" "),
    cpu_us: Math.round(cpuMicros),
    ratio: Number(ratio.toFixed(2)),
  };
}

/** Prints the cost of every shape that anybody may send, route by route. */
export async function benchHostileShapes(isJson: boolean): Promise<void> {
  const service = await startService({
    STILE_TRUSTED_PROXIES: "127.0.0.1",
    STILE_DEMO: "on",
    STILE_LOG_LEVEL: "error",
  });
  try {
    const rows = (await measureShapes(service, hostileShapes(service))).map(toRow);
    if (isJson) process.stdout.write(`${JSON.stringify(rows)}\n`);
    else console.table(rows);
  } finally {
    await service.dispose();
  }
}
