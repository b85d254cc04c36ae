import { cursorPosition } from '../cursor-answers.ts'
import { measureDetails, noteDetails } from '../document/details.ts'
import type { Score } from '../document/score.ts'
import type { Embed } from '../embed.ts'
import { changedPlace, type CursorPlace, lookUp, neighbour, noteAt, notesOf } from '../note-cursor.ts'
import type { Method } from '../protocol.ts'
import { timeOf } from '../shown-score.ts'
import { number, object, word } from './parameters.ts'

/** The cursor, and what is in the measures. */
export function cursorMethods(embed: Embed): Record<string, Method> {
  async function position() {
    const { score } = await embed.shown()
    const place = embed.place()
    const found = lookUp(score, place)
    const music = await embed.player().then(
      ({ music }) => music,
      () => undefined,
    )
    const seconds = music ? timeOf(music, score.measureUuids[place.measureIdx], found?.note?.onset ?? 0) : 0
    return cursorPosition(score, place, seconds)
  }
  const step = (direction: 1 | -1) => async (parameters: unknown) => {
    const { score } = await embed.shown()
    const next = neighbour(score, embed.place(), direction)
    await embed.moveTo(next)
    if (object(parameters).mute !== true) await sound(score, next)
  }
  /** Plays the note at a place alone. */
  async function sound(score: Score, place: CursorPlace): Promise<void> {
    const ids = lookUp(score, place)?.note?.ids ?? []
    const player = await embed.player().catch(() => undefined)
    const note = player?.music.notes.find((timed) => timed.ids.some((id) => ids.includes(id)))
    if (note) await player?.hear(note)
  }
  /** What a call names by uuids. */
  async function named(parameters: unknown) {
    const { score } = await embed.shown()
    const given = object(parameters)
    const part = score.parts.find(({ uuid }) => uuid === word('partUuid', given.partUuid))
    if (!part) throw new Error(`The score has no part ${String(given.partUuid)}.`)
    const measure = () => {
      const found = part.measures.find(({ uuid }) => uuid === word('measureUuid', given.measureUuid))
      if (!found) throw new Error(`The score has no measure ${String(given.measureUuid)}.`)
      return found
    }
    const voice = () => {
      const found = part.voices.find(({ uuid }) => uuid === word('voiceUuid', given.voiceUuid))
      if (!found) throw new Error(`The part has no voice ${String(given.voiceUuid)}.`)
      return found
    }
    return { part, measure, voice, given }
  }
  return {
    getCursorPosition: position,
    async setCursorPosition(parameters) {
      const { score } = await embed.shown()
      await embed.moveTo(changedPlace(score, embed.place(), object(parameters)))
      return position()
    },
    goLeft: step(-1),
    goRight: step(1),
    getNbMeasures: async () => (await embed.shown()).score.measureUuids.length,
    getMeasuresUuids: async () => (await embed.shown()).score.measureUuids,
    async getMeasureDetails() {
      const { score } = await embed.shown()
      const { measureIdx, partIdx, staffIdx } = embed.place()
      const part = score.parts[partIdx]
      if (!part) throw new Error('The score has no part.')
      return measureDetails(score, part, measureIdx, staffIdx)
    },
    async getMeasureVoicesUuids(parameters) {
      return (await named(parameters)).measure().voices.map(({ voice }) => voice.uuid)
    },
    async getMeasureNbNotes(parameters) {
      const { measure, voice } = await named(parameters)
      return notesOf(measure(), voice()).length
    },
    async getNoteData(parameters) {
      const { part, measure, voice, given } = await named(parameters)
      const at = number('noteIdx', given.noteIdx, 0, Number.MAX_SAFE_INTEGER)
      const note = notesOf(measure(), voice())[at]
      if (!note) throw new Error(`The voice has no note ${at} in this measure.`)
      return noteDetails(part, measure(), note)
    },
    async getNoteDetails() {
      const { score } = await embed.shown()
      const found = lookUp(score, embed.place())
      if (!found?.note) throw new Error('There is no note at the cursor.')
      return noteDetails(found.part, found.measure, found.note)
    },
    async playbackPositionToNoteIdx(parameters) {
      const { part, voice, given } = await named(parameters)
      const { currentMeasure, quarterFromMeasureStart } = object(given.playbackPosition)
      const measure = part.measures[number('currentMeasure', currentMeasure, 0, part.measures.length - 1)]
      if (!measure) throw new Error('The score has no such measure.')
      const quarters = number('quarterFromMeasureStart', quarterFromMeasureStart, 0, Number.MAX_VALUE)
      return noteAt(measure, voice(), quarters)
    },
  }
}
