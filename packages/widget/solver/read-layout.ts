// Lays out small random documents and reads where their parts are: only a rendering engine can answer that (proof of
// browser). Loaded by the solver frame when a challenge comes with scenes.

/** Reads per scene, one byte each. */
const READS = 16;
/** A scene is 256 CSS px wide and high; a smaller frame was not laid out, and has nothing to read. */
const SIZE = 256;
const LINES = 3;

/** Edges of a box that a read may ask for. */
const EDGES: Readonly<Record<string, (box: DOMRect) => number>> = {
  l: (box) => box.left,
  t: (box) => box.top,
  w: (box) => box.width,
  h: (box) => box.height,
};

/** `<` opens a div, a letter is its class, `>` closes it. */
function build(root: ShadowRoot, tree: string): void {
  let node: Node = root;
  for (const sign of tree) {
    if (sign === "<") node = node.appendChild(document.createElement("div"));
    else if (sign === ">") node = node.parentNode ?? root;
    else (node as Element).className = sign;
  }
}

function readOne(root: ShadowRoot, [kind, first = "", second = ""]: string): number {
  if (kind === "r") {
    const box = root.querySelector(`.${second}`)?.getBoundingClientRect();
    return box === undefined ? 0 : Math.round((EDGES[first]?.(box) ?? 0) / 4) & 63;
  }
  const [x, y] = [first, second].map((sign) => 4 * (sign.charCodeAt(0) - 48) + 2) as [number, number];
  const hit = root.elementFromPoint(x, y)?.className ?? "";
  return hit.length === 1 ? hit.charCodeAt(0) - 96 : 0;
}

function readScene([tree = "", reads = "", style = ""]: readonly string[], into: Uint8Array): void {
  const host = document.createElement("div");
  try {
    const root = host.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    document.body.append(host);
    build(root, tree);
    const asked = reads.split(" ");
    for (let at = 0; at < READS; at++) into[at] = readOne(root, asked[at] ?? "");
  } catch {
    // Anything that could not be read stays 0.
  }
  host.remove();
}

/**
 * What the frame reads from `scenes`, the text that came with a challenge (D8): the bank's number, u16 little endian,
 * then 16 bytes for each scene; only the number if the frame was not laid out. Accepts any text.
 */
export function readLayout(scenes: string): Uint8Array {
  const [version, ...lines] = scenes.split("\n");
  const count = innerWidth < SIZE || innerHeight < SIZE ? 0 : Math.floor(lines.length / LINES);
  const answer = new Uint8Array(2 + READS * count);
  new DataView(answer.buffer).setUint16(0, Number(version), true);
  for (let at = 0; at < count; at++)
    readScene(lines.slice(LINES * at, LINES * at + LINES), answer.subarray(2 + READS * at));
  return answer;
}
