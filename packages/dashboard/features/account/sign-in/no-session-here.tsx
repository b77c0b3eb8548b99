import { useEffect, useState } from "preact/hooks";
import { Notice } from "../../../ui/notice.tsx";

const TITLE = "This browser keeps no session here";
const HELP =
  "Over http only Chrome, Edge and Firefox do, and only on the machine where the service runs. Open this page in one of them there, or by https.";

/**
 * Whether this browser would keep the session's cookie, which is `Secure`: over http none does on another machine, and
 * WebKit not even on this one. Found by trying, since no browser says so.
 */
function keepsSession(): boolean {
  const write = (rest: string): void => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only where cookies are kept anyway.
    document.cookie = `__Host-stile-probe=${rest}; Path=/; Secure; SameSite=Strict`;
  };
  write("1");
  const isKept = document.cookie.includes("__Host-stile-probe=1");
  write("; Max-Age=0");
  return isKept;
}

/** Says that nobody can sign in here, before somebody tries and uses up a link. Draws nothing where they can. */
export function NoSessionHere() {
  const [isKept, setKept] = useState(true);
  useEffect(() => setKept(keepsSession()), []);
  if (isKept) return null;
  return (
    <Notice kind="warning" title={TITLE}>
      <p>{HELP}</p>
    </Notice>
  );
}
