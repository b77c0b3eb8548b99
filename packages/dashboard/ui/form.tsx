import type { DashboardAnswer, DashboardError } from "@stile/protocol/dashboard-api";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Notice } from "./notice.tsx";
import { TEXT } from "./text.ts";

type Problems = ReadonlyMap<string, string>;

const ProblemsContext = createContext<Problems>(new Map());

/** The problems of the surrounding form, by field name; fields look up their own. */
export function useProblems(): Problems {
  return useContext(ProblemsContext);
}

/** The outcome of a form's work: an answer whose refusal is to be shown, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return is as welcome as one with.
export type SubmitOutcome = Promise<DashboardAnswer<unknown> | undefined | void>;

type FormProps = {
  /** Does the work; a refusal in its answer is shown here. */
  readonly onSubmit: () => SubmitOutcome;
  /** A function gets true while `onSubmit` runs, for the button inside. */
  readonly children: ComponentChildren | ((isBusy: boolean) => ComponentChildren);
  readonly label?: string;
};

/**
 * A form that submits once at a time and shows why it was refused. It gives each field its problem,
 * and moves the focus to the first of them (to the summary if no field is concerned).
 */
export function Form(props: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<DashboardError>();

  const submit = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      const answer = await props.onSubmit();
      setError(answer?.success === false ? answer.error : undefined);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  // Together with the error: a frame later it would take the focus from wherever the reader has
  // moved it meanwhile.
  useLayoutEffect(() => {
    if (error === undefined) return;
    const first = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    (first ?? form.current?.querySelector<HTMLElement>(".form-error"))?.focus();
  }, [error]);

  const problems: Problems = new Map(
    error?.problems?.map(({ field, message }) => [field, message]),
  );
  return (
    <form
      ref={form}
      aria-label={props.label}
      aria-busy={isBusy || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {error !== undefined && <FormError error={error} />}
      <ProblemsContext.Provider value={problems}>
        {typeof props.children === "function" ? props.children(isBusy) : props.children}
      </ProblemsContext.Provider>
    </form>
  );
}

function FormError({ error }: { readonly error: DashboardError }) {
  const { problems = [] } = error;
  return (
    <div class="form-error" tabIndex={-1}>
      <Notice
        kind="error"
        title={problems.length > 0 ? TEXT.formHasProblems : TEXT.somethingFailed}
      >
        {problems.length === 0 ? (
          <p>{error.message}</p>
        ) : (
          <ul>
            {problems.map(({ field, message }) => (
              <li key={field}>{message}</li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}
