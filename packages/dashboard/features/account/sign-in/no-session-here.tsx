import { useEffect, useState } from "preact/hooks";
import { Notice } from "../../../ui/notice.tsx";

const TITLE = "You can't sign in here with this browser";
const HELP =
  "The browser does not keep this page's session cookie. Open the page over https, or on the machine where the service runs. If you have done that, allow the page to set cookies.";

/** Names and addresses of the browser's own machine. */
const OWN_MACHINE = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Whether this browser would keep the session's cookie, which is `Secure` except over http on the
 * machine itself. Found by trying, since no browser says so.
 */
function keepsSession(): boolean {
  const isPlain = location.protocol === "http:" && OWN_MACHINE.test(location.hostname);
  const name = isPlain ? "stile-probe" : "__Host-stile-probe";
  const write = (rest: string): void => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only where cookies are kept anyway.
    document.cookie = `${name}=${rest}; Path=/; SameSite=Strict${isPlain ? "" : "; Secure"}`;
  };
  write("1");
  const isKept = document.cookie.includes(`${name}=1`);
  write("; Max-Age=0");
  return isKept;
}

/**
 * Says that nobody can sign in here, before somebody tries and uses up a link. Draws nothing if
 * sign-in works.
 */
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
