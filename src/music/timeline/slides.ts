import type { SoundingNote } from './played.ts'

/** A wider bend is heard as single notes. */
const WIDEST_SLIDE = 24

/**
 * Plays the slides of a part. MIDI bends a whole channel, so a pitch only slides if its note sounds alone, and not
 * by more than two octaves. Otherwise its semitones are struck one after another.
 * @param notes by start
 */
export function playSlides(notes: readonly SoundingNote[]): SoundingNote[] {
  let soundsUntil = Number.NEGATIVE_INFINITY
  return notes.flatMap((note, index) => {
    const heldUntil = soundsUntil
    if (!note.percussion) soundsUntil = Math.max(soundsUntil, note.endTick)
    const { slide } = note
    if (slide === undefined) return note
    const next = notes.slice(index + 1, index + 9).find(({ percussion }) => !percussion)
    const isAlone = heldUntil <= note.startTick && (next === undefined || next.startTick >= note.endTick)
    return isAlone && Math.abs(slide.semitones) <= WIDEST_SLIDE ? note : inSemitones(note, slide)
  })
}

function inSemitones(note: SoundingNote, { startTick, endTick, semitones }: Slide): SoundingNote[] {
  const count = Math.round(Math.abs(semitones))
  const whole = { ...note, slide: undefined }
  if (count < 2 || endTick - startTick < count) return [whole]
  // The last semitone is held for the rest of the note.
  const at = (index: number) => startTick + Math.round(((endTick - startTick) * index) / (count - 1))
  const struck = Array.from({ length: count - 1 }, (_, index) => ({
    ...whole,
    startTick: at(index),
    endTick: index === count - 2 ? note.endTick : at(index + 1),
    key: note.key + Math.sign(semitones) * (index + 1),
  }))
  return [{ ...whole, endTick: Math.max(note.startTick + 1, startTick) }, ...struck]
}

type Slide = NonNullable<SoundingNote['slide']>
