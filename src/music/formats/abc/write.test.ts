import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { corpusFiles, corpusTitle, hasCorpus } from '../../../../test/support/corpus.ts'
import { noteHeadsOf, notesOfAbc } from '../../testing/abc-notes.ts'
import {
  chordNote,
  direction,
  graceNote,
  type MiniPart,
  miniScore,
  note,
  rest,
  words,
} from '../../testing/mini-score.ts'
import { readMusicXml } from '../musicxml/read.ts'
import { readMxl } from '../mxl/read.ts'
import { writeAbc } from './write.ts'

const abcOf = (...parts: readonly (MiniPart | readonly string[])[]) =>
  new TextDecoder().decode(writeAbc(miniScore(...parts)))

/** The music of a score with one voice, without the header. */
function musicOf(...measures: readonly string[]): string {
  const [, ...lines] = abcOf(measures).split(/^V:1$\n/m)
  return lines.join('V:1\n').trim()
}

const attributes = (more: string) => `<attributes><divisions>2</divisions>${more}</attributes>`
const start = attributes('<key><fifths>0</fifths></key><time><beats>2</beats><beat-type>4</beat-type></time>')
const left = (content: string) => `<barline location="left">${content}</barline>`
const right = (content: string) => `<barline location="right">${content}</barline>`
const notations = (content: string) => `<notations>${content}</notations>`

describe('an ABC file', () => {
  it.each([
    ['minor-11th', 'Cm11'],
    ['augmented-seventh', 'Caug7'],
    ['half-diminished', 'Cm7b5'],
  ])('writes the kind %s of a chord symbol as %s', (kind, symbol) => {
    const harmony = `<harmony><root><root-step>C</root-step></root><kind>${kind}</kind></harmony>`
    expect(musicOf(`${start}${harmony}${note('C4', 4)}`)).toBe(`"${symbol}"C4 |`)
  })

  it('has the title, the creators, the meter, the tempo, the staves and the key of the score', () => {
    const score = `<work><work-title>100 % &amp; more</work-title></work>
      <identification><creator type="composer">C. Composer</creator><creator type="lyricist">L. Lyricist</creator></identification>`
    const xml = `<score-partwise version="4.0">${score}<part-list><score-part id="P1"><part-name>Harp</part-name>
      <part-abbreviation>Hp.</part-abbreviation></score-part></part-list><part id="P1"><measure number="1">
      ${attributes(
        '<key><fifths>-3</fifths><mode>minor</mode></key><time symbol="cut"><beats>2</beats><beat-type>2</beat-type></time>' +
          '<staves>2</staves><clef number="1"><sign>G</sign><line>2</line></clef><clef number="2"><sign>F</sign><line>4</line></clef>',
      )}
      ${words('Allegro', '<sound tempo="96"/>')}
      ${note('C4', 8, '<voice>1</voice><staff>1</staff>')}<backup><duration>8</duration></backup>
      ${note('C3', 8, '<voice>5</voice><staff>2</staff>')}</measure></part></score-partwise>`
    const text = new TextDecoder().decode(writeAbc(readMusicXml(Buffer.from(xml))))
    expect(text).toBe(`%abc-2.1
X:1
T:100 \\% & more
C:C. Composer
N:Words: L. Lyricist
L:1/8
M:C|
Q:"Allegro" 1/4=96
%%score {1 | 2}
V:1 clef=treble name="Harp" snm="Hp."
V:2 clef=bass
K:Cm
V:1
C8 |
V:2
C,8 |
`)
  })

  it.each([
    ['lengths', `${start}${note('C4', 1)}${note('D4', 3)}`, 'C D3 |'],
    ['octaves', `${start}${note('C3', 1)}${note('C4', 1)}${note('C5', 1)}${note('C6', 1)}`, "C, C c c' |"],
    ['rests', `${start}${rest(2)}${rest(2)}`, 'z2 z2 |'],
    ['chords', `${start}${note('C4', 4)}${chordNote('E4', 4)}`, '[CE]4 |'],
    ['silence as space', `${start}<forward><duration>2</duration></forward>${note('C4', 2)}`, 'x2 C2 |'],
    [
      'ties',
      `${start}${note('C4', 2, '<tie type="start"/>')}${note('C4', 2, '<tie type="stop"/>')}`,
      'C2- C2 |',
    ],
    ['grace notes', `${start}${graceNote('D4', 'slash="yes"')}${note('C4', 4)}`, '{/D}C4 |'],
    [
      'grace notes of an unknown type without a length',
      `${start}${graceNote('D4').replace('eighth', 'constructor')}${note('C4', 4)}`,
      '{D}C4 |',
    ],
    [
      'a change of the tempo whose words have no closing bracket',
      `${start}${note('C4', 2)}${words('Slow [ad lib.]', '<sound tempo="60"/>')}${note('D4', 2)}`,
      'C2 [Q:"Slow [ad lib.)" 1/4=60]D2 |',
    ],
    [
      'slurs',
      `${start}${note('C4', 2, notations('<slur type="start"/>'))}${note('D4', 2, notations('<slur type="stop"/>'))}`,
      '(C2 D2) |',
    ],
    [
      'articulations and a fermata',
      `${start}${note('C4', 4, notations('<articulations><staccato/><accent/></articulations><fermata/>'))}`,
      '.!accent!!fermata!C4 |',
    ],
    [
      'beams as notes without space',
      `${start}${note('C4', 1, '<beam number="1">begin</beam>')}${note('D4', 1, '<beam number="1">end</beam>')}${note('E4', 2)}`,
      'CD E2 |',
    ],
    ['dynamics', `${start}${direction('<dynamics><mf/></dynamics>')}${note('C4', 4)}`, '!mf!C4 |'],
    ['words', `${start}${words('say "so"')}${note('C4', 4)}`, '"^say ”so”"C4 |'],
    [
      'hairpins',
      `${start}${direction('<wedge type="crescendo"/>')}${note('C4', 2)}${direction('<wedge type="stop"/>')}${note('D4', 2)}`,
      '!<(!C2 !<)!D2 |',
    ],
    [
      'chord symbols',
      `${start}<harmony><root><root-step>B</root-step><root-alter>-1</root-alter></root><kind>minor-seventh</kind><bass><bass-step>F</bass-step></bass></harmony>${note('C4', 4)}`,
      '"Bbm7/F"C4 |',
    ],
  ])('has %s', (_what, measure, music) => {
    expect(musicOf(measure)).toBe(music)
  })

  it('has accidentals where the key and the measure do not have them', () => {
    const key = attributes(
      '<key><fifths>2</fifths></key><time><beats>2</beats><beat-type>4</beat-type></time>',
    )
    const f = note('F4', 1)
    const sharp = note('F#4', 1)
    expect(musicOf(key + sharp + f + f + sharp, f + sharp + note('C4', 1) + note('Bb3', 1))).toBe(
      'F =F F ^F | =F ^F =C _B, |',
    )
  })

  it('repeats an accidental in another octave, because programs do not agree for how many octaves one holds', () => {
    expect(musicOf(start + note('F#4', 1) + note('F#5', 1) + note('F5', 1) + note('F4', 1))).toBe(
      '^F ^f =f =F |',
    )
  })

  it('has tuplets, and fractions for one that it cannot write', () => {
    const time = (actual: number, normal: number) =>
      `<time-modification><actual-notes>${actual}</actual-notes><normal-notes>${normal}</normal-notes></time-modification>`
    const triplet = [1, 2, 3].map(() => note('C4', 2, time(3, 2))).join('')
    const eleven = Array.from({ length: 11 }, () => note('D4', 6, time(11, 8))).join('')
    const in3 = start.replace('<divisions>2', '<divisions>3')
    expect(musicOf(`${in3}${triplet}${note('C4', 3)}`)).toBe('(3:2:3C2 C2 C2 C2 |')
    expect(musicOf(start.replace('<divisions>2', '<divisions>33') + eleven)).toBe(`${'D4/11 '.repeat(11)}|`)
  })

  it('has bar lines, repeats and endings in every voice', () => {
    const one = (before: string, after: string) => `${left(before)}${note('C4', 4)}${right(after)}`
    const measures = [
      start + one('<repeat direction="forward"/>', ''),
      one(
        '<ending number="1" type="start"/>',
        '<ending number="1" type="stop"/><repeat direction="backward"/>',
      ),
      one('<ending number="2" type="start"/>', '<bar-style>light-light</bar-style>'),
      one('', '<bar-style>light-heavy</bar-style>'),
    ]
    const music = '|:C4 | [1 C4 :| [2 C4 || C4 |]'
    expect(
      abcOf(measures, measures)
        .split('\n')
        .filter((line) => line === music),
    ).toHaveLength(2)
  })

  it('has changes of key, meter and clef before their measure, at the start of a line at the end of the line before', () => {
    const same = note('C4', 4)
    const change = attributes('<key><fifths>1</fifths></key><clef><sign>F</sign><line>4</line></clef>')
    expect(musicOf(start + same, change + same)).toBe('C4 | [K:G][K:clef=bass]C4 |')
    expect(musicOf(start + same, same, same, same, change + same)).toBe(
      'C4 | C4 | C4 | C4 | [K:G][K:clef=bass]\nV:1\nC4 |',
    )
  })

  it('has the lyrics of each verse below their notes', () => {
    const lyric = (number: number, text: string, syllabic = 'single') =>
      `<lyric number="${number}"><syllabic>${syllabic}</syllabic><text>${text}</text></lyric>`
    const measure = [
      note('C4', 1, lyric(1, 'A', 'begin') + lyric(2, 'two-fold')),
      note('D4', 1),
      rest(1),
      note('E4', 1, lyric(1, 'men', 'end')),
    ]
    expect(musicOf(start + measure.join(''))).toBe('C D z E |\nw: A- * men\nw: two\\-fold')
  })

  it('has the transposition of a part, and the written notes', () => {
    const transpose = '<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>'
    const score = miniScore([`${attributes(transpose)}${note('D4', 8)}`])
    const text = new TextDecoder().decode(writeAbc(score))
    expect(text).toContain('V:1 clef=treble name="Piano" transpose=-2')
    expect(notesOfAbc(writeAbc(score)).notes).toEqual(['60@0.000+4.000'])
  })

  it('has notes below a treble clef with an 8 an octave higher, because the clef moves them', () => {
    const clef = '<clef><sign>G</sign><line>2</line><clef-octave-change>-1</clef-octave-change></clef>'
    const score = miniScore([`${attributes(clef)}${note('C4', 8)}`])
    expect(new TextDecoder().decode(writeAbc(score))).toContain('V:1 clef=treble-8')
    expect(notesOfAbc(writeAbc(score)).notes).toEqual(['60@0.000+4.000'])
  })

  it('has a second voice for notes of a voice that overlap or have several durations', () => {
    const score = miniScore([
      `${start}${note('C4', 4)}${chordNote('E4', 2)}<backup><duration>2</duration></backup>${note('G4', 2)}`,
    ])
    expect(new TextDecoder().decode(writeAbc(score))).toContain('%%score (1 2)')
    expect(notesOfAbc(writeAbc(score))).toMatchObject(noteHeadsOf(score))
  })

  it('writes a part with any number of voices in bounded space', () => {
    const voices = Array.from(
      { length: 1000 },
      (_, i) => `${note('C4', 4, `<voice>${i}</voice>`)}<backup><duration>4</duration></backup>`,
    )
    const text = abcOf([start + voices.join(''), ...Array.from({ length: 200 }, () => note('C4', 4))])
    expect(text.match(/^V:\d+ clef/gm)).toHaveLength(16)
  })

  it('writes a measure with any number of overlapping notes and of words', () => {
    const overlapping = `${words('now')}${note('C4', 4)}<backup><duration>4</duration></backup>`.repeat(
      50_000,
    )
    const text = abcOf([start + overlapping + note('C4', 4)])
    expect(text.match(/^V:\d+ clef/gm)).toHaveLength(16)
    expect(text.match(/"\^now"/g)).toHaveLength(50_000)
  })
})

describe('any small score', () => {
  const pitch = fc.constantFrom('C4', 'C#4', 'Db5', 'F4', 'F#4', 'F5', 'Bb3', 'B3', 'E2', 'G6')
  const tie = fc.constantFrom('', '', '<tie type="start"/>', '<tie type="stop"/>')
  const ratio = (actual: number, normal: number) =>
    `<time-modification><actual-notes>${actual}</actual-notes><normal-notes>${normal}</normal-notes></time-modification>`
  // In divisions of 60: the lengths and ratios of notes and tuplets that scores have.
  const length = fc.constantFrom(
    [60, ''],
    [30, ''],
    [90, ''],
    [120, ''],
    [15, ''],
    [40, ratio(3, 2)],
    [20, ratio(3, 2)],
    [24, ratio(5, 4)],
  )
  const sounds = fc
    .tuple(pitch, length, tie, fc.array(pitch, { maxLength: 2 }), fc.option(pitch), fc.boolean())
    .map(([first, [duration, more], tied, others, grace, isLast]) => {
      const shared = `${tied}<voice>${isLast ? 1 : 2}</voice>${more}`
      return [
        ...(grace ? [graceNote(grace, '', `<voice>${isLast ? 1 : 2}</voice>`)] : []),
        note(first, Number(duration), shared),
        ...others.map((other) => chordNote(other, Number(duration), shared)),
      ].join('')
    })
  const element = fc.oneof(
    { weight: 5, arbitrary: sounds },
    length.map(([duration, more]) => rest(Number(duration), `${more}`)),
    fc.constantFrom(30, 60, 180).map((back) => `<backup><duration>${back}</duration></backup>`),
    fc.constantFrom(20, 60).map((on) => `<forward><duration>${on}</duration></forward>`),
    fc
      .integer({ min: -7, max: 7 })
      .map((fifths) => `<attributes><key><fifths>${fifths}</fifths></key></attributes>`),
  )
  const measure = fc
    .array(element, { minLength: 1, maxLength: 8 })
    .map((all) => `${all.join('')}${note('C4', 60)}`)
  const part = fc
    .tuple(
      fc.integer({ min: -7, max: 7 }),
      fc.constantFrom(0, -2, 7, -12),
      fc.array(measure, { minLength: 6, maxLength: 6 }),
    )
    .map(([fifths, chromatic, measures]) => {
      const transpose = chromatic === 0 ? '' : `<transpose><chromatic>${chromatic}</chromatic></transpose>`
      return measures.map((content, place) =>
        place === 0
          ? `<attributes><divisions>60</divisions><key><fifths>${fifths}</fifths></key>${transpose}</attributes>${content}`
          : content,
      )
    })

  it('has the same notes for a reader of ABC', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 2 }), (parts) => {
        const score = miniScore(...parts)
        const { notes, warnings } = notesOfAbc(writeAbc(score))
        expect(notes).toEqual(noteHeadsOf(score).notes)
        expect(warnings.filter((warning) => !warning.includes('Duration not representable'))).toEqual([])
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})

describe.skipIf(!hasCorpus)(corpusTitle('the songs of the corpus'), () => {
  it('have at least 99 percent of their notes for a reader of ABC', async () => {
    const songs = corpusFiles('lieder-mxl').filter(({ name }) => name.endsWith('.mxl'))
    expect(songs).toHaveLength(40)
    let [all, same] = [0, 0]
    for (const { bytes } of songs) {
      const score = readMusicXml(await readMxl(bytes))
      const { notes } = noteHeadsOf(score)
      const left = Map.groupBy(notesOfAbc(writeAbc(score)).notes, (one) => one)
      all += notes.length
      same += notes.filter((one) => left.get(one)?.pop() !== undefined).length
    }
    process.stdout.write(`ABC: ${same} of ${all} notes are the same\n`)
    expect(all).toBeGreaterThan(30_000)
    expect(same / all).toBeGreaterThanOrEqual(0.99)
  })
})
