import { describe, expect, it } from 'vitest'
import { corpusFiles, corpusMissing, hasCorpus } from '../../../../test/support/corpus.ts'
import { readMusicXml } from '../../formats/musicxml/read.ts'
import { readMxl } from '../../formats/mxl/read.ts'
import { child, childrenNamed, childText, type Element } from '../document.ts'
import { leaf, node } from '../element.ts'
import { recognizeInstrument } from './recognition.ts'
import { instrumentKey } from './table.ts'

/** What a person would call the parts with these names. Line breaks in a name are spaces here. */
const named: Readonly<Record<string, string>> = {
  Alto: 'vocals.alto',
  'B♭ Trumpet': 'brass.trumpet',
  Banjo: 'plucked-strings.banjo',
  Bass: 'vocals.bass',
  'Bass Clarinet': 'woodwinds.bass-clarinet',
  'Bass Guitar': 'plucked-strings.bass-guitar',
  'Bassoon 1': 'woodwinds.bassoon',
  'Bassoon 2': 'woodwinds.bassoon',
  Cello: 'strings.cello',
  'Chant Voice': 'vocals.voice-oohs',
  'Clarinet in A': 'woodwinds.clarinet-in-a',
  'Clarinet in Bb': 'woodwinds.clarinet',
  'Clarinet in Bb 1': 'woodwinds.clarinet',
  'Clarinet in Bb 2': 'woodwinds.clarinet',
  'Clarinet in Eb': 'woodwinds.clarinet-in-e-flat',
  Contrabass: 'strings.contrabass',
  Contrabassoon: 'woodwinds.contrabassoon',
  Cymbals: 'unpitched-percussion.cymbals',
  'English Horn': 'woodwinds.english-horn',
  'Flute 1': 'woodwinds.flute',
  'Flute 2': 'woodwinds.flute',
  'Gesang Voice': 'vocals.voice-oohs',
  Guitar: 'plucked-strings.acoustic-guitar',
  Harp: 'plucked-strings.harp',
  'Horn in Eb': 'brass.horn-in-e-flat',
  'Horn in F': 'brass.horn',
  'Horn in F 1': 'brass.horn',
  'Horn in F 2': 'brass.horn',
  Lute: 'plucked-strings.lute',
  // The name of a role. Its sound is a voice.
  Mignon: 'vocals.voice-oohs',
  Oboe: 'woodwinds.oboe',
  Percussion: 'unpitched-percussion.percussion',
  Piano: 'keyboards.piano',
  'Piano (For practice only)': 'keyboards.piano',
  Pianoforte: 'keyboards.piano',
  Piccolo: 'woodwinds.piccolo',
  'Piccolo Trumpet in A': 'brass.piccolo-trumpet',
  Singstimme: 'vocals.voice-oohs',
  'Singstimme Voice': 'vocals.voice-oohs',
  Soprano: 'vocals.soprano',
  'Stimme Voice': 'vocals.voice-oohs',
  Tenor: 'vocals.tenor',
  Timpani: 'pitched-percussion.timpani',
  Traverso: 'woodwinds.flute',
  Triangle: 'unpitched-percussion.triangle',
  Trombone: 'brass.trombone',
  'Trombone 1': 'brass.trombone',
  'Trombone 2': 'brass.trombone',
  'Trumpet in Bb': 'brass.trumpet',
  'Trumpet in C': 'brass.trumpet-in-c',
  'Trumpet in C 1': 'brass.trumpet-in-c',
  'Trumpet in C 2': 'brass.trumpet-in-c',
  'Trumpet in D': 'brass.trumpet-in-d',
  Tuba: 'brass.tuba',
  Ukulele: 'plucked-strings.ukulele',
  Viola: 'strings.viola',
  'Violin I': 'strings.violin',
  'Violin II': 'strings.violin',
  Violoncello: 'strings.cello',
  Voice: 'vocals.voice-oohs',
}

/** Names that say nothing. Parts without other evidence are pianos. */
const nameless =
  /^(?:|P\d+|Part \d|MusicXML Part|Part name|Long Staff Name|Staff "Test"|displayed c'=fis''')$/

/** The names of parts in files of other formats, with the MIDI program (1–128) and channel if the file has them. */
const elsewhere: [name: string, key: string, program?: number, channel?: number][] = [
  // Guitar Pro
  ['A', 'plucked-strings.acoustic-guitar', 26],
  ['Gb', 'plucked-strings.acoustic-guitar', 26],
  ['Acoustic Piano', 'keyboards.piano', 1],
  ['Anette voice', 'vocals.voice-oohs', 74],
  ['Bass 4 Strings', 'plucked-strings.bass-guitar', 34],
  ['Bass 6 String', 'plucked-strings.bass-guitar', 34],
  ['Choirs', 'vocals.choir', 53],
  ['Clean Guitar', 'plucked-strings.electric-guitar', 28],
  ['Drumkit', 'unpitched-percussion.drumset-rock', 1, 10],
  ['Dulcimer', 'traditional.hammered-dulcimer', 16],
  ['Electric Guitar (Distortion)', 'plucked-strings.electric-guitar', 31],
  ['Emppu(Disto)', 'plucked-strings.electric-guitar', 31],
  ['Guitar 1', 'plucked-strings.electric-guitar', 31],
  ['Jukka', 'unpitched-percussion.drumset-rock', 1, 10],
  ['Lead', 'plucked-strings.acoustic-guitar', 26],
  ['Marco', 'plucked-strings.bass-guitar', 35],
  ['Overdriven Guitar', 'plucked-strings.electric-guitar', 30],
  ['Pipe', 'woodwinds.piccolo', 73],
  ['Spur 1', 'plucked-strings.acoustic-guitar', 26],
  ['Steel Guitar', 'plucked-strings.acoustic-guitar', 26],
  ['Strings ensemble', 'strings.string-ensemble', 50],
  ['Timpani/Brass', 'pitched-percussion.timpani', 48],
  ['Track 1', 'plucked-strings.acoustic-guitar', 26],
  ['Tuomas', 'keyboards.piano', 1],
  ['Vocals 2', 'vocals.voice-oohs', 81],
  // MIDI
  ['2 Bassoons', 'woodwinds.bassoon', 71],
  ['2 Clarinets in A', 'woodwinds.clarinet-in-a', 72],
  ['2 Horns in E', 'brass.horn-in-e', 61],
  ['2 Trumpets in D', 'brass.trumpet-in-d', 57],
  ['A Clarinet', 'woodwinds.clarinet-in-a', 72],
  ['Basses', 'strings.contrabass', 49],
  ['B♭ Bass Clarinet', 'woodwinds.bass-clarinet', 72],
  ['C Trumpet', 'brass.trumpet-in-c', 57],
  ['Cellos', 'strings.cello', 49],
  ['Cymbal', 'unpitched-percussion.cymbals', 49, 10],
  ['Fuga 1', 'keyboards.piano', 1],
  ['Piano left', 'keyboards.piano', 1],
  ['Timpani in A-E', 'pitched-percussion.timpani', 48],
  ['Violas', 'strings.viola', 49],
  ['Violins 1', 'strings.violin', 49],
  // MEI and Humdrum
  ['Dritter Bass', 'vocals.bass'],
  ['Erster Tenor', 'vocals.tenor'],
  ['Violino II', 'strings.violin'],
  ['Violone', 'strings.violone'],
  ['soprn', 'vocals.soprano'],
]

/** The `score-part` elements of a file. */
async function scorePartsOf(name: string, bytes: Uint8Array): Promise<Element[]> {
  if (name.endsWith('.mscx')) return partsOfMuseScore(bytes)
  const { root } = readMusicXml(name.endsWith('.mxl') ? await readMxl(bytes) : bytes)
  return childrenNamed(child(root, 'part-list') ?? root, 'score-part')
}

/** The parts of a MuseScore file as its export to MusicXML would name them. */
function partsOfMuseScore(bytes: Uint8Array): Element[] {
  const parts = new TextDecoder().decode(bytes).match(/<Part[ >][\s\S]*?<\/Part>/g) ?? []
  return parts.map((part) => {
    const text = (tag: string) => new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(part)?.[1] ?? ''
    const program = Number(/<program value="(\d+)"/.exec(part)?.[1]) + 1
    return node('score-part', [
      leaf('part-name', text('longName') || text('trackName')),
      node('score-instrument', [
        leaf('instrument-name', text('trackName')),
        leaf('instrument-sound', text('instrumentId')),
      ]),
      node('midi-instrument', [leaf('midi-program', program)]),
    ])
  })
}

const nameOf = (scorePart: Element) => (childText(scorePart, 'part-name') ?? '').replace(/\s+/g, ' ').trim()

describe('the parts of real scores', () => {
  it.for([
    ['lieder-mxl', 75],
    ['mscx', 12],
    ['musicxml-suite', 230],
  ] as const)('in %s have the instruments that a person would name', async ([folder, expected], ctx) => {
    if (!hasCorpus) ctx.skip(corpusMissing)
    const mistaken: string[] = []
    let parts = 0
    for (const { name: file, bytes } of corpusFiles(folder)) {
      // One file of the suite is not well-formed.
      if (file === '32ad-Notations5.musicxml') continue
      for (const scorePart of await scorePartsOf(file, bytes)) {
        parts++
        const name = nameOf(scorePart)
        const key = instrumentKey(recognizeInstrument(scorePart))
        const right = nameless.test(name) ? 'keyboards.piano' : named[name]
        if (key !== right) mistaken.push(`${file}: ${name} is ${key}`)
      }
    }
    expect(mistaken).toEqual([])
    expect(parts).toBeGreaterThanOrEqual(expected)
  })

  it.each(elsewhere)('named %s are %s', (name, key, program, channel) => {
    const midi = node('midi-instrument', [])
    if (channel !== undefined) midi.children.push(leaf('midi-channel', channel))
    if (program !== undefined) midi.children.push(leaf('midi-program', program))
    expect(instrumentKey(recognizeInstrument(node('score-part', [leaf('part-name', name), midi])))).toBe(key)
  })
})
