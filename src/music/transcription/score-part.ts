import { PERCUSSION_CHANNEL_NUMBER } from '../model/instruments/percussion-channel.ts'
import type { Element } from '../model/document.ts'
import { leaf, node } from '../model/element.ts'
import { printable } from '../model/printable.ts'
import { drumAt } from './drum-map.ts'
import type { PerformedPart } from './performance.ts'

/**
 * The id of an instrument of a part.
 * @param key the percussion key, if it is one of several percussion instruments
 */
export const instrumentId = (part: number, key?: number): string =>
  `P${part + 1}-I${key === undefined ? 1 : key + 1}`

/** The entry of a part in the list of parts. */
export function writeScorePart(part: PerformedPart, index: number): Element {
  const keys = part.isPercussion ? [...new Set(part.notes.map(({ key }) => key))].sort((a, b) => a - b) : []
  const names: [id: string, name: string, key?: number][] = part.isPercussion
    ? keys.map((key) => [instrumentId(index, key), drumAt(key).name, key])
    : [[instrumentId(index), part.instrument.names.en[0]]]
  const melodic = (index % 15) + 1
  const channel = part.isPercussion
    ? PERCUSSION_CHANNEL_NUMBER
    : melodic < PERCUSSION_CHANNEL_NUMBER
      ? melodic
      : melodic + 1
  return node(
    'score-part',
    [
      leaf('part-name', printable(part.name)),
      ...names.map(([id, name]) => {
        const sound = part.isPercussion ? [] : [leaf('instrument-sound', part.instrument.sound)]
        return node('score-instrument', [leaf('instrument-name', name), ...sound], { id })
      }),
      ...names.map(([id, , key]) =>
        node(
          'midi-instrument',
          [
            leaf('midi-channel', channel),
            leaf('midi-program', part.program + 1),
            ...(key === undefined ? [] : [leaf('midi-unpitched', key + 1)]),
          ],
          { id },
        ),
      ),
    ],
    { id: `P${index + 1}` },
  )
}
