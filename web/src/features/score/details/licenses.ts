import type { ScoreDetails } from '../../../../../src/contract/scores.ts'
import type { useTexts } from '../../../app/texts.ts'

type License = NonNullable<ScoreDetails['license']>

export const licenses = [
  'copyright',
  'cc0',
  'cc-by',
  'cc-by-sa',
  'cc-by-nd',
  'cc-by-nc',
  'cc-by-nc-sa',
  'cc-by-nc-nd',
] as const satisfies readonly License[]

/** Creative Commons licences have the same short name in all languages: `CC BY-SA`. */
export const licenseName = (license: License, text: ReturnType<typeof useTexts>['text']): string =>
  license === 'copyright' ? text('details.copyright') : license.replace('-', ' ').toUpperCase()
