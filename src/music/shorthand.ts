import { instrumentOf, type ShorthandInstrument } from './shorthand-instruments.ts'
import { type Measure, measureQuarters, parseMeasures, type ShorthandNote, type Token } from './shorthand-reader.ts'

/**
 * A small score written as text, for those that are written by hand in a program: see `shorthand-reader.ts` for what a
 * voice says.
 */
export interface Shorthand {
  title: string
  subtitle?: string
  composer?: string
  arranger?: string
  /** Fifths, −7…7, of the concert key; 0 where nothing is said. */
  key?: number
  mode?: 'major' | 'minor'
  /** Such as `3/4`; `4/4` where nothing is said. */
  time?: string
  /** Quarter notes per minute. */
  tempo: number
  /** Quarter notes of an upbeat. */
  upbeat?: number
  parts: readonly ShorthandPart[]
}

export interface ShorthandPart {
  instrument: ShorthandInstrument
  /** Instead of the instrument's own. */
  name?: string
  /** From above: of each staff the text of its voice, or the texts of its voices. */
  staves: readonly (string | readonly string[])[]
  /** Syllables by white space for the notes of the first voice that begin; `_` for a note without one. */
  lyrics?: string
  /** Clefs by staff, instead of the instrument's own. */
  clefs?: readonly Clef[]
}

export type Clef = 'treble' | 'alto' | 'bass' | 'percussion'

const clefs: Record<Clef, string> = {
  treble: '<sign>G</sign><line>2</line>',
  alto: '<sign>C</sign><line>3</line>',
  bass: '<sign>F</sign><line>4</line>',
  percussion: '<sign>percussion</sign>',
}

/** Of a quarter note: enough for triplets of thirty-seconds. */
const divisions = 24

/**
 * The score as MusicXML 4.0, with the accidentals that it is printed with; beams are the reader's to set.
 * @throws Error naming part and measure where a text cannot be read or a measure is not full
 */
export function shorthandToMusicXml(score: Shorthand): string {
  const { title, subtitle, composer, arranger, parts } = score
  const credit = (type: string, text: string | undefined) =>
    text ? `<creator type="${type}">${escaped(text)}</creator>` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">
<score-partwise version="4.0">
<work><work-title>${escaped(title)}</work-title></work>
<identification>${credit('composer', composer)}${credit('arranger', arranger)}</identification>
${credits(title, subtitle, composer, arranger)}
<part-list>${parts.map(scorePart).join('\n')}</part-list>
${parts.map((part, index) => writePart(score, part, index)).join('\n')}
</score-partwise>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** What stands above the first system, on a page of the size that readers take where none is given. */
function credits(...texts: (string | undefined)[]): string {
  const [title, subtitle, ...credited] = texts
  // In one credit: engines lay two in the same corner over each other.
  const by = credited.filter(Boolean).join('\n')
  const words = (type: string, text: string | undefined, place: string) =>
    text
      ? `<credit page="1"><credit-type>${type}</credit-type><credit-words ${place}>${escaped(text)}</credit-words></credit>`
      : ''
  return (
    `<defaults><scaling><millimeters>7</millimeters><tenths>40</tenths></scaling><page-layout>
<page-height>1697.14</page-height><page-width>1200</page-width><page-margins type="both"><left-margin>85.71</left-margin>
<right-margin>85.71</right-margin><top-margin>85.71</top-margin><bottom-margin>85.71</bottom-margin></page-margins>
</page-layout></defaults>` +
    words('title', title, 'default-x="600" default-y="1611" justify="center" valign="top" font-size="22"') +
    words('subtitle', subtitle, 'default-x="600" default-y="1550" justify="center" valign="top" font-size="14"') +
    words('composer', by, 'default-x="1114" default-y="1500" justify="right" valign="bottom" font-size="10"')
  )
}

function scorePart({ instrument, name }: ShorthandPart, index: number): string {
  const { name: usual, abbreviation, sound, program, unpitched } = instrumentOf(instrument)
  const id = `P${index + 1}`
  const channel = unpitched ? 10 : index < 9 ? index + 1 : index + 2
  return `<score-part id="${id}"><part-name>${escaped(name ?? usual)}</part-name>
<part-abbreviation>${escaped(name ? '' : abbreviation)}</part-abbreviation>
<score-instrument id="${id}-I1"><instrument-name>${escaped(usual)}</instrument-name>
<instrument-sound>${sound}</instrument-sound></score-instrument>
<midi-instrument id="${id}-I1"><midi-channel>${channel}</midi-channel><midi-program>${program}</midi-program>
${unpitched ? `<midi-unpitched>${unpitched}</midi-unpitched>` : ''}</midi-instrument></score-part>`
}

/** One voice of a part, and which staff it is in. */
interface Voice {
  staff: number
  number: number
  measures: Measure[]
  syllables: string[]
}

function writePart(score: Shorthand, part: ShorthandPart, index: number): string {
  const voices: Voice[] = part.staves.flatMap((staff, s) =>
    (typeof staff === 'string' ? [staff] : staff).map((text, v) => ({
      staff: s + 1,
      number: s * 4 + v + 1,
      measures: parseMeasures(text),
      syllables: s === 0 && v === 0 ? (part.lyrics?.split(/\s+/).filter(Boolean) ?? []) : [],
    })),
  )
  const count = Math.max(...voices.map(({ measures }) => measures.length))
  const writer = new PartWriter(score, part, voices)
  const measures = Array.from({ length: count }, (_, at) => writer.measure(at, at === count - 1))
  return `<part id="P${index + 1}">\n${measures.join('\n')}\n</part>`
}

/** Writes the measures of a part one after another, keeping the key, the time and what lyrics are left. */
class PartWriter {
  private readonly score: Shorthand
  private readonly part: ShorthandPart
  private readonly voices: readonly Voice[]
  private readonly isFirst: boolean
  private key: number
  private time: string
  private readonly syllablesLeft: Map<Voice, string[]>

  constructor(score: Shorthand, part: ShorthandPart, voices: readonly Voice[]) {
    this.isFirst = score.parts[0] === part
    this.score = score
    this.part = part
    this.voices = voices
    this.key = score.key ?? 0
    this.time = score.time ?? '4/4'
    this.syllablesLeft = new Map(voices.map((voice) => [voice, [...voice.syllables]]))
  }

  measure(at: number, isLast: boolean): string {
    const [first] = this.voices
    const here = first?.measures[at]
    if (!here) throw new Error(this.where(at, 'is missing in the first voice'))
    const changes = {
      key: here.key !== undefined && here.key !== this.key,
      time: here.time !== undefined && here.time !== this.time,
    }
    this.key = here.key ?? this.key
    this.time = here.time ?? this.time
    const isUpbeat = at === 0 && this.score.upbeat !== undefined
    const quarters = isUpbeat ? (this.score.upbeat ?? 0) : measureQuarters(this.time)
    const written = this.voices.map((voice) => this.voice(voice, at, quarters))
    const back = `<backup><duration>${quarters * divisions}</duration></backup>`
    const print = here.newLine ? '<print new-system="yes"/>' : ''
    return `<measure number="${this.score.upbeat === undefined ? at + 1 : at}"${isUpbeat ? ' implicit="yes"' : ''}>
${print}${leftBar(here)}${at === 0 ? this.firstAttributes() : this.attributes(changes)}${at === 0 && this.isFirst ? this.tempo() : ''}
${written.join(back)}${rightBar(here, isLast)}</measure>`
  }

  private where(at: number, what: string): string {
    return `${this.score.title}, ${this.part.instrument}, measure ${at + 1} ${what}`
  }

  private writtenKey(): number {
    const { transpose } = instrumentOf(this.part.instrument)
    return this.key + (transpose?.fifths ?? 0)
  }

  private firstAttributes(): string {
    const { clefs: usual, transpose, unpitched } = instrumentOf(this.part.instrument)
    const staves = this.part.staves.length
    const signs = Array.from({ length: staves }, (_, staff) => {
      const clef = (this.part.clefs ?? usual)[staff] ?? 'treble'
      return `<clef${staves > 1 ? ` number="${staff + 1}"` : ''}>${clefs[clef]}</clef>`
    })
    const transposed = transpose
      ? `<transpose><diatonic>${transpose.diatonic}</diatonic><chromatic>${transpose.chromatic}</chromatic></transpose>`
      : ''
    const lines = unpitched ? '<staff-details><staff-lines>1</staff-lines></staff-details>' : ''
    return `<attributes><divisions>${divisions}</divisions>${this.keyAndTime({ key: true, time: true })}${
      staves > 1 ? `<staves>${staves}</staves>` : ''
    }${signs.join('')}${lines}${transposed}</attributes>`
  }

  private attributes(changes: { key: boolean; time: boolean }): string {
    return changes.key || changes.time ? `<attributes>${this.keyAndTime(changes)}</attributes>` : ''
  }

  private keyAndTime({ key, time }: { key: boolean; time: boolean }): string {
    const [beats, beatType] = this.time.split('/')
    const mode = this.score.mode ? `<mode>${this.score.mode}</mode>` : ''
    return (
      (key ? `<key><fifths>${this.writtenKey()}</fifths>${mode}</key>` : '') +
      (time ? `<time><beats>${beats}</beats><beat-type>${beatType}</beat-type></time>` : '')
    )
  }

  private tempo(): string {
    const { tempo } = this.score
    return `<direction placement="above"><direction-type><metronome><beat-unit>quarter</beat-unit><per-minute>${tempo}</per-minute>
</metronome></direction-type><sound tempo="${tempo}"/></direction>`
  }

  private voice(voice: Voice, at: number, quarters: number): string {
    const { tokens } = voice.measures[at] ?? { tokens: [{ kind: 'measure-rest' as const }] }
    const accidentals = new Accidentals(this.writtenKey())
    let length = 0
    const written = tokens.map((token) => {
      if (token.kind === 'note') length += token.note.inChord ? 0 : token.note.quarters
      if (token.kind === 'measure-rest') length += quarters
      return this.token(token, voice, quarters, accidentals)
    })
    if (Math.abs(length - quarters) > 1e-9)
      throw new Error(this.where(at, `has ${length} quarter notes, not ${quarters}`))
    return written.join('')
  }

  private token(token: Token, voice: Voice, quarters: number, accidentals: Accidentals): string {
    const staff = this.part.staves.length > 1 ? `<staff>${voice.staff}</staff>` : ''
    const direction = (type: string, placement: string) =>
      `<direction placement="${placement}"><direction-type>${type}</direction-type>${staff}</direction>`
    switch (token.kind) {
      case 'measure-rest':
        return `<note><rest measure="yes"/><duration>${quarters * divisions}</duration><voice>${voice.number}</voice>${staff}</note>`
      case 'dynamic':
        return direction(`<dynamics><${token.text}/></dynamics>`, 'below')
      case 'words':
        return direction(`<words>${escaped(token.text)}</words>`, 'above')
      case 'note':
        return this.note(token.note, voice, staff, accidentals)
    }
  }

  private note(note: ShorthandNote, voice: Voice, staff: string, accidentals: Accidentals): string {
    const { pitch, type, dots, triplet, quarters } = note
    const begins = pitch !== undefined && !note.tieStop && !note.inChord
    const syllable = begins ? this.syllablesLeft.get(voice)?.shift() : undefined
    const tied = (what: string) =>
      (note.tieStop ? `<${what} type="stop"/>` : '') + (note.tieStart ? `<${what} type="start"/>` : '')
    const articulations = (note.staccato ? '<staccato/>' : '') + (note.accent ? '<accent/>' : '')
    const notations =
      tied('tied') +
      (note.slurStop ? '<slur type="stop"/>' : '') +
      (note.slurStart ? '<slur type="start"/>' : '') +
      (triplet === 'start' || triplet === 'stop' ? `<tuplet type="${triplet}"/>` : '') +
      (articulations ? `<articulations>${articulations}</articulations>` : '') +
      (note.fermata ? '<fermata type="upright"/>' : '')
    return `<note>${note.inChord ? '<chord/>' : ''}${written(pitch)}<duration>${Math.round(quarters * divisions)}</duration>${tied(
      'tie',
    )}<voice>${voice.number}</voice><type>${type}</type>${'<dot/>'.repeat(dots)}${
      typeof pitch === 'object' && !note.tieStop ? accidentals.of(pitch) : ''
    }${
      triplet
        ? '<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes></time-modification>'
        : ''
    }${pitch === 'unpitched' ? '<stem>up</stem>' : ''}${staff}${notations ? `<notations>${notations}</notations>` : ''}${lyric(syllable)}</note>\n`
  }
}

function written(pitch: ShorthandNote['pitch']): string {
  if (pitch === undefined) return '<rest/>'
  if (pitch === 'unpitched') {
    return '<unpitched><display-step>E</display-step><display-octave>4</display-octave></unpitched>'
  }
  const { step, alter, octave } = pitch
  return `<pitch><step>${step}</step>${alter ? `<alter>${alter}</alter>` : ''}<octave>${octave}</octave></pitch>`
}

/** `Ro-` begins a word or goes on with it, `ses` ends one. */
function lyric(syllable: string | undefined): string {
  if (!syllable || syllable === '_') return ''
  const [starts, ends] = [syllable.startsWith('-'), syllable.endsWith('-')]
  const syllabic = starts ? (ends ? 'middle' : 'end') : ends ? 'begin' : 'single'
  return `<lyric><syllabic>${syllabic}</syllabic><text>${escaped(syllable.replace(/^-|-$/g, ''))}</text></lyric>`
}

function leftBar({ repeatsFrom }: Measure): string {
  return repeatsFrom
    ? '<barline location="left"><bar-style>heavy-light</bar-style><repeat direction="forward"/></barline>'
    : ''
}

function rightBar({ repeatsTo, isDouble }: Measure, isLast: boolean): string {
  const style = repeatsTo || isLast ? 'light-heavy' : isDouble ? 'light-light' : undefined
  if (!style) return ''
  const repeat = repeatsTo ? '<repeat direction="backward"/>' : ''
  return `<barline location="right"><bar-style>${style}</bar-style>${repeat}</barline>`
}

const signs: Record<number, string> = { [-2]: 'flat-flat', [-1]: 'flat', 0: 'natural', 1: 'sharp', 2: 'double-sharp' }

/** Which accidentals a measure has had: what is as the key or an accidental before it says needs none. */
class Accidentals {
  private readonly fifths: number
  private readonly said = new Map<string, number>()

  constructor(fifths: number) {
    this.fifths = fifths
  }

  of({ step, alter, octave }: Exclude<ShorthandNote['pitch'], undefined | 'unpitched'>): string {
    const place = step + octave
    if ((this.said.get(place) ?? this.inKey(step)) === alter) return ''
    this.said.set(place, alter)
    return `<accidental>${signs[alter]}</accidental>`
  }

  private inKey(step: string): number {
    const sharps = 'FCGDAEB'
    const place = sharps.indexOf(step)
    if (this.fifths > 0) return place < this.fifths ? 1 : 0
    return 6 - place < -this.fifths ? -1 : 0
  }
}
