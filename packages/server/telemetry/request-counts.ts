/** How many requests to one row of the route table were answered with one status code. */
export type RequestCount = {
  readonly route: string;
  readonly status: number;
  readonly count: number;
};

/** Counts answers by route and status. */
export type RequestCounts = {
  /** Counts an answer. `url` is the requested URL, undefined if the request could not be read. */
  readonly record: (url: string | undefined, status: number) => void;
  /** All counts so far; those that are zero are left out. */
  readonly read: () => readonly RequestCount[];
};

/** Prefixes with many addresses, each counted as one row. The first that matches counts. */
const PREFIXES = ["/dashboard/api/", "/dashboard/"] as const;
/**
 * Counts all other paths under one name. Strangers choose paths, and must not create time series.
 */
const ELSEWHERE = "other";
/** Requests that the parser refused, so nothing is known about them. */
const UNREADABLE = "unreadable";

/**
 * Counts by these paths of the route table. Paths with a placeholder count in the row of their
 * prefix.
 */
export function createRequestCounts(paths: readonly string[]): RequestCounts {
  const exact = paths.filter(
    (path) => !/[:*]/.test(path) && !PREFIXES.some((prefix) => path.startsWith(prefix)),
  );
  const newRow = (): Map<number, number> => new Map();
  const rows = new Map(exact.map((path) => [path, newRow()]));
  const prefixRows = PREFIXES.map((prefix) => ({ prefix, row: newRow() }));
  const elsewhere = newRow();
  const unreadable = newRow();

  const rowOf = (url: string): Map<number, number> => {
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    return (
      rows.get(path) ?? prefixRows.find(({ prefix }) => path.startsWith(prefix))?.row ?? elsewhere
    );
  };

  return {
    record: (url, status) => {
      const row = url === undefined ? unreadable : rowOf(url);
      row.set(status, (row.get(status) ?? 0) + 1);
    },
    read: () =>
      [
        ...rows,
        ...prefixRows.map(({ prefix, row }) => [`${prefix}*`, row] as const),
        [ELSEWHERE, elsewhere] as const,
        [UNREADABLE, unreadable] as const,
      ].flatMap(([route, row]) => [...row].map(([status, count]) => ({ route, status, count }))),
  };
}
