import { afterAll, expect, test } from 'vitest'
import { corpusFiles, corpusTitle, hasCorpus } from '../../../test/support/corpus.ts'
import { readJson } from '../../music/formats/json/read.ts'
import { child, childrenNamed, childText, measuresOf, partsOf } from '../../music/model/document.ts'
import { noteIdOf } from '../../music/model/note-ids.ts'
import { createNotation } from '../notation.ts'

const notation = createNotation({ processes: 1 })
afterAll(() => notation.close())
const waiters = { callers: ['test'] }

async function engraved(bytes: Uint8Array) {
  const { json } = await notation.read({ bytes }, waiters)
  let pages = 1
  const onPages = (count: number) => {
    pages = count
  }
  const page = async (number: number) =>
    Buffer.from(await notation.write({ json, page: number, onPages }, 'svg', waiters)).toString()
  const svgs = [await page(1)]
  while (svgs.length < pages) svgs.push(await page(svgs.length + 1))
  return { document: readJson(json), svgs }
}

interface Glyph {
  readonly id: string | undefined
  readonly kind: string
  readonly part: string | undefined
  readonly fill: string | undefined
  readonly y: number
}

const glyphsIn = (svg: string): Glyph[] =>
  [...svg.matchAll(/<path(?: id="([^"]*)")? class="(Note|Rest)"(?: data-part="([^"]*)")?([^>]*)/g)].map(
    ([, id, kind = '', part, others = '']) => ({
      id,
      kind,
      part,
      fill: / fill="([^"]*)"/.exec(others)?.[1],
      y: Number(/ transform="matrix\((?:[^,]*,){5}([^)]*)/.exec(others)?.[1]),
    }),
  )

const attributes =
  '<attributes><divisions>6</divisions><staves>2</staves><clef number="1"><sign>G</sign><line>2</line></clef>' +
  '<clef number="2"><sign>F</sign><line>4</line></clef></attributes>'
const backup = '<backup><duration>24</duration></backup>'
/** A note of a duration of sixths of a quarter, in a voice and staff, with what stands before and after its pitch. */
const pitched = (
  pitch: string,
  duration: number,
  place: string,
  { before = '', after = '', more = '' } = {},
) => {
  const type = { 2: 'eighth', 6: 'quarter', 12: 'half', 24: 'whole' }[duration] ?? 'eighth'
  const [voice, staff] = place
  const time = duration === 0 ? '' : `<duration>${duration}</duration>`
  return `<note ${more}>${before}<pitch><step>${pitch[0]}</step><octave>${pitch[1]}</octave></pitch>${time}
    <voice>${voice}</voice><type>${type}</type>${after}<staff>${staff}</staff></note>`
}
const silent = (duration: number, place: string, more = '') =>
  `<note ${more}><rest/><duration>${duration}</duration><voice>${place[0]}</voice><staff>${place[1]}</staff></note>`
const triplet =
  '<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes></time-modification>'
const score = (...measures: string[]) =>
  Buffer.from(
    `<score-partwise version="4.0"><part-list><score-part id="P1"><part-name>Piano</part-name></score-part></part-list><part id="P1">${measures
      .map(
        (measure, index) =>
          `<measure number="${index + 1}">${index === 0 ? attributes : ''}${measure}</measure>`,
      )
      .join('')}</part></score-partwise>`,
  )

/** The places (`measure.index`) of the glyphs of each kind on the first page, and their heights. */
async function marksOf(...measures: string[]) {
  const { document, svgs } = await engraved(score(...measures))
  const [part] = partsOf(document)
  const places = new Map(
    (part ? measuresOf(part) : []).flatMap((measure, column) =>
      childrenNamed(measure, 'note').map((_, index) => [
        noteIdOf(measure.uuid ?? '', part?.uuid ?? '', index),
        `${column}.${index}`,
      ]),
    ),
  )
  const glyphs = glyphsIn(svgs[0] ?? '')
  expect(glyphs.every((one) => one.part === part?.uuid)).toBe(true)
  const placeOf = ({ id = '' }: Glyph) => places.get(id)
  const of = (kind: string) =>
    glyphs
      .filter((one) => one.kind === kind)
      .map(placeOf)
      .sort()
  const heights = new Map(glyphs.map((one) => [placeOf(one), one.y]))
  return { notes: of('Note'), rests: of('Rest'), heights, glyphs }
}

test('marks the notes of chords, voices, staves and tuplets, grace notes, notes across staves and rests', async () => {
  const { notes, rests, heights } = await marksOf(
    pitched('C5', 12, '11') +
      pitched('E5', 12, '11', { before: '<chord/>' }) +
      pitched('D5', 0, '11', { before: '<grace/>' }) +
      silent(12, '11') +
      backup +
      pitched('F4', 24, '21') +
      backup +
      pitched('C3', 12, '52') +
      pitched('G4', 12, '51'),
    ['C5', 'D5', 'E5'].map((pitch) => pitched(pitch, 2, '11', { after: triplet })).join('') +
      pitched('A5', 18, '11', { before: '<chord/>' }) +
      silent(18, '11') +
      backup +
      silent(24, '52'),
  )
  expect(notes).toEqual(['0.0', '0.1', '0.2', '0.4', '0.5', '0.6', '1.0', '1.1', '1.2', '1.3'])
  expect(rests).toEqual(['0.3', '1.4', '1.5'])
  const descending = ['0.1', '0.2', '0.0', '0.6', '0.4', '0.5']
  const ys = descending.map((place) => heights.get(place))
  expect(ys).toEqual(ys.toSorted((a = 0, b = 0) => a - b))
})

test('marks cue notes, and has no glyph of hidden notes', async () => {
  const { notes, rests } = await marksOf(
    pitched('C5', 12, '11', { before: '<cue/>' }) +
      pitched('D5', 6, '11', { more: 'print-object="no"' }) +
      silent(6, '11', 'print-object="no"') +
      backup +
      silent(24, '52'),
  )
  expect([notes, rests]).toEqual([['0.0'], ['0.3']])
})

test('notes keep their own colors, and all others are black', async () => {
  const { glyphs } = await marksOf(
    pitched('C5', 6, '11', { more: 'color="#1E90FF"' }) +
      pitched('D5', 6, '11', {
        after: '<notehead color="#80FF0000">normal</notehead>',
        more: 'color="#00FF00"',
      }) +
      pitched('E5', 12, '11'),
  )
  const fills = glyphs.filter(({ kind }) => kind === 'Note').map(({ fill }) => fill)
  expect(fills.toSorted()).toEqual(['#1e90ff', '#ff0000', undefined])
})

test('rests that the engine joins have no id, and the notes beside them have theirs', async () => {
  const start = '<attributes><measure-style><multiple-rest>2</multiple-rest></measure-style></attributes>'
  const empty = silent(24, '11') + backup + silent(24, '52')
  const { notes, rests } = await marksOf(
    pitched('C5', 24, '11'),
    start + empty,
    empty,
    pitched('D5', 24, '11'),
  )
  expect(notes).toEqual(['0.0', '3.0'])
  expect(rests.filter((place) => place !== undefined)).toEqual([])
})

test.skipIf(!hasCorpus)(
  corpusTitle('every note and rest of real scores is marked, and stands at its pitch'),
  async () => {
    for (const { bytes } of corpusFiles('lieder-mxl').slice(0, 3)) {
      const { document, svgs } = await engraved(bytes)
      const glyphs = svgs.flatMap(glyphsIn)
      expect(glyphs.filter(({ id }) => id === undefined)).toEqual([])
      expect(new Set(glyphs.map(({ id }) => id)).size).toBe(glyphs.length)
      const heights = new Map(glyphs.map(({ id, y }) => [id, y]))
      const [voice] = partsOf(document)
      const staves = new Map(
        svgs.flatMap((svg) =>
          [
            ...svg.matchAll(
              /<rect id="([^"]*)" class="Measure" data-part="([^"]*)"[^>]*y="([^"]*)"[^>]*height="([^"]*)"/g,
            ),
          ]
            .filter(([, , part]) => part === voice?.uuid)
            .map(([, id = '', , y, height]) => [id, { top: Number(y), height: Number(height) }] as const),
        ),
      )
      let checked = 0
      for (const measure of voice ? measuresOf(voice) : []) {
        for (const [index, note] of childrenNamed(measure, 'note').entries()) {
          const pitch = child(note, 'pitch')
          const y = heights.get(noteIdOf(measure.uuid ?? '', voice?.uuid ?? '', index))
          const staff = staves.get(measure.uuid ?? '')
          if (!pitch || y === undefined || !staff) continue
          const place = Math.round(((staff.top + staff.height - y) / staff.height) * 8)
          const step =
            'CDEFGAB'.indexOf(childText(pitch, 'step') ?? '') + 7 * Number(childText(pitch, 'octave'))
          expect(place + lowestLine).toBe(step)
          checked++
        }
      }
      expect(checked).toBeGreaterThan(50)
    }
  },
  60_000,
)

/** E4, the lowest line of the treble clef, in which the voices of these songs are written. */
const lowestLine = 2 + 7 * 4
