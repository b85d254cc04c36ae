import { expect, it } from 'vitest'
import { partsIn } from '../../../../src/music/editing/reading.ts'
import { identifiedScore } from '../../../../src/music/testing/editing-score.ts'
import { soundingKey } from './sounding-key.ts'

it.each([
  ['C4', 60, '', { step: 'C', alter: 0, octave: 4 }],
  ['F sharp 5', 78, '', { step: 'F', alter: 1, octave: 5 }],
  [
    'C4 of a clarinet in B flat',
    58,
    '<diatonic>-1</diatonic><chromatic>-2</chromatic>',
    { step: 'C', alter: 0, octave: 4 },
  ],
  [
    'C4 of a double bass',
    48,
    '<chromatic>0</chromatic><octave-change>-1</octave-change>',
    { step: 'C', alter: 0, octave: 4 },
  ],
] as const)('%s sounds as key %i', (_what, key, transpose, pitch) => {
  const attributes = transpose && `<transpose>${transpose}</transpose>`
  const document = identifiedScore([`<attributes><divisions>1</divisions>${attributes}</attributes>`])
  expect(soundingKey(document, partsIn(document)[0]?.uuid ?? '', pitch)).toBe(key)
})
