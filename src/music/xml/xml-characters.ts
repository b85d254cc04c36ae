/** NameStartChar of XML 1.0 (fifth edition), section 2.3, as the inside of a character class. */
const nameStart = String.raw`:A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}`
const name = new RegExp(String.raw`^[${nameStart}][${nameStart}\-.\d\u00b7\u0300-\u036f\u203f\u2040]*$`, 'u')

/** The opposite of Char of XML 1.0, section 2.2. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

const predefined = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

const hexadecimal = /^#x[\da-f]+$/i
const decimal = /^#\d+$/

/** Everything but the white space of XML 1.0, section 2.3; a no-break space is text. */
const notWhiteSpace = /[^ \t\r\n]/

/** Whether XML 1.0 allows that name for an element or an attribute. */
export function isXmlName(text: string): boolean {
  return name.test(text)
}

/**
 * Whether XML 1.0 can contain that text, possibly escaped. It cannot contain most control characters and lone
 * surrogates.
 */
export function isXmlText(text: string): boolean {
  return !forbidden.test(text)
}

/** The index of the first character that XML 1.0 does not allow, in UTF-16 code units, or -1. */
export function firstForbidden(text: string): number {
  return text.search(forbidden)
}

/** The character of `&name;` without a declaration (XML 1.0, sections 4.1 and 4.6), or undefined. */
export function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return predefined.get(name)
  const isHexadecimal = name.startsWith('#x')
  if (!(isHexadecimal ? hexadecimal : decimal).test(name)) return undefined
  const code = isHexadecimal ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  if (code > 0x10ffff) return undefined
  const character = String.fromCodePoint(code)
  return isXmlText(character) ? character : undefined
}

/** Whether the text is empty or only white space of XML. */
export function isXmlWhiteSpace(text: string): boolean {
  return !notWhiteSpace.test(text)
}
