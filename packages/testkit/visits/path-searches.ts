import {
  type PathSearch,
  searchNearest,
  searchNetworks,
} from "@stile/core/domain/visitor/nearest-path";
import type { PathShape } from "@stile/risk/trajectory/path-shape";

function answerAfter<Answer>(
  { look, answer }: PathSearch<Answer>,
  indices: Iterable<number>,
): Answer {
  for (const index of indices) if (look(index) < 0) break;
  return answer();
}

/** The result of `searchNearest` over all shapes with these indices. */
export const nearestDistance = (
  shape: PathShape,
  flat: Int8Array,
  indices: Iterable<number>,
  isCounted: (index: number) => boolean,
): number | undefined => answerAfter(searchNearest(shape, flat, isCounted), indices);

/** The result of `searchNetworks` over all shapes with these indices. */
export const countNetworksNear = (
  shape: PathShape,
  flat: Int8Array,
  indices: Iterable<number>,
  networkAt: (index: number) => number | undefined,
): number => answerAfter(searchNetworks(shape, flat, networkAt), indices);
