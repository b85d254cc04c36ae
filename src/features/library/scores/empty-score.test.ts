import { expect, it } from 'vitest'
import { writeJson } from '../../../music/formats/json/write.ts'
import { type BuilderData, buildScore } from '../../../music/model/builder/builder.ts'
import { factsOf } from '../../../music/model/facts.ts'
import { partUuidsOf } from '../../../music/model/parts.ts'
import { timelineOf } from '../../../music/timeline/timeline.ts'
import { emptyScore } from './empty-score.ts'

/** Creates the same uuids each time. Those of different scores differ. */
function countingUuids(score: number): () => string {
  let count = 0
  return () => `00000000-0000-4000-8${String(score).padStart(3, '0')}-${String(count++).padStart(12, '0')}`
}

const piano = { group: 'keyboards', instrument: 'piano' }
const flute = { group: 'woodwinds', instrument: 'flute', longName: 'Flûte "1" \\ $&' }
const data: [string, BuilderData][] = [
  ['a piano', { scoreData: { instruments: [piano] } }],
  [
    'two flutes and a piano in another key and meter',
    {
      scoreData: { instruments: [flute, flute, piano], fifths: -3, nbBeats: 6, beatType: 8 },
    },
  ],
]
const titles = ['Étude', 'a "quoted" \\ title', '夜の歌 🎵', '$& $1 \u2028', '\u0085', 'x'.repeat(1000)]

it.each(data)('is the same score as that of the builder, for %s and any title', (_, builderData) => {
  for (const [score, title] of [...titles, ...titles].entries()) {
    const document = buildScore(builderData, title, countingUuids(score))
    // The first score of some builder data takes further uuids for its template.
    emptyScore(builderData, 'Any', countingUuids(score))
    expect(emptyScore(builderData, title, countingUuids(score))).toEqual({
      json: writeJson(document),
      facts: { ...factsOf(document), title: expect.any(String) },
      durationSeconds: timelineOf(document).durationSeconds,
      partUuids: partUuidsOf(document),
    })
  }
})

it('has uuids of its own', () => {
  const [first, second] = [1, 2].map((score) =>
    emptyScore(data[0]?.[1] as BuilderData, 'Any', countingUuids(score)),
  )
  expect(first?.partUuids).not.toEqual(second?.partUuids)
})

it('is refused each time for an unknown instrument', () => {
  const unknown = { scoreData: { instruments: [{ group: 'keyboards', instrument: 'comb' }] } }
  for (let time = 0; time < 2; time++)
    expect(() => emptyScore(unknown, 'Any', countingUuids(1))).toThrow(/must be one of the group keyboards/)
})
