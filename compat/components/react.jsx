import { Stile } from "@stile/react";
import { StrictMode, Suspense, useEffect, useRef, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server.browser";

const Wait = ({ until }) => {
  if (until && !until.isOver) throw until.promise;
  return null;
};

/** A promise that a test fulfils, for Suspense. */
function later() {
  const until = { isOver: false };
  until.promise = new Promise((resolve) => {
    until.end = () => {
      until.isOver = true;
      resolve();
    };
  });
  return until;
}

function App({ options }) {
  const [until, setUntil] = useState();
  const [round, setRound] = useState(0);
  const captcha = useRef(null);
  useEffect(() => {
    Object.assign(window, {
      captcha,
      pause: () => setUntil(later()),
      resume: () => until.end(),
    });
  }, [until]);
  const report = (name) => (detail) => {
    window.events.push([name, detail]);
    setRound(round + 1);
  };
  return (
    <form id="form">
      <input id="name" name="name" />
      <Suspense fallback={<p id="paused">One moment</p>}>
        <Stile
          {...options}
          ref={captcha}
          onVerify={report("verify")}
          onExpire={report("expire")}
          onError={report("error")}
        />
        <Wait until={until} />
      </Suspense>
    </form>
  );
}

const app = (options) => (
  <StrictMode>
    <App options={options} />
  </StrictMode>
);

export const render = (options) => renderToString(app(options));

export function hydrate(box, options) {
  const root = hydrateRoot(box, app(options));
  return () => root.unmount();
}
