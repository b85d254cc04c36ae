import { describe, expect, it } from 'vitest'
import { measuresOf, partsOf, type ScoreDocument } from './document.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { compareNotes } from './statistics.ts'

const note = (step: string, duration = 1, more = '') =>
  `<note><pitch><step>${step}</step><octave>4</octave></pitch><duration>${duration}</duration>${more}</note>`

/**
 * A score of parts with measures. `uuids` are those of the measures in all parts. Parts are named a, b, … by
 * default.
 */
function score(
  parts: string[][],
  uuids?: string[],
  partUuids = parts.map((_, index) => 'abc'[index]),
): ScoreDocument {
  const list = parts.map((_, index) => `<score-part id="P${index}"><part-name/></score-part>`)
  const bodies = parts.map((measures, index) => {
    const inside = measures.map((measure, number) => `<measure number="${number + 1}">${measure}</measure>`)
    return `<part id="P${index}">${inside.join('')}</part>`
  })
  const xml = `<score-partwise><part-list>${list.join('')}</part-list>${bodies.join('')}</score-partwise>`
  const document = readMusicXml(Buffer.from(xml))
  for (const [index, part] of partsOf(document).entries()) {
    if (uuids === undefined) continue
    part.uuid = partUuids[index]
    for (const [number, measure] of measuresOf(part).entries()) measure.uuid = uuids[number]
  }
  return document
}

const changes = (additions: number, deletions: number) => ({ additions, deletions })

describe('comparing the notes of two revisions', () => {
  const chord =
    note('C') +
    note('E', 1, '<chord/>').replace('<pitch>', '<chord/><pitch>').replace('<chord/></note>', '</note>')

  it('finds no changes in equal scores', () => {
    const original = () => score([[chord, note('D')], [note('E')]], ['1', '2'])
    expect(compareNotes(original(), original())).toEqual(changes(0, 0))
  })

  it('counts every note of a first revision as added', () => {
    expect(compareNotes(undefined, score([[chord, note('D')], [note('E')]]))).toEqual(changes(4, 0))
  })

  it('counts a changed note as one added and one removed', () => {
    const before = score([[note('C') + note('D')]], ['1'])
    for (const [property, after] of Object.entries({
      pitch: note('C') + note('E'),
      accidental: note('C') + note('D').replace('</step>', '</step><alter>1</alter>'),
      duration: note('C') + note('D', 2),
      voice: note('C') + note('D', 1, '<voice>2</voice>'),
      staff: note('C') + note('D', 1, '<staff>2</staff>'),
    })) {
      expect(compareNotes(before, score([[after]], ['1'])), property).toEqual(changes(1, 1))
    }
  })

  it('ignores inaudible changes: divisions, stems, an explicit first voice, rests', () => {
    const before = score([[note('C', 1, '<voice>1</voice>') + note('D')]], ['1'])
    const divisions = '<attributes><divisions>3</divisions></attributes>'
    const rest = '<note><rest/><duration>3</duration></note>'
    const after = score([[divisions + note('C', 3, '<stem>up</stem>') + note('D', 3) + rest]], ['1'])
    expect(compareNotes(before, after)).toEqual(changes(0, 0))
  })

  it('counts equal notes', () => {
    const unison = note('C') + note('C').replace('<pitch>', '<chord/><pitch>')
    expect(compareNotes(score([[unison]], ['1']), score([[note('C')]], ['1']))).toEqual(changes(0, 1))
  })

  it('follows a measure that moves by its uuid', () => {
    const before = score([[note('C'), note('D'), note('E')]], ['1', '2', '3'])
    const after = score([[note('F'), note('C'), note('D'), note('E')]], ['0', '1', '2', '3'])
    expect(compareNotes(before, after)).toEqual(changes(1, 0))
    expect(compareNotes(after, before)).toEqual(changes(0, 1))
  })

  it('does not match a new measure with the one that has moved away from its place', () => {
    const before = score([[note('C'), note('D')]], ['1', '2'])
    const after = score([[note('C'), note('C'), note('D')]], ['0', '1', '2'])
    expect(compareNotes(before, after)).toEqual(changes(1, 0))
  })

  it('follows a part by its uuid, and counts an added or removed part', () => {
    const before = score([[note('C')], [note('E')]], ['1'], ['a', 'b'])
    const after = score([[note('E')], [note('G')], [note('C')]], ['1'], ['b', 'c', 'a'])
    expect(compareNotes(before, after)).toEqual(changes(1, 0))
    expect(compareNotes(after, before)).toEqual(changes(0, 1))
  })

  it('matches by position if there are no uuids', () => {
    const before = score([[note('C'), note('D')]])
    expect(compareNotes(before, score([[note('C'), note('E')]]))).toEqual(changes(1, 1))
    expect(compareNotes(before, score([[note('C')]]))).toEqual(changes(0, 1))
  })

  it('distinguishes unpitched notes by their place on the staff and their instrument', () => {
    const struck = (step: string, id: string) =>
      `<note><unpitched><display-step>${step}</display-step><display-octave>4</display-octave></unpitched>
       <duration>1</duration><instrument id="${id}"/></note>`
    const before = score([[struck('E', 'P1-I1') + struck('E', 'P1-I1')]], ['1'])
    expect(compareNotes(before, score([[struck('E', 'P1-I1') + struck('F', 'P1-I1')]], ['1']))).toEqual(
      changes(1, 1),
    )
    expect(compareNotes(before, score([[struck('E', 'P1-I1') + struck('E', 'P1-I2')]], ['1']))).toEqual(
      changes(1, 1),
    )
  })
})
