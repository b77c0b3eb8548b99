import type { DashboardError } from "@stile/protocol/dashboard-api";
import { useCallback, useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";
import { toSearch, type UrlQuery } from "./query.ts";

/**
 * The known data of an endpoint. While they are read again, and after that failed, the last data
 * stay.
 */
export type Loaded<Data> = {
  readonly state: "loading" | "ready" | "failed";
  readonly data?: Data;
  readonly error?: DashboardError;
  readonly reload: () => void;
};

/** The result of a read, and when it began, ms. */
type CachedRead<Data> = {
  readonly key: string;
  readonly at: number;
  readonly data?: Data;
  readonly error?: DashboardError;
};

/**
 * Reads an endpoint when the component appears and whenever path or query change; an undefined path
 * waits. With `refreshMs` it reads again that often while the page is visible. `keepsOld` shows the
 * last data while a changed query is read.
 */
export function useData<Data>(
  path: string | undefined,
  query?: UrlQuery,
  options: { readonly refreshMs?: number; readonly keepsOld?: boolean } = {},
): Loaded<Data> {
  const key = path === undefined ? "" : path + toSearch(query);
  const [known, setKnown] = useState<CachedRead<Data>>({ key: "", at: 0 });

  const reload = useCallback(() => {
    if (key === "") return;
    const at = performance.now();
    void get<Data>(key).then((answer) =>
      setKnown((last) => {
        // A read that began earlier brings nothing new, however late its answer comes.
        if (at < last.at) return last;
        if (answer.success) return { key, at, data: answer.data };
        return { ...(last.key === key && last), key, at, error: answer.error };
      }),
    );
  }, [key]);

  useEffect(reload, [reload]);
  const { refreshMs } = options;
  useEffect(() => {
    if (refreshMs === undefined) return;
    const timer = setInterval(() => document.hidden || reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload, refreshMs]);

  const isCurrent = known.key === key;
  const data = isCurrent || options.keepsOld === true ? known.data : undefined;
  const error = isCurrent ? known.error : undefined;
  if (data !== undefined) return { state: "ready", data, ...(error && { error }), reload };
  if (error !== undefined) return { state: "failed", error, reload };
  return { state: "loading", reload };
}
