// Lays out small random documents and reads where their parts are: only a rendering engine can answer that (proof of
// browser). Loaded by the solver frame when a challenge comes with scenes.

/** Reads per scene, one byte each. */
const READS = 16;
/** A scene is 256 CSS px wide and high; a smaller frame was not laid out, and has nothing to read. */
const SIZE = 256;
const LINES = 3;

/**
 * The host is as wide as a scene, and as high as the frame. Styles that extensions add to all documents may place it
 * elsewhere; important rules in here go before those. It also goes before what a scene says of its host.
 */
const HOST = `:host(div){position:fixed!important;inset:0!important;width:${SIZE}px!important}`;

const createBox = (): HTMLElement => document.createElement("div");

/** Edges of a box that a read may ask for. */
const EDGES = { l: "x", t: "y", w: "width", h: "height" } as const;

/** `<` opens a div, a letter is its class, `>` closes it. */
function build(root: ShadowRoot, tree: string): void {
  let node: Node = root;
  for (const sign of tree) {
    if (sign === "<") node = node.appendChild(createBox());
    else if (sign === ">") node = node.parentNode as Node;
    else (node as Element).className = sign;
  }
}

/** Where the middle of a place lies, px: places are signs from `0` on, every 4 px. */
const middleOf = (place: string): number => 4 * place.charCodeAt(0) - 190;

/** The value of a read; NaN, which becomes 0, for what is not there. */
function readOne(root: ShadowRoot, read: string): number {
  const [kind, first, second] = read as unknown as [string, string, string];
  return kind === "r"
    ? Math.round((root.querySelector(`.${second}`)?.getBoundingClientRect()[EDGES[first as "l"]] as number) / 4) & 63
    : (root.elementFromPoint(middleOf(first), middleOf(second))?.className.charCodeAt(0) as number) - 96;
}

/** Something truthy if it could not be laid out: where the document is small, or is zoomed, moved or hidden as a whole. */
function readScene([tree, reads, style]: readonly string[], answer: Uint8Array, from: number) {
  const host = createBox();
  const root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(HOST + style);
  root.adoptedStyleSheets = [sheet];
  document.documentElement.append(host);
  const box = host.getBoundingClientRect();
  try {
    build(root, tree as string);
    (reads as string).split(" ").forEach((read, at) => {
      answer[from + at] = readOne(root, read);
    });
  } catch {
    // What could not be read stays 0.
  }
  host.remove();
  return box.x | box.y | (box.width - SIZE) || box.height < SIZE - 1;
}

/**
 * What the frame reads from `scenes`, the text that came with a challenge (D8): the bank's number, u16 little endian,
 * then 16 bytes for each scene; only the number if they could not be laid out. Accepts any text.
 */
export function readLayout(scenes: string): Uint8Array {
  const [version, ...lines] = scenes.split("\n");
  const answer = new Uint8Array(2 + READS * Math.floor(lines.length / LINES));
  answer[0] = version as unknown as number;
  answer[1] = (version as unknown as number) >> 8;
  for (let at = 2; at < answer.length; at += READS) {
    if (readScene(lines.splice(0, LINES), answer, at)) return answer.subarray(0, 2);
  }
  return answer;
}
