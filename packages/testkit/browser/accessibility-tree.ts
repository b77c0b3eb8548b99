import type { CDPSession } from "playwright-core";

/** Roles without meaning, and those of nodes that only render text. */
const NOTHING = /^(none|generic|InlineTextBox|LineBreak)$/;
/** Properties of an element that are reported in addition to its role and name. */
const SAID = /^(live|atomic|disabled|hidden|busy|expanded|checked|pressed|url)$/;

type NodeValue = { readonly value?: unknown };
type AccessibilityNode = {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: NodeValue;
  readonly name?: NodeValue;
  readonly properties?: readonly { readonly name: string; readonly value: NodeValue }[];
  readonly childIds?: readonly string[];
};

/**
 * The accessibility tree of each element of that role, as the browser passes it to screen readers:
 * one line per node, indented by its depth, with its role, its name and those properties.
 */
export async function readAccessibility(
  protocol: CDPSession,
  role: string,
): Promise<readonly (readonly string[])[]> {
  const { nodes }: { readonly nodes: readonly AccessibilityNode[] } = await protocol.send(
    "Accessibility.getFullAXTree",
  );
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const linesOf = (node: AccessibilityNode, depth: number, above = ""): readonly string[] => {
    const name = `${node.name?.value ?? ""}`;
    const said = (node.properties ?? []).filter(
      (one) => SAID.test(one.name) && one.value.value !== false,
    );
    // Readers do not repeat a text that is already the name of its parent.
    const isSilent =
      node.ignored || NOTHING.test(`${node.role?.value}`) || (name !== "" && name === above);
    const line = [
      `${node.role?.value}`,
      name && `"${name}"`,
      ...said.map((one) => `${one.name}=${one.value.value}`),
    ];
    const below = (node.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      return child ? linesOf(child, isSilent ? depth : depth + 1, isSilent ? above : name) : [];
    });
    return isSilent
      ? below
      : ["  ".repeat(Math.max(0, depth)) + line.filter(Boolean).join(" "), ...below];
  };
  return nodes
    .filter((node) => node.role?.value === role && !node.ignored)
    .map((node) => linesOf(node, -1).slice(1));
}
