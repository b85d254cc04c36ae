import { format } from '../format.ts'

/** Comments, then the line of exclusive interpretations (Humdrum syntax reference, "exclusive interpretation"). */
export const krn = format({
  title: 'Humdrum **kern',
  sniff: ({ plainText }) => /^(!|\*\*)/.test(plainText) && /^\*\*(.*\t\*\*)?(kern|mens)/m.test(plainText),
})
