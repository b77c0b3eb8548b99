import { LAYOUT_FRAME_STYLE } from "@stile/protocol/layout-frame";

/** The longest that the frame is silent while it loads or lays out a few pages, ms. */
const SILENCE_MS = 30_000;

/** The same frame in which visitors' pages do the layout, hidden; `layOut` returns 16 bytes for each text. */
export type LayoutFrame = {
  /** Rejects if the frame does not answer, or has no size. */
  readonly layOut: (texts: readonly string[]) => Promise<Uint8Array>;
  readonly close: () => void;
};

/** The frame's next message of that name, after `act`. Rejects after half a minute without one. */
function askFrame(frame: HTMLIFrameElement, act: () => void, wanted: string): Promise<{ readonly layout?: unknown }> {
  return new Promise((resolve, reject) => {
    const listening = new AbortController();
    const end = (): void => {
      listening.abort();
      clearTimeout(timer);
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error("the frame is silent"));
    }, SILENCE_MS);
    const hear = ({ source, origin, data }: MessageEvent): void => {
      if (source !== frame.contentWindow || origin !== location.origin || data?.stile !== wanted) return;
      end();
      resolve(data);
    };
    addEventListener("message", hear, listening);
    act();
  });
}

/** Opens the frame. Rejects if it does not load. */
export async function openLayoutFrame(): Promise<LayoutFrame> {
  const frame = document.createElement("iframe");
  frame.title = "Pages that are laid out unseen";
  frame.setAttribute("aria-hidden", "true");
  frame.tabIndex = -1;
  frame.style.cssText = LAYOUT_FRAME_STYLE;
  frame.src = "/frame";
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  // A block, so that nothing is returned: WebKit takes a message sent in tail position for the frame's own.
  const post = (message: object): void => {
    frame.contentWindow?.postMessage(message, location.origin);
  };
  return {
    layOut: async (texts) => {
      const request = ["0", ...texts].join("\n");
      const { layout } = await askFrame(frame, () => post({ stile: "lay_out", request }), "layout");
      // The first two bytes name a bank, but these texts don't belong to one yet.
      if (!(layout instanceof Uint8Array) || layout.length !== 2 + 16 * texts.length) throw new Error("not laid out");
      return layout.subarray(2);
    },
    close: () => frame.remove(),
  };
}
