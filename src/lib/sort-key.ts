const keyLength = 200

/** Unicode blocks of combining marks. Vowel signs of Indic scripts and the voicing marks of kana are in other blocks. */
const diacritics = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g

/**
 * Returns the text by which lists are sorted, names are compared and searches match. It has no case, diacritics,
 * compatibility forms (Unicode NFKD) or repeated white space, and at most 200 characters. It is stored in a column beside
 * the text, because SQLite and PostgreSQL fold text differently.
 */
export function sortKey(text: string): string {
  const folded = text
    .normalize('NFKD')
    // Upper case first, so that ß equals SS and ς equals Σ, as in full case folding.
    .toUpperCase()
    .toLowerCase()
    // The lower case of İ has a combining mark.
    .replace(diacritics, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
  return Array.from(folded.slice(0, 2 * keyLength))
    .slice(0, keyLength)
    .join('')
    .trimEnd()
}
