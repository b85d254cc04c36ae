import { describe, expect, it } from 'vitest'
import { measuresOf, partsOf, type ScoreDocument } from './document.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { compareNotes } from './statistics.ts'

/** @param more elements after the duration */
const note = (step: string, duration = 1, more = '') =>
  `<note><pitch><step>${step}</step><octave>4</octave></pitch><duration>${duration}</duration>${more}</note>`
const inChord = (xml: string) => xml.replace('<pitch>', '<chord/><pitch>')

/**
 * Creates a score.
 * @param parts the contents of the measures of each part
 * @param uuids the uuids of the measures, the same in each part; without them, neither measures nor parts have uuids
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
  const chord = note('C') + inChord(note('E'))

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

  it('ignores changes of divisions, stems and rests, and an explicit first voice', () => {
    const before = score([[note('C', 1, '<voice>1</voice>') + note('D')]], ['1'])
    const divisions = '<attributes><divisions>3</divisions></attributes>'
    const rest = '<note><rest/><duration>3</duration></note>'
    const after = score([[divisions + note('C', 3, '<stem>up</stem>') + note('D', 3) + rest]], ['1'])
    expect(compareNotes(before, after)).toEqual(changes(0, 0))
  })

  it('counts each of several equal notes', () => {
    const unison = note('C') + inChord(note('C'))
    expect(compareNotes(score([[unison]], ['1']), score([[note('C')]], ['1']))).toEqual(changes(0, 1))
  })

  it('compares a moved measure with the measure of the same uuid', () => {
    const before = score([[note('C'), note('D'), note('E')]], ['1', '2', '3'])
    const after = score([[note('F'), note('C'), note('D'), note('E')]], ['0', '1', '2', '3'])
    expect(compareNotes(before, after)).toEqual(changes(1, 0))
    expect(compareNotes(after, before)).toEqual(changes(0, 1))
  })

  it('does not compare a new measure with the one that was at its position before', () => {
    const before = score([[note('C'), note('D')]], ['1', '2'])
    const after = score([[note('C'), note('C'), note('D')]], ['0', '1', '2'])
    expect(compareNotes(before, after)).toEqual(changes(1, 0))
  })

  it('compares a moved part with the part of the same uuid, and counts the notes of added and removed parts', () => {
    const before = score([[note('C')], [note('E')]], ['1'], ['a', 'b'])
    const after = score([[note('E')], [note('G')], [note('C')]], ['1'], ['b', 'c', 'a'])
    expect(compareNotes(before, after)).toEqual(changes(1, 0))
    expect(compareNotes(after, before)).toEqual(changes(0, 1))
  })

  it('compares measures at the same position if they have no uuids', () => {
    const before = score([[note('C'), note('D')]])
    expect(compareNotes(before, score([[note('C'), note('E')]]))).toEqual(changes(1, 1))
    expect(compareNotes(before, score([[note('C')]]))).toEqual(changes(0, 1))
  })

  it('distinguishes unpitched notes by their place on the staff and their instrument', () => {
    const unpitched = (step: string, id: string) =>
      `<note><unpitched><display-step>${step}</display-step><display-octave>4</display-octave></unpitched>
       <duration>1</duration><instrument id="${id}"/></note>`
    const before = score([[unpitched('E', 'P1-I1') + unpitched('E', 'P1-I1')]], ['1'])
    expect(compareNotes(before, score([[unpitched('E', 'P1-I1') + unpitched('F', 'P1-I1')]], ['1']))).toEqual(
      changes(1, 1),
    )
    expect(compareNotes(before, score([[unpitched('E', 'P1-I1') + unpitched('E', 'P1-I2')]], ['1']))).toEqual(
      changes(1, 1),
    )
  })
})
