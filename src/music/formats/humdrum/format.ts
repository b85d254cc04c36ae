import type { Format } from '../format.ts'

/** Comments, then the line of exclusive interpretations (Humdrum syntax reference, "exclusive interpretation"). */
export const krn: Format = {
  title: 'Humdrum **kern',
  sniff: ({ plainText }) => /^(!|\*\*)/.test(plainText) && /^\*\*(.*\t\*\*)?(kern|mens)/m.test(plainText),
}
