import { describe, expect, it } from 'vitest'
import { factsOf, type ScoreFacts } from './facts.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'

const note = '<note><pitch><step>C</step><octave>4</octave></pitch><duration>4</duration></note>'
const key = (fifths: number, inside = '') =>
  `<attributes><key><fifths>${fifths}</fifths></key>${inside}</attributes>`
const soundTempo = (qpm: number) => `<sound tempo="${qpm}"/>`

/** The facts of a score with one or more parts, each given as the content of its measures. */
function facts(parts: string[][], head = '', names: string[] = []): ScoreFacts {
  const list = parts.map((_, index) => {
    return `<score-part id="P${index}"><part-name>${names[index] ?? ''}</part-name></score-part>`
  })
  const bodies = parts.map((measures, index) => {
    const inside = measures.map((measure, number) => `<measure number="${number + 1}">${measure}</measure>`)
    return `<part id="P${index}">${inside.join('')}</part>`
  })
  const xml = `<score-partwise>${head}<part-list>${list.join('')}</part-list>${bodies.join('')}</score-partwise>`
  return factsOf(readMusicXml(Buffer.from(xml)))
}

const credits = (head: string) => facts([[note]], head)

describe('title and subtitle', () => {
  it('are the work and the movement', () => {
    const head = '<work><work-title>Six Songs</work-title></work><movement-title>Evening</movement-title>'
    expect(credits(head)).toMatchObject({ title: 'Six Songs', subtitle: 'Evening' })
  })

  it('are not the same text', () => {
    const head = '<work><work-title>Evening</work-title></work><movement-title>Evening</movement-title>'
    expect(credits(head)).toMatchObject({ title: 'Evening', subtitle: undefined })
  })

  it('use the movement as the title if no work is named', () => {
    const head = '<work><work-title> </work-title></work><movement-title>Evening</movement-title>'
    expect(credits(head)).toMatchObject({ title: 'Evening', subtitle: undefined })
  })

  it('come from credits by their type', () => {
    const head = `<credit page="1"><credit-type>subtitle</credit-type><credit-words>for two</credit-words></credit>
      <credit page="1"><credit-type>title</credit-type><credit-words>Even</credit-words><credit-words>ing</credit-words></credit>`
    expect(credits(head)).toMatchObject({ title: 'Even ing', subtitle: 'for two' })
  })

  it('come from the largest centred words of the first page if no credit has a type', () => {
    const words = (text: string, size: number, justify: string, page = 1) =>
      `<credit page="${page}"><credit-words font-size="${size}" justify="${justify}">${text}</credit-words></credit>`
    const head =
      words('for two', 14, 'center') +
      words('Evening', 22, 'center') +
      words('Anon.', 30, 'right') +
      words('Appendix', 40, 'center', 2)
    expect(credits(head).title).toBe('Evening')
  })

  it('are one line of at most 1,000 characters, cut between characters', () => {
    const long = '𝄞'.repeat(1_200)
    expect(credits(`<movement-title>\n  Evening\n  song </movement-title>`).title).toBe('Evening song')
    expect(credits(`<movement-title>${long}</movement-title>`).title).toBe('𝄞'.repeat(1_000))
  })

  it('are undefined if the score has none', () => {
    expect(credits('')).toMatchObject({ title: undefined, subtitle: undefined, composer: undefined })
  })
})

describe('the creators', () => {
  const creators = (...list: [type: string, name: string][]) => {
    const inside = list.map(([type, name]) => `<creator${type && ` type="${type}"`}>${name}</creator>`)
    return credits(`<identification>${inside.join('')}</identification>`)
  }

  it('are recognized by their type in any spelling', () => {
    expect(
      creators(['Composer', 'Ada'], ['poet', 'Ben'], ['Arranger', 'Cleo'], ['translator', 'Dan']),
    ).toMatchObject({
      composer: 'Ada',
      lyricist: 'Ben',
      arranger: 'Cleo',
    })
  })

  it('are joined without duplicates', () => {
    expect(creators(['composer', 'Ada'], ['composer', 'Ben'], ['composer', 'Ada']).composer).toBe('Ada, Ben')
  })

  it('of the standard type have priority over those of a type with the same meaning', () => {
    expect(creators(['poet', 'after a poem by Ben'], ['lyricist', 'Ben']).lyricist).toBe('Ben')
  })

  it('without a type are composers', () => {
    expect(creators(['', 'Ada']).composer).toBe('Ada')
  })

  it('come from credits if the identification has none', () => {
    const head = '<credit><credit-type>arranger</credit-type><credit-words>arr. Cleo</credit-words></credit>'
    expect(credits(head).arranger).toBe('arr. Cleo')
  })
})

describe('the instruments', () => {
  it('are one for each part, in the order of the parts', () => {
    expect(facts([[note], [note], [note]], '', ['Flute', 'Piano', 'Flute']).instruments).toEqual([
      'woodwinds.flute',
      'keyboards.piano',
      'woodwinds.flute',
    ])
  })
})

describe('the number of measures', () => {
  it('is that of the longest part', () => {
    expect(facts([[note], [note, note, note]]).numberMeasures).toBe(3)
  })
})

describe('the main tempo', () => {
  it('is the one that lasts longest in all its sections together', () => {
    const measures = [
      soundTempo(60) + note,
      soundTempo(90) + note,
      note,
      note,
      soundTempo(60) + note,
      note,
      note,
    ]
    expect(facts([measures]).mainTempoQpm).toBe(60)
  })

  it('is the first of equally long ones', () => {
    expect(facts([[soundTempo(90) + note, soundTempo(60) + note]]).mainTempoQpm).toBe(90)
  })

  it('is measured in quarters, not in measures', () => {
    expect(facts([[soundTempo(60) + note.repeat(3), soundTempo(90) + note, note]]).mainTempoQpm).toBe(60)
  })

  it('may be set in any part and in the middle of a measure', () => {
    const upper = [soundTempo(60) + note + note, note]
    const lower = [`${note}<direction><direction-type/>${soundTempo(90)}</direction>${note}`, note]
    expect(facts([upper, lower]).mainTempoQpm).toBe(90)
  })

  const metronome = (unit: string, perMinute: string) =>
    `<direction-type><metronome><beat-unit>${unit}</beat-unit>${perMinute}</metronome></direction-type>`

  it.each([
    ['half', '<per-minute>60</per-minute>', 120],
    ['quarter', '<beat-unit-dot/><per-minute>60</per-minute>', 90],
    ['eighth', '<beat-unit-dot/><beat-unit-dot/><per-minute>80</per-minute>', 70],
    ['quarter', '<per-minute>ca. 72–80</per-minute>', 76],
    ['quarter', '<per-minute>62,5</per-minute>', 62.5],
    ['quarter', '<per-minute>as you like</per-minute>', undefined],
    ['quarter', '<beat-unit>eighth</beat-unit>', undefined],
  ])('reads a metronome mark of a %s with %s', (unit, perMinute, qpm) => {
    expect(facts([[`<direction>${metronome(unit, perMinute)}</direction>${note}`]]).mainTempoQpm).toBe(qpm)
  })

  it('prefers a sound to a metronome mark in the same direction or at the same place in another part', () => {
    const mark = metronome('quarter', '<per-minute>60</per-minute>')
    expect(facts([[`<direction>${mark}${soundTempo(63)}</direction>${note}`]]).mainTempoQpm).toBe(63)
    expect(facts([[soundTempo(63) + note], [`<direction>${mark}</direction>${note}`]]).mainTempoQpm).toBe(63)
  })

  it('is the later of two at one place', () => {
    expect(facts([[soundTempo(60) + soundTempo(90) + note]]).mainTempoQpm).toBe(90)
  })

  it('is undefined if the score has no tempo', () => {
    expect(facts([[note]]).mainTempoQpm).toBeUndefined()
    expect(facts([[`<sound dynamics="71"/>${note}`]]).mainTempoQpm).toBeUndefined()
  })
})

describe('the main key', () => {
  it('is the one that lasts longest, the first of equally long ones', () => {
    expect(facts([[key(2) + note, key(-1) + note, note]]).mainKeySignature).toBe(-1)
    expect(facts([[key(2) + note, key(-1) + note]]).mainKeySignature).toBe(2)
  })

  it.each([
    ['a clarinet in B♭', 2, '<diatonic>-1</diatonic><chromatic>-2</chromatic>', 0],
    ['a horn in F', 1, '<diatonic>-4</diatonic><chromatic>-7</chromatic>', 0],
    ['an alto saxophone', 0, '<diatonic>-5</diatonic><chromatic>-9</chromatic>', -3],
    ['a clarinet in A without diatonic', 0, '<chromatic>-3</chromatic>', 3],
    ['an octave', 4, '<diatonic>0</diatonic><chromatic>0</chromatic><octave-change>-1</octave-change>', 4],
    ['a piccolo clarinet in E♭ in B major', 5, '<diatonic>2</diatonic><chromatic>3</chromatic>', 2],
    ['a trumpet in D in seven sharps', 7, '<diatonic>1</diatonic><chromatic>2</chromatic>', -3],
  ])('is in concert pitch for %s', (_instrument, fifths, transpose, concert) => {
    expect(facts([[key(fifths, `<transpose>${transpose}</transpose>`) + note]]).mainKeySignature).toBe(
      concert,
    )
  })

  it('is that of most parts if parts differ, without unpitched parts', () => {
    const parts = [[key(0) + note.repeat(9)], [key(3) + note], [key(3) + note], [key(0) + note]]
    expect(facts(parts, '', ['Drumset', 'Flute', 'Oboe', 'Timpani']).mainKeySignature).toBe(3)
  })

  it('is that of the upper staff if staves differ', () => {
    const staves = '<key number="2"><fifths>3</fifths></key>'
    expect(
      facts([[`<attributes>${staves}<key number="1"><fifths>1</fifths></key></attributes>${note}`]]),
    ).toMatchObject({
      mainKeySignature: 1,
    })
  })

  it('is undefined if no key is on the circle of fifths', () => {
    const free = '<attributes><key><key-step>F</key-step><key-alter>1</key-alter></key></attributes>'
    expect(facts([[note]]).mainKeySignature).toBeUndefined()
    expect(facts([[free + note]]).mainKeySignature).toBeUndefined()
  })
})

describe('the note count', () => {
  it('counts the notes of chords, but neither rests nor cues', () => {
    const rest = '<note><rest/><duration>1</duration></note>'
    const chord = note.replace('<note>', '<note><chord/>')
    const cue = note.replace('<note>', '<note><cue/>')
    expect(facts([[note + chord + rest, note + cue]]).noteCount).toBe(3)
  })
})
