import abcjs from 'abcjs'
import { child, childText, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'
import { walkMeasure } from '../model/measure-walk.ts'

/** What the parser of abcjs returns, as far as the tests read it. */
interface ParsedTune {
  warnings?: string[]
  lines: { staff?: ParsedStaff[] }[]
}
interface ParsedStaff {
  key: { accidentals: Accidental[] }
  clef?: { type: string; transpose?: number }
  voices: ParsedElement[][]
}
interface Accidental {
  acc: string
  note: string
}
interface ParsedElement {
  el_type: string
  /** Of a clef. */
  type?: string
  /** Of a key. */
  accidentals?: Accidental[]
  /** Whole notes, without the factor of a tuplet. */
  duration: number
  rest?: { type: string }
  startTriplet?: number
  tripletMultiplier?: number
  endTriplet?: boolean
  pitches?: ParsedPitch[]
  gracenotes?: ParsedPitch[]
}
interface ParsedPitch {
  /** Steps from middle C. */
  pitch: number
  accidental?: string
}

const steps = 'CDEFGAB'
const semitones: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }
const alterations: Readonly<Record<string, number>> = {
  dblflat: -2,
  flat: -1,
  natural: 0,
  sharp: 1,
  dblsharp: 2,
}

interface VoiceState {
  /** Quarter notes. */
  time: number
  key: readonly Accidental[]
  /** Octaves that the clef adds. */
  octaves: number
  factor: number
  transpose: number
}

/**
 * Reads an ABC file with abcjs.
 * @returns the sounding notes as `key@onset+duration`, in quarter notes from the start, each note head by itself and without
 * grace notes, and the warnings of the parser
 */
export function notesOfAbc(abc: Uint8Array): { notes: string[]; graces: number[]; warnings: string[] } {
  const [tune] = abcjs.parseOnly(new TextDecoder().decode(abc)) as unknown as ParsedTune[]
  const states = new Map<string, VoiceState>()
  const notes: string[] = []
  const graces: number[] = []
  for (const { staff: staves = [] } of tune?.lines ?? []) {
    for (const [place, staff] of staves.entries()) {
      for (const [voice, elements] of staff.voices.entries()) {
        const id = `${place} ${voice}`
        const state = states.get(id) ?? initialState(staff)
        states.set(id, state)
        readVoice(elements, state, notes, graces)
      }
    }
  }
  return { notes: notes.sort(), graces: graces.sort(), warnings: tune?.warnings ?? [] }
}

const octavesOf = (clef = '') => (clef.endsWith('-8') ? -1 : clef.endsWith('+8') ? 1 : 0)

const initialState = ({ key, clef }: ParsedStaff): VoiceState => ({
  time: 0,
  key: key.accidentals,
  octaves: octavesOf(clef?.type),
  factor: 1,
  transpose: clef?.transpose ?? 0,
})

function readVoice(
  elements: readonly ParsedElement[],
  state: VoiceState,
  notes: string[],
  graces: number[],
): void {
  let inMeasure = new Map<number, number>()
  const keyOf = ({ pitch, accidental }: ParsedPitch) => {
    if (accidental) inMeasure.set(pitch, alterations[accidental] ?? 0)
    const step = steps.charAt(((pitch % 7) + 7) % 7)
    const inKey = state.key.find(({ note, acc }) => note.toUpperCase() === step && acc !== 'natural')
    const alteration = inMeasure.get(pitch) ?? alterations[inKey?.acc ?? 'natural'] ?? 0
    return (
      60 +
      12 * (Math.floor(pitch / 7) + state.octaves) +
      (semitones[step] ?? 0) +
      alteration +
      state.transpose
    )
  }
  for (const element of elements) {
    if (element.el_type === 'bar') inMeasure = new Map()
    else if (element.el_type === 'key') state.key = element.accidentals ?? []
    else if (element.el_type === 'clef') state.octaves = octavesOf(element.type)
    else if (element.el_type === 'note') {
      if (element.startTriplet) state.factor = element.tripletMultiplier ?? 1
      const duration = element.duration * state.factor * 4
      graces.push(...(element.gracenotes ?? []).map(keyOf))
      for (const pitch of element.pitches ?? []) notes.push(noteText(keyOf(pitch), state.time, duration))
      state.time += duration
      if (element.endTriplet) state.factor = 1
    }
  }
}

const noteText = (key: number, onset: number, duration: number) =>
  `${key}@${onset.toFixed(3)}+${duration.toFixed(3)}`

/** Returns the notes of a document in the form of `notesOfAbc`, without unpitched notes and cue notes. */
export function noteHeadsOf(document: ScoreDocument): { notes: string[]; graces: number[] } {
  const notes: string[] = []
  const graces: number[] = []
  const parts = partsOf(document).map((part) => measuresOf(part))
  const lengths: number[] = []
  for (const measures of parts) {
    let divisions = 1
    for (const [column, measure] of measures.entries()) {
      const walked = walkMeasure(measure, divisions, () => {})
      divisions = walked.divisions
      lengths[column] = Math.max(lengths[column] ?? 0, walked.length)
    }
  }
  for (const measures of parts) {
    let divisions = 1
    let transpose = 0
    let start = 0
    for (const [column, measure] of measures.entries()) {
      const walked = walkMeasure(measure, divisions, (element, onset, duration) => {
        const change = element.name === 'attributes' && child(element, 'transpose')
        if (change)
          transpose =
            Number(childText(change, 'chromatic')) + 12 * Number(childText(change, 'octave-change') ?? 0)
        const pitch = element.name === 'note' && !child(element, 'cue') && child(element, 'pitch')
        if (!pitch) return
        const [step = '', alter = 0, octave] = ['step', 'alter', 'octave'].map((name) =>
          childText(pitch, name),
        )
        const key = 12 * (Number(octave) + 1) + (semitones[step] ?? 0) + Math.round(Number(alter)) + transpose
        if (child(element, 'grace')) graces.push(key)
        else if (duration > 0) notes.push(noteText(key, start + onset, duration))
      })
      divisions = walked.divisions
      start += lengths[column] || 4
    }
  }
  return { notes: notes.sort(), graces: graces.sort() }
}
