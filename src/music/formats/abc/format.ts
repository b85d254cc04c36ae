import { format } from '../format.ts'
import { writeAbc } from './write.ts'

/** A tune begins with `X:` and its header ends with `K:` (ABC 2.1, section 2.2). */
export const abc = format({
  title: 'ABC',
  sniff: ({ plainText }) => /^%abc/.test(plainText) || (/^X: *\d/m.test(plainText) && /^K:/m.test(plainText)),
  export: { name: 'abc', mediaType: 'text/vnd.abc', extension: 'abc', write: writeAbc },
})
