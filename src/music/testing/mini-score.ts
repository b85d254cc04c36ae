import type { ScoreDocument } from '../model/document.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { timelineOf } from '../timeline/timeline.ts'
import type { Timeline } from '../timeline/played.ts'

export interface MiniPart {
  /** The content of each measure. */
  readonly measures: readonly string[]
  /** The content of the `score-part` after its name. */
  readonly scorePart?: string
  readonly name?: string
}

/** A score of one or more parts with the ids P1 and so on. */
export function miniScore(...parts: readonly (MiniPart | readonly string[])[]): ScoreDocument {
  const all = parts.map((part) => ('measures' in part ? part : { measures: part }))
  const list = all.map(({ name = 'Piano', scorePart = '' }, index) => {
    return `<score-part id="P${index + 1}"><part-name>${name}</part-name>${scorePart}</score-part>`
  })
  const bodies = all.map(({ measures }, index) => {
    const content = measures.map((measure, place) => `<measure number="${place + 1}">${measure}</measure>`)
    return `<part id="P${index + 1}">${content.join('')}</part>`
  })
  return readMusicXml(
    Buffer.from(
      `<?xml version="1.0"?><score-partwise version="4.0"><part-list>${list.join('')}</part-list>${bodies.join('')}</score-partwise>`,
    ),
  )
}

export function miniTimeline(...parts: readonly (MiniPart | readonly string[])[]): Timeline {
  return timelineOf(miniScore(...parts))
}

/** A note from its pitch (`C4`, `F#5`, `Bb3`) and the rest of its content. */
export function note(pitch: string, duration: number, more = '', attributes = ''): string {
  return `<note ${attributes}>${pitchElement(pitch)}<duration>${duration}</duration>${more}</note>`
}

export function graceNote(pitch: string, graceAttributes = '', more = ''): string {
  return `<note><grace ${graceAttributes}/>${pitchElement(pitch)}<type>eighth</type>${more}</note>`
}

export function chordNote(pitch: string, duration: number, more = ''): string {
  return note(pitch, duration, `<chord/>${more}`)
}

export function rest(duration: number, more = ''): string {
  return `<note><rest/><duration>${duration}</duration>${more}</note>`
}

function pitchElement(pitch: string): string {
  const [, step, accidental, octave] = /^([A-G])([#b]?)(-?\d)$/.exec(pitch) ?? []
  const alter = accidental === '' ? '' : `<alter>${accidental === '#' ? 1 : -1}</alter>`
  return `<pitch><step>${step}</step>${alter}<octave>${octave}</octave></pitch>`
}

export function words(text: string, sound = ''): string {
  return `<direction><direction-type><words>${text}</words></direction-type>${sound}</direction>`
}

export function direction(type: string, sound = ''): string {
  return `<direction><direction-type>${type}</direction-type>${sound}</direction>`
}

/** `key@start-end` of the notes of a part, in quarter notes. */
export function notesOf(timeline: Timeline, part = 0): string[] {
  const inQuarters = (tick: number) => Math.round((tick / timeline.ticksPerQuarter) * 1000) / 1000
  return (timeline.parts[part]?.notes ?? []).map((one) => {
    return `${one.key}@${inQuarters(one.startTick)}-${inQuarters(one.endTick)}`
  })
}

/** The numbers of the measures in the order in which they are played. */
export function orderOf(timeline: Timeline): string {
  return timeline.measures.map(({ number }) => number).join(' ')
}

/** `quarter:tempo` of all tempo changes. */
export function temposOf({ tempos, ticksPerQuarter }: Timeline): string[] {
  return tempos.map(
    ({ tick, quartersPerMinute }) => `${tick / ticksPerQuarter}:${Math.round(quartersPerMinute)}`,
  )
}
