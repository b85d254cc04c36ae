import { lineOf } from './document/details.ts'
import { all, attribute, textAt } from './document/json-form.ts'
import type { Score, VoiceNote } from './document/score.ts'
import { type CursorPlace, lookUp, neighbour } from './note-cursor.ts'

/** @param timePos seconds from the start of the playback */
export function cursorPosition(score: Score, place: CursorPlace, timePos: number): Record<string, unknown> {
  const part = score.parts[place.partIdx]
  const found = lookUp(score, place)
  const [head] = found?.note?.elements ?? []
  return {
    ...place,
    partUuid: part?.uuid,
    staffUuid: part?.staves[place.staffIdx],
    voiceUuid: found?.voice.uuid,
    measureUuid: score.measureUuids[place.measureIdx],
    line:
      found?.note && head !== undefined && !found.note.isRest
        ? lineOf(found.measure, found.note.staff, head)
        : 0,
    dpq: found?.measure.divisions ?? 1,
    timePos,
  }
}

/** What an editor could do at the cursor. */
export function cursorContext(score: Score, place: CursorPlace): Record<string, boolean> {
  const found = lookUp(score, place)
  const note = found?.note
  const nextPlace = neighbour(score, place, 1)
  const isLast = nextPlace === place
  const next = isLast ? undefined : lookUp(score, nextPlace)?.note
  const clefs = found?.measure.attributes.clefs ?? []
  const signs = clefs.map((clef) => textAt(clef, 'sign'))
  const isUnpitchedPart = signs[place.staffIdx] === 'percussion'
  const isRest = note?.isRest ?? false
  const pitches = keysOf(note)
  const isSame = pitches !== '' && pitches === keysOf(next)
  return {
    isRest,
    isGrace: false,
    isUnpitchedPart,
    isPitchedPart: !isUnpitchedPart,
    isPitched: !isRest && !isUnpitchedPart,
    isChord: (note?.elements.length ?? 0) > 1,
    isTab: signs[place.staffIdx] === 'TAB',
    hasTab: signs.includes('TAB'),
    hasTabFrame: found?.note?.harmony !== undefined && all(found.note.harmony, 'frame').length > 0,
    isEndOfScore: isLast,
    isSameLineThanNextNote: isSame,
    hasSlashInConnection: false,
    canTieWithNextNote: isSame,
    canSwitchEnharmonic: !isRest && !isUnpitchedPart,
    isNextRest: next?.isRest ?? false,
    hasTie: hasTie(note, 'start'),
    isHeadTied: hasTie(note, 'stop'),
  }
}

const keysOf = (note: VoiceNote | undefined): string =>
  (note?.elements ?? [])
    .flatMap((element) =>
      all(element, 'pitch').map((pitch) =>
        ['step', 'alter', 'octave'].map((name) => textAt(pitch, name) ?? '').join(' '),
      ),
    )
    .sort()
    .join(', ')

const hasTie = (note: VoiceNote | undefined, type: string): boolean =>
  note?.elements.some((element) => all(element, 'tie').some((tie) => attribute(tie, 'type') === type)) ??
  false
