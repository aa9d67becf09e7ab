/**
 * Finds elements and texts in parsed HTML.
 *
 * @module
 */
import { type DefaultTreeAdapterTypes, parse } from "parse5";

export type Element = DefaultTreeAdapterTypes.Element;
export type ChildNode = DefaultTreeAdapterTypes.ChildNode;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;

/** Parses a document. HTML cannot be malformed. */
export function parseHtml(html: string): ParentNode {
  return parse(html);
}

export function isElement(node: ChildNode): node is Element {
  return "tagName" in node;
}

/** An attribute; `""` if there is none. */
export function attribute({ attrs }: Element, name: string): string {
  return attrs.find((one) => one.name === name)?.value ?? "";
}

export function classesOf(element: Element): ReadonlySet<string> {
  return new Set(attribute(element, "class").split(/\s+/));
}

export function hasClass(element: Element, name: string): boolean {
  return classesOf(element).has(name);
}

/** The elements among the children. */
export function elementsOf({ childNodes }: ParentNode): Element[] {
  return childNodes.filter(isElement);
}

/** All elements below a node that fulfil a test, in order. Those inside a match are not visited. */
export function findAll(root: ParentNode, test: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  const open: Element[] = elementsOf(root).reverse();
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (test(element)) found.push(element);
    else open.push(...elementsOf(element).reverse());
  }
  return found;
}

/** The first element below a node that fulfils a test. */
export function findFirst(
  root: ParentNode,
  test: (element: Element) => boolean,
): Element | undefined {
  const open: Element[] = elementsOf(root).reverse();
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (test(element)) return element;
    open.push(...elementsOf(element).reverse());
  }
  return undefined;
}

/** The text of a node, with everything in it. */
export function textIn(node: ChildNode | undefined): string {
  if (node === undefined) return "";
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textIn).join("") : "";
}
