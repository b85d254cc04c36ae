import type { Element } from '../model/document.ts'
import { FORTE_VELOCITY } from '../model/dynamic-levels.ts'
import { leaf, node } from '../model/element.ts'
import { drumAt } from './drum-map.ts'
import { QUARTER } from './measures.ts'
import { instrumentId } from './score-part.ts'
import type { createSpeller, Spelling } from './spelling.ts'
import type { PlacedNote, VoiceChord } from './staff-note.ts'
import type { WrittenSymbol } from './symbols.ts'
import { trillElements } from './trills.ts'

/** How the notes of a part are written. */
export interface NoteStyle {
  /** Units of a division. */
  readonly unit: number
  readonly hasStaves: boolean
  readonly part: number
  readonly isPercussion: boolean
  /** From written to sounding pitch. */
  readonly semitones: number
  readonly speller: ReturnType<typeof createSpeller>
  /** The key a semitone away to which a note moves in its voice, if there is one. */
  resolutionOf(note: PlacedNote): number | undefined
}

/** The voice and staff of a note. */
interface NotePlace extends NoteStyle {
  readonly number: number
  readonly staff: number
}

type TupletPlace = 'start' | 'stop' | 'inside' | undefined

/** A symbol of a chord, which can have several that are tied. */
export interface ChordPiece {
  readonly symbol: WrittenSymbol
  readonly chord: VoiceChord
  readonly isStart: boolean
  readonly isEnd: boolean
  readonly tuplet: TupletPlace
  /** The units of the note before it in its voice, 0 after a rest, undefined at the beginning of the voice. */
  readonly previous: number | undefined
}

/** The percentage of a note that a grace note takes at most. */
const MOST_STOLEN = 90

/** The spelling of a note is the same in all symbols of its chord. */
const spellings = new WeakMap<PlacedNote, Spelling>()

export function restElement(
  symbol: WrittenSymbol,
  place: NotePlace,
  tuplet: TupletPlace,
  isMeasure: boolean,
): Element {
  const notations = tupletNotations(tuplet)
  return node('note', [
    node('rest', [], isMeasure ? { measure: 'yes' } : {}),
    leaf('duration', symbol.duration / place.unit),
    leaf('voice', place.number),
    ...valueElements(symbol),
    ...(place.hasStaves ? [leaf('staff', place.staff)] : []),
    ...(notations.length > 0 ? [node('notations', notations)] : []),
  ])
}

/** The notes of a chord for one symbol, with the grace notes before it. */
export function chordElements(written: ChordPiece, place: NotePlace): Element[] {
  const { chord, isStart, previous } = written
  const notes = chord.notes.toSorted((a, b) => a.key - b.key)
  const elements = isStart
    ? notes.flatMap((note) => (note.grace ? [graceElement(note, note.grace, previous, place)] : []))
    : []
  const struck = new Set<number>()
  const lyric = notes.findLast((note) => note.lyric)
  const trill = notes.findLast(({ trillKey }) => trillKey !== undefined)
  for (const [index, note] of notes.entries()) {
    const isUnison = struck.has(note.key)
    if (isUnison && !isStart) continue
    struck.add(note.key)
    elements.push(noteElement(note, index, written, place, { isUnison, lyric, trill }))
  }
  return elements
}

interface ChordSigns {
  /** The same key was struck twice: the second note sounds and is not printed. */
  readonly isUnison: boolean
  readonly lyric: PlacedNote | undefined
  readonly trill: PlacedNote | undefined
}

function noteElement(
  note: PlacedNote,
  index: number,
  { symbol, chord, isStart, isEnd, tuplet }: ChordPiece,
  place: NotePlace,
  { isUnison, lyric, trill }: ChordSigns,
): Element {
  const ties = isUnison ? [] : [...(isStart ? [] : ['stop']), ...(isEnd ? [] : ['start'])]
  const notations = [
    ...ties.map((type) => node('tied', [], { type })),
    ...(index === 0 ? tupletNotations(tuplet) : []),
    ...(index === 0 && isStart && trill
      ? [node('ornaments', trillElements(trill, spellingOf(trill, place), place.semitones, place.speller))]
      : []),
    ...(index === 0 && isStart && chord.isStaccato && isEnd
      ? [node('articulations', [node('staccato', [])])]
      : []),
  ]
  const attributes: Record<string, string> = {
    dynamics: String(Number(((note.velocity * 100) / FORTE_VELOCITY).toFixed(2))),
    ...(isUnison ? { 'print-object': 'no' } : {}),
  }
  return node(
    'note',
    [
      ...(index > 0 ? [node('chord', [])] : []),
      pitchElement(note, place),
      leaf('duration', symbol.duration / place.unit),
      ...ties.map((type) => node('tie', [], { type })),
      ...(place.isPercussion ? [node('instrument', [], { id: instrumentId(place.part, note.key) })] : []),
      leaf('voice', place.number),
      ...valueElements(symbol),
      ...noteheadElements(note, place),
      ...(place.hasStaves ? [leaf('staff', place.staff)] : []),
      ...(notations.length > 0 && !isUnison ? [node('notations', notations)] : []),
      ...(index === 0 && isStart && lyric?.lyric
        ? [
            node('lyric', [leaf('syllabic', lyric.lyric.syllabic), leaf('text', lyric.lyric.text)], {
              number: '1',
            }),
          ]
        : []),
    ],
    attributes,
  )
}

/** A grace note that sounds before the beat, as it was played, if it can take its time from the note before it. */
function graceElement(
  note: PlacedNote,
  grace: NonNullable<PlacedNote['grace']>,
  previous: number | undefined,
  place: NotePlace,
): Element {
  const share = Math.min(MOST_STOLEN, (100 * grace.distance) / (previous || QUARTER))
  const stolen: Record<string, string> =
    previous === undefined ? {} : { 'steal-time-previous': String(Number(share.toFixed(2))) }
  const spelling = place.speller.spell({ key: grace.key - place.semitones, next: note.key - place.semitones })
  return node(
    'note',
    [
      node('grace', [], { ...stolen, slash: 'yes' }),
      spelledPitch(spelling),
      leaf('voice', place.number),
      leaf('type', 'eighth'),
      ...(place.hasStaves ? [leaf('staff', place.staff)] : []),
    ],
    { dynamics: String(Number(((grace.velocity * 100) / FORTE_VELOCITY).toFixed(2))) },
  )
}

function pitchElement(note: PlacedNote, place: NotePlace): Element {
  if (place.isPercussion) {
    const { step, octave } = drumAt(note.key)
    return node('unpitched', [leaf('display-step', step), leaf('display-octave', octave)])
  }
  return spelledPitch(spellingOf(note, place))
}

function spellingOf(note: PlacedNote, { semitones, speller, resolutionOf }: NotePlace): Spelling {
  const known = spellings.get(note)
  if (known !== undefined) return known
  const resolution = resolutionOf(note)
  const next = resolution === undefined ? undefined : resolution - semitones
  const spelling = speller.spell({ key: note.key - semitones, next })
  spellings.set(note, spelling)
  return spelling
}

function spelledPitch({ step, alter, octave }: Spelling): Element {
  return node('pitch', [
    leaf('step', step),
    ...(alter === 0 ? [] : [leaf('alter', alter)]),
    leaf('octave', octave),
  ])
}

function noteheadElements({ key }: PlacedNote, { isPercussion }: NotePlace): Element[] {
  const notehead = isPercussion ? drumAt(key).notehead : undefined
  return notehead === undefined ? [] : [leaf('notehead', notehead)]
}

function valueElements({ type, dots, tuplet }: WrittenSymbol): Element[] {
  return [
    ...(type === undefined ? [] : [leaf('type', type)]),
    ...Array.from({ length: dots }, () => node('dot', [])),
    ...(tuplet === undefined
      ? []
      : [
          node('time-modification', [
            leaf('actual-notes', tuplet.actual),
            leaf('normal-notes', tuplet.normal),
          ]),
        ]),
  ]
}

function tupletNotations(tuplet: TupletPlace): Element[] {
  return tuplet === 'start' || tuplet === 'stop' ? [node('tuplet', [], { type: tuplet, number: '1' })] : []
}
