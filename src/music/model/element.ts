import { type Element, noAttributes } from './document.ts'

/** An element that holds other elements. */
export function node(
  name: string,
  children: Element[],
  attributes: Record<string, string> = noAttributes,
): Element {
  return { name, attributes, children, text: '' }
}

/** An element that holds text. */
export function leaf(
  name: string,
  text: string | number,
  attributes: Record<string, string> = noAttributes,
): Element {
  return { name, attributes, children: [], text: String(text) }
}
