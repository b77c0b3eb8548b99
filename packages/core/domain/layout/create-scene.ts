import {
  BOX_PROPERTIES,
  between,
  CHILD_PROPERTIES,
  declare,
  PARENT_PROPERTIES,
  PLACE_PROPERTIES,
  pick,
  type Random,
  STACK_PROPERTIES,
} from "./scene-styles.ts";

/** Which scenes the same random numbers make: raised whenever `createScene` makes others of them. */
export const GRAMMAR = 2;

/** How many values are read from one scene, a byte each. */
export const READS_PER_SCENE = 16;
/** How many of these ask which box lies at a place. The others ask where a box lies. */
const HITS_PER_SCENE = 6;
/** Places are multiples of 4 CSS px, within the 256 px that a scene is wide and high. */
const PLACES = 64;
const NODES = { min: 9, max: 14 } as const;
const FIRST_LETTER = 97;

type Layout = "flex" | "grid" | "block";
type Node = { readonly letter: string; readonly layout: Layout; readonly parent: Node | undefined; children: Node[] };

/**
 * Style of all boxes: no text and no inline content, so that fonts do not matter. The root is 256 px each way. Nothing is
 * inherited from the frame's document, to which extensions may add styles.
 */
const GROUND =
  ":host{all:initial!important;direction:ltr!important}div{font-size:0;line-height:0;list-style:none;border:0 solid}.a{position:absolute;left:0;top:0;width:256px;height:256px;overflow:hidden;container-type:size;transform:translate(0)}";

function createTree(random: Random): Node[] {
  const layoutOf = (): Layout => pick(random, ["flex", "grid", "block"] as const);
  const nodes: Node[] = [];
  const count = between(random, NODES.min, NODES.max);
  for (let index = 0; index < count; index++) {
    // Prefers a recent node as the parent, so that trees grow deep as well as wide.
    const parent = index === 0 ? undefined : nodes[Math.max(0, index - 1 - Math.floor(random() ** 2 * index))];
    const node = { letter: String.fromCharCode(FIRST_LETTER + index), layout: layoutOf(), parent, children: [] };
    parent?.children.push(node);
    nodes.push(node);
  }
  return nodes;
}

const toText = ({ letter, children }: Node): string => `<${letter}${children.map(toText).join("")}>`;

/** A random selector that matches the node. Selectors differ in weight, so that the cascade decides between rules. */
function selectorOf(random: Random, { letter, parent, children }: Node): string {
  const own = `.${letter}`;
  if (parent === undefined) return own;
  const place = parent.children.findIndex((child) => child.letter === letter) + 1;
  const child = children[0]?.letter ?? letter;
  return pick(random, [
    own,
    own,
    `.${parent.letter}>${own}`,
    `.${parent.letter}>:nth-child(${place})`,
    `:is(${own},.${child})`,
    `:where(${own})`,
    children.length > 0 ? `${own}:has(>.${child})` : `${own}:not(:has(*))`,
    `.${parent.letter} ${own}:nth-last-child(${parent.children.length - place + 1})`,
    `div:not(.a,.${child === letter ? parent.letter : child})${own}`,
  ]);
}

function declarationsOf(random: Random, node: Node): string[] {
  const { layout, parent } = node;
  if (parent === undefined) return [`display:${layout}`, ...declare(random, PARENT_PROPERTIES[layout], 3)];
  return [
    ...(layout === "block" ? [] : [`display:${layout}`]),
    ...declare(random, BOX_PROPERTIES, between(random, 1, 3)),
    ...declare(random, CHILD_PROPERTIES[parent.layout], 1),
    ...(node.children.length > 0 ? declare(random, PARENT_PROPERTIES[layout], 2) : []),
    ...(random() < 0.3 ? declare(random, PLACE_PROPERTIES, 2) : []),
    ...(random() < 0.4 ? declare(random, STACK_PROPERTIES, 1) : []),
  ];
}

/** The rule, alone or inside a condition that may be false. */
function wrap(random: Random, rule: string): string {
  const kind = random();
  if (kind < 0.7) return rule;
  if (kind < 0.8) return `@layer ${pick(random, ["x", "y"])}{${rule}}`;
  if (kind < 0.9)
    return `@container (${pick(random, ["width", "height"])}>${8 * between(random, 4, 20) + 2}px){${rule}}`;
  return `@supports (${pick(random, ["display:grid", "gap:1px", "float:middle", "inset:0"])}){${rule}}`;
}

function readsOf(random: Random, nodes: readonly Node[]): string {
  const place = (): string => String.fromCharCode(48 + Math.floor(random() * PLACES));
  const others = nodes.slice(1);
  return Array.from({ length: READS_PER_SCENE }, (_, index) =>
    index < HITS_PER_SCENE
      ? `h${place()}${place()}`
      : `r${pick(random, ["l", "t", "w", "h"])}${pick(random, others).letter}`,
  ).join(" ");
}

/**
 * A random scene in three lines: tree, reads and style sheet (proof of browser). The service does not compute its
 * layout; it asks browsers. The same random numbers make the same scene.
 */
export function createScene(random: Random): string {
  const nodes = createTree(random);
  const rules = nodes.flatMap((node) => {
    const declarations = declarationsOf(random, node);
    const split = declarations.length > 3 && random() < 0.4 ? between(random, 1, declarations.length - 1) : 0;
    return [declarations.slice(0, split), declarations.slice(split)]
      .filter((part) => part.length > 0)
      .map((part) => wrap(random, `${selectorOf(random, node)}{${part.join(";")}}`));
  });
  return [toText(nodes[0] as Node), readsOf(random, nodes), GROUND + rules.join("")].join("\n");
}
