import { pedalChangesOf } from './controls.ts'
import { lyricSungAt } from './lyrics.ts'
import type { PartSounds } from './part-sounds.ts'
import type { Lyric, PlayedMeasure, TimelinePart } from './played.ts'
import { soundChangesOf } from './sound-changes.ts'
import { type PlayedNotes, soundingNotesOf, type Tempo } from './sounding-notes.ts'
import { isPlayedAt, type WrittenPart } from './written.ts'

/** One part in the order of playing. A part with fewer measures than the others is silent in the rest. */
export function playedPartOf(
  part: WrittenPart,
  sounds: PartSounds,
  uuid: string | undefined,
  measures: readonly PlayedMeasure[],
  tempo: Tempo,
): TimelinePart {
  const played = measures.map(({ index, startTick, endTick, occurrence }) => {
    return { notes: part.measures[index]?.notes ?? [], startTick, endTick, occurrence }
  })
  const notes = soundingNotesOf(played, tempo)
  const { programs, controls } = soundChangesOf(part, sounds, measures)
  return {
    id: sounds.id,
    name: sounds.name,
    uuid,
    percussion:
      notes.length > 0 ? notes.every((note) => note.percussion) : sounds.instrument(undefined).percussion,
    programs,
    notes,
    controls: [...controls, ...pedalChangesOf(part, measures)].sort((a, b) => a.tick - b.tick),
    lyrics: lyricsOf(played),
  }
}

function lyricsOf(measures: readonly PlayedNotes[]): Lyric[] {
  const lyrics: Lyric[] = []
  for (const { notes, startTick, occurrence } of measures) {
    for (const note of notes) {
      if (note.lyrics.length === 0 || !isPlayedAt(note.timeOnly, occurrence)) continue
      const lyric = lyricSungAt(note.lyrics, occurrence)
      if (lyric !== undefined)
        lyrics.push({
          tick: startTick + note.at + note.swingDelay,
          text: lyric.text,
          wordEnds: lyric.wordEnds,
        })
    }
  }
  return lyrics
}
