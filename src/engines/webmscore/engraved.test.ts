import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, describe, expect, test } from 'vitest'
import { corpusFiles, corpusTitle, hasCorpus } from '../../../test/support/corpus.ts'
import { readJson } from '../../music/formats/json/read.ts'
import { chordSymbolOf } from '../../music/model/chord-symbol.ts'
import { child, childrenNamed, type Element, measuresOf, partsOf } from '../../music/model/document.ts'
import { createNotation } from '../notation.ts'

const notation = createNotation({ processes: 1 })
afterAll(() => notation.close())
const waiters = { callers: ['test'] }

const attributes =
  '<attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>'
const partwise = (partList: string, measures: readonly string[], before = '') =>
  Buffer.from(
    `<score-partwise version="4.0">${before}<part-list>${partList}</part-list><part id="P1">${measures
      .map(
        (measure, index) =>
          `<measure number="${index + 1}">${index === 0 ? attributes : ''}${measure}</measure>`,
      )
      .join('')}</part></score-partwise>`,
  )
const scorePart = (more = '') => `<score-part id="P1"><part-name>Voice</part-name>${more}</score-part>`
const quarter = (step: string, more = '') =>
  `<note><pitch><step>${step}</step><octave>4</octave></pitch><duration>1</duration><type>quarter</type>${more}</note>`
const lyric = (text: string) => `<lyric><syllabic>single</syllabic><text>${text}</text></lyric>`

/** The texts of each page of the PDF of a file. */
async function printed(bytes: Uint8Array): Promise<string[]> {
  const { json } = await notation.read({ bytes }, waiters)
  const pdf = await notation.write({ json }, 'pdf', waiters)
  return (await extractText(await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 }))).text
}

/** A text as it is compared: the engine sets hyphens, spaces and ligatures of its own, and leaves out the point of “rall.”. */
const folded = (text: string) => text.normalize('NFKC').replace(/[\s\u200b\u00ad_‐–.-]/g, '')

/** The texts that a document prints: syllables, words, rehearsal marks, chord symbols, and credits of the first page. */
function textsOf(json: string): string[] {
  const { root } = readJson(json)
  const isPrinted = ({ attributes }: Element) => attributes['print-object'] !== 'no'
  const inside = (parent: Element, ...names: string[]) =>
    parent.children.filter((one) => names.includes(one.name) && isPrinted(one))
  const ofEvent = (event: Element): string[] => {
    if (event.name === 'harmony') return [chordSymbolOf(event)]
    const elements =
      event.name === 'direction'
        ? inside(event, 'direction-type').flatMap((type) => inside(type, 'words', 'rehearsal'))
        : inside(event, 'lyric').flatMap((one) => childrenNamed(one, 'text'))
    return elements.map(({ text }) => text)
  }
  const events = partsOf({ root })
    .flatMap(measuresOf)
    .flatMap(({ children }) => children.filter(isPrinted))
  const credits = childrenNamed(root, 'credit').filter(({ attributes }) => (attributes.page ?? '1') === '1')
  return [
    ...credits.flatMap((credit) => child(credit, 'credit-words')?.text ?? []),
    ...events.flatMap(ofEvent),
  ]
}

test.each([
  ['Menuetto Da Capo, poi la Coda', 'dacapo="yes"'],
  ['Dal Segno al Fine, senza ripetizione', 'dalsegno="s"'],
  ['Fine della prima parte', 'fine="yes"'],
  ['alla Coda subito', 'tocoda="c"'],
])('the words %s are printed as they are, also with a jump for playback', async (text, sound) => {
  const direction = `<direction><direction-type><words>${text}</words></direction-type><sound ${sound}/></direction>`
  const measure = ['C', 'D', 'E', 'F'].map((step) => quarter(step)).join('')
  const [page = ''] = await printed(partwise(scorePart(), [direction + measure, measure, measure]))
  expect(folded(page)).toContain(folded(text))
})

describe('a score that once made the engine crash is engraved', () => {
  const whole = (inside: string) => `<note>${inside}<duration>4</duration><type>whole</type></note>`
  const group = (number: number, type: string) => `<part-group number="${number}" type="${type}"/>`
  const drum = `<score-instrument id="P1-I1"><instrument-name>Côté</instrument-name></score-instrument>
    <midi-instrument id="P1-I1"><midi-channel>10</midi-channel><midi-unpitched>37</midi-unpitched></midi-instrument>`
  const struck = whole(
    '<unpitched><display-step>C</display-step><display-octave>5</display-octave></unpitched>',
  )

  test.each([
    ['an unpitched note without a position', partwise(scorePart(), [whole('<unpitched/>')])],
    ['a group of no parts', partwise(scorePart() + group(1, 'start') + group(1, 'stop'), [quarter('C')])],
    ['a drum whose name has an accent', partwise(scorePart(drum), [struck])],
  ])('with %s', async (_, bytes) => {
    const { json } = await notation.read({ bytes }, waiters)
    for (const format of ['svg', 'pdf', 'thumbnail.png'] as const)
      expect((await notation.write({ json }, format, waiters)).length).toBeGreaterThan(1000)
  })
})

test.each(['Times New Roman', 'Opus', 'Helvetica', 'Edwin', 'Leland'])(
  'prints texts in the font %s with their letters',
  async (font) => {
    const defaults = `<defaults><word-font font-family="${font}"/><lyric-font font-family="${font}"/></defaults>`
    const words = `<direction><direction-type><words font-family="${font}">Soprano box</words></direction-type></direction>`
    const [page = ''] = await printed(partwise(scorePart(), [words + quarter('C', lyric('oxbow'))], defaults))
    expect(folded(page)).toContain('Sopranobox')
    expect(folded(page)).toContain('oxbow')
  },
)

test.each([
  [
    'an untyped credit',
    '<credit page="1"><credit-words default-x="600" default-y="80">Free to copy</credit-words></credit>',
  ],
  [
    'a credit of the rights',
    '<credit page="1"><credit-type>rights</credit-type><credit-words default-x="600" default-y="80">Free to copy</credit-words></credit>',
  ],
  ['no credit', ''],
])('prints the rights once with %s', async (_, credit) => {
  const rights = '<identification><rights>Free  to copy</rights></identification>'
  const size =
    '<defaults><page-layout><page-height>1697</page-height><page-width>1200</page-width></page-layout></defaults>'
  const [page = ''] = await printed(partwise(scorePart(), [quarter('C')], rights + size + credit))
  expect(folded(page).split('Freetocopy')).toHaveLength(2)
})

test('prints a credit without a page on the first one, and the rights of a credit in place of those of the metadata', async () => {
  const before = `<identification><rights>Free to copy</rights></identification>
    <defaults><page-layout><page-height>1697</page-height><page-width>1200</page-width></page-layout></defaults>
    <credit><credit-words default-x="600" default-y="1600" justify="center">Autumn Song</credit-words></credit>
    <credit page="1"><credit-type>rights</credit-type>
      <credit-words default-x="600" default-y="80">Free to copy. Typeset by Nora.</credit-words></credit>`
  const [page = ''] = await printed(partwise(scorePart(), [quarter('C')], before))
  expect(folded(page)).toContain('AutumnSong')
  expect(folded(page)).toContain('TypesetbyNora')
  expect(folded(page).split('Freetocopy')).toHaveLength(2)
})

test('prints a metronome mark where a tempo for playback stands', async () => {
  const mark = '<metronome><beat-unit>quarter</beat-unit><per-minute>57</per-minute></metronome>'
  const tempos = `<sound tempo="58"/><direction><direction-type>${mark}</direction-type></direction>`
  const [page = ''] = await printed(partwise(scorePart(), [tempos + quarter('C')]))
  expect(folded(page)).toContain('=57')
})

test('prints letters of other scripts', async () => {
  const texts = ['荒城の月', '茉莉花', '繁體龍鳳', '아리랑', 'чёрные', 'Ζορμπάς', 'Đặng', 'שלום']
  const words = texts.map(
    (text) => `<direction><direction-type><words>${text}</words></direction-type></direction>`,
  )
  const [page = ''] = await printed(
    partwise(
      scorePart(),
      texts.map((_, index) => words[index] + quarter('C')),
    ),
  )
  // The PDF has the radicals of some letters, which look the same.
  for (const text of texts) expect(folded(page)).toContain(folded(text))
})

test('prints the roots and basses of chord symbols', async () => {
  const chord = (content: string) => `<harmony>${content}</harmony>${quarter('C')}`
  const [page = ''] = await printed(
    partwise(scorePart(), [
      chord('<root><root-step>D</root-step></root><kind text="m7">minor-seventh</kind>') +
        chord(
          '<root><root-step>C</root-step></root><kind>major</kind><bass><bass-step>E</bass-step></bass>',
        ) +
        chord('<root><root-step>B</root-step><root-alter>-1</root-alter></root><kind>dominant</kind>'),
    ]),
  )
  for (const symbol of ['Dm7', 'C/E', 'B♭7']) expect(folded(page)).toContain(symbol)
})

test('prints a voice that the file hides in its first system', async () => {
  const staff = (shown: string) => `<attributes><staff-details print-object="${shown}"/></attributes>`
  const list = `${scorePart()}<score-part id="P2"><part-name>Piano</part-name></score-part>`
  const voice = partwise(list, [staff('no') + quarter('C'), staff('yes') + quarter('C', lyric('Wenn'))])
  const piano = `<part id="P2"><measure number="1">${quarter('C')}</measure><measure number="2">${quarter('C')}</measure></part>`
  const xml = voice.toString().replace('</score-partwise>', `${piano}</score-partwise>`)
  expect((await printed(Buffer.from(xml))).join('')).toContain('Wenn')
})

describe.skipIf(!hasCorpus)(corpusTitle('real scores'), () => {
  const files = [
    ...corpusFiles('lieder-mxl').filter((_, index) => index % 3 === 0),
    ...corpusFiles('musicxml-suite').filter(({ name }) => /^(61|71)/.test(name)),
  ].slice(0, 20)

  test.each(files.map((file) => [file.name, file] as const))(
    'of %s, all texts are printed',
    { timeout: 60_000 },
    async (_, { bytes }) => {
      const { json } = await notation.read({ bytes }, waiters)
      const page = folded((await printed(bytes)).join(' '))
      const words = textsOf(json).flatMap((text) => text.split(/\s+/))
      expect(words.length).toBeGreaterThan(0)
      expect(words.filter((word) => !page.includes(folded(word)))).toEqual([])
    },
  )

  test.each(files.slice(7, 10).map((file) => [file.name, file] as const))(
    'of %s, each measure of each part is marked once with its uuid on the pages of the SVG',
    { timeout: 60_000 },
    async (_, { bytes }) => {
      const { json } = await notation.read({ bytes }, waiters)
      const marked: string[] = []
      for (let page = 1, pages = 1; page <= pages; page++) {
        const onPages = (count: number) => {
          pages = count
        }
        const svg = Buffer.from(await notation.write({ json, page, onPages }, 'svg', waiters)).toString()
        marked.push(...Array.from(svg.matchAll(/<rect id="([^"]*)" class="Measure"/g), ([, id]) => id ?? ''))
      }
      const uuids = partsOf(readJson(json))
        .flatMap(measuresOf)
        .map(({ uuid }) => uuid)
      expect(marked.toSorted()).toEqual(uuids.toSorted())
    },
  )
})

describe('breaks of the file', () => {
  /** Measures of eight syllables, three on a line and 24 on a page. */
  const hymn = (size: string) => {
    const eighths = [...'CDEFGFED'].map(
      (step) =>
        `<note><pitch><step>${step}</step><octave>4</octave></pitch><duration>1</duration><type>eighth</type>${lyric('sing')}</note>`,
    )
    const measures = Array.from({ length: 48 }, (_, index) => {
      const kind = index % 24 === 0 ? 'page' : 'system'
      return `${index > 0 && index % 3 === 0 ? `<print new-${kind}="yes"/>` : ''}${eighths.join('')}`
    })
    return partwise(scorePart(), measures, size).toString().replace('<divisions>1', '<divisions>2')
  }
  const scaled = (millimeters: number) =>
    `<defaults><scaling><millimeters>${millimeters}</millimeters><tenths>40</tenths></scaling></defaults>`
  const pagesOf = async (xml: string) => (await printed(Buffer.from(xml))).length

  test('are kept if the music fits', async () => {
    expect(await pagesOf(hymn(scaled(4)))).toBe(2)
  })

  test('are dropped if a line is too long for the engine, which would leave single measures on lines of their own', async () => {
    const plain = hymn(scaled(7)).replace(/<print[^>]*>/g, '')
    expect([await pagesOf(hymn(scaled(7))), await pagesOf(plain)]).toEqual([3, 3])
  })
})
