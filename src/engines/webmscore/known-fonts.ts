import type { Element } from '../../music/model/document.ts'

/**
 * The text fonts that the engine has. It would print a text in any other font with a music font first, which has accidentals in
 * the place of some letters.
 */
const known = ['Edwin', 'FreeSerif', 'FreeSans', 'MuseJazz Text', 'Petaluma Script']
const knownByName = new Map(known.map((name) => [name.toLowerCase(), name]))
/** Names of widespread fonts without serifs, and of handwritten ones. Any other font is replaced by the engine's usual one. */
const sans = /sans|arial|helvetica|calibri|verdana|tahoma|trebuchet|segoe|roboto|futura/i
const handwritten = /jazz|inkpen|petaluma|broadway|handwrit|comic/i

/** Replaces the fonts of all texts in an element by those that the engine has. */
export function withKnownFonts(element: Element): Element {
  const { attributes } = element
  const children = element.children.map(withKnownFonts)
  const isSame = children.every((one, index) => one === element.children[index])
  const family = attributes['font-family']
  const font = family === undefined ? undefined : knownFontOf(family)
  if (font === family) return isSame ? element : { ...element, children }
  const { 'font-family': _, ...others } = attributes
  return { ...element, attributes: font ? { ...others, 'font-family': font } : others, children }
}

/** @param families names separated by commas, as in CSS */
function knownFontOf(families: string): string | undefined {
  const [first = ''] = families.split(',')
  const font = knownByName.get(first.trim().toLowerCase())
  if (font) return font
  if (handwritten.test(first)) return 'MuseJazz Text'
  return sans.test(families) ? 'FreeSans' : undefined
}
