import type { DashboardError } from "@stile/protocol/dashboard-api";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.ts";
import { type Query, toSearch } from "./query.ts";

/** What is known of an endpoint's data. While they are read again, and after that failed, the last data stay. */
export type Loaded<Data> = {
  readonly state: "loading" | "ready" | "failed";
  readonly data?: Data;
  readonly error?: DashboardError;
  readonly reload: () => void;
};

type Known<Data> = { readonly key: string; readonly data?: Data; readonly error?: DashboardError };

/**
 * Reads an endpoint when the component appears and whenever path or query change; an undefined path waits. With
 * `refreshMs` it reads again that often while the page is visible. `keepsOld` shows the last data while a changed query
 * is read.
 */
export function useData<Data>(
  path: string | undefined,
  query?: Query,
  options: { readonly refreshMs?: number; readonly keepsOld?: boolean } = {},
): Loaded<Data> {
  const key = path === undefined ? "" : path + toSearch(query);
  const [known, setKnown] = useState<Known<Data>>({ key: "" });
  const current = useRef(key);
  current.current = key;

  const reload = useCallback(() => {
    if (key === "") return;
    void get<Data>(key).then((answer) => {
      if (current.current !== key) return;
      setKnown((last) => {
        if (answer.success) return { key, data: answer.data };
        const old = last.key === key && last.data !== undefined ? { data: last.data } : {};
        return { key, ...old, error: answer.error };
      });
    });
  }, [key]);

  useEffect(reload, [reload]);
  const { refreshMs } = options;
  useEffect(() => {
    if (refreshMs === undefined) return undefined;
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload, refreshMs]);

  const isCurrent = known.key === key;
  const data = isCurrent || options.keepsOld === true ? known.data : undefined;
  if (data !== undefined)
    return { state: "ready", data, ...(isCurrent && known.error && { error: known.error }), reload };
  if (isCurrent && known.error !== undefined) return { state: "failed", error: known.error, reload };
  return { state: "loading", reload };
}
