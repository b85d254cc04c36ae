const keyLength = 200

/** The blocks of marks that are laid over letters; vowel signs of Indic scripts and kana's voicing are none of these. */
const diacritics = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g

/**
 * The text that lists are sorted by, names are compared by and searches look in: without case, diacritics, compatibility
 * forms (Unicode NFKD) and surplus white space, cut to 200 characters. It is stored beside the text, because neither
 * database folds as the other does.
 */
export function sortKey(text: string): string {
  const folded = text
    .normalize('NFKD')
    // Through upper case first, so that ß meets SS and ς meets Σ, as full case folding has it.
    .toUpperCase()
    .toLowerCase()
    // Lower case puts a mark back where İ stood.
    .replace(diacritics, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
  return Array.from(folded.slice(0, 2 * keyLength))
    .slice(0, keyLength)
    .join('')
    .trimEnd()
}
