/** Answers so far to the requests at one row of the route table, by status code. */
export type RequestCount = { readonly route: string; readonly status: number; readonly count: number };

/** How many requests were answered, by route and status. */
export type RequestCounts = {
  /** Counts an answer; `url` is what was asked for, undefined if the request could not even be read. */
  readonly record: (url: string | undefined, status: number) => void;
  /** What was counted so far; what never occurred is left out. */
  readonly read: () => readonly RequestCount[];
};

/** Rows for what has many addresses: each counts all that begins so, the first that fits. */
const PREFIXES = ["/dashboard/api/", "/dashboard/"] as const;
/** What is at none of the rows, however it is called: strangers choose paths, and must not make series. */
const ELSEWHERE = "other";
/** What the parser refused, so that nothing is known of it. */
const UNREADABLE = "unreadable";

/** Counts by these paths of the route table. Those with a placeholder are left to the rows of their prefix. */
export function createRequestCounts(paths: readonly string[]): RequestCounts {
  const exact = paths.filter((path) => !/[:*]/.test(path) && !PREFIXES.some((prefix) => path.startsWith(prefix)));
  const newRow = (): Map<number, number> => new Map();
  const rows = new Map(exact.map((path) => [path, newRow()]));
  const prefixRows = PREFIXES.map((prefix) => ({ prefix, row: newRow() }));
  const elsewhere = newRow();
  const unreadable = newRow();

  const rowOf = (url: string): Map<number, number> => {
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    return rows.get(path) ?? prefixRows.find(({ prefix }) => path.startsWith(prefix))?.row ?? elsewhere;
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
