import { type Element, noAttributes } from './document.ts'

/** Creates an element that contains other elements. */
export function node(
  name: string,
  children: Element[],
  attributes: Record<string, string> = noAttributes,
): Element {
  return { name, attributes, children, text: '' }
}

/** Creates an element that contains text. */
export function leaf(
  name: string,
  text: string | number,
  attributes: Record<string, string> = noAttributes,
): Element {
  return { name, attributes, children: [], text: String(text) }
}
