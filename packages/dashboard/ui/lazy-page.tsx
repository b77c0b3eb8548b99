import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { Loading } from "./states.tsx";
import { TEXT } from "./text.ts";

/**
 * A page whose code is loaded when it is first shown. If that code is gone (an update), it asks for
 * a reload.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function LazyPage(props: Props) {
    const [state, setState] = useState<"loading" | "ready" | "failed">(
      known === undefined ? "loading" : "ready",
    );
    useEffect(() => {
      if (known !== undefined) return;
      load().then(
        (page) => {
          known = page;
          setState("ready");
        },
        () => setState("failed"),
      );
    }, []);
    const Page = known;
    if (Page !== undefined) return <Page {...props} />;
    return state === "failed" ? <Gone /> : <Loading />;
  };
}

function Gone() {
  return (
    <Notice kind="error" title={TEXT.somethingFailed}>
      <p>
        This page could not be loaded. The connection may have failed, or the service was updated.
      </p>
      <Button onClick={() => location.reload()}>Reload the page</Button>
    </Notice>
  );
}
