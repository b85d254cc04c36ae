import { PERCUSSION_CHANNEL } from './channels.ts'
import type { MidiFile, MidiTrack } from './midi-file.ts'

/**
 * The time and key signatures that hold for all parts: those of the first track that has any. Tracks of percussion come last,
 * and for key signatures also tracks of transposing instruments, which some programs give their written key.
 * @param transposing tracks with a part that is written at another pitch
 */
export function signaturesOf(
  { meters, keys }: MidiFile,
  transposing: ReadonlySet<MidiTrack>,
): Pick<MidiFile, 'meters' | 'keys'> {
  const isPercussion = new Map<MidiTrack, boolean>()
  for (const { track } of [...meters, ...keys]) {
    if (!isPercussion.has(track))
      isPercussion.set(
        track,
        track.notes.length > 0 && track.notes.every(({ channel }) => channel % 16 === PERCUSSION_CHANNEL),
      )
  }
  const rankOf = (track: MidiTrack) => (isPercussion.get(track) ? 2 : 0)
  return {
    meters: ofFirstTrack(meters, rankOf),
    keys: ofFirstTrack(keys, (track) => rankOf(track) + (transposing.has(track) ? 1 : 0)),
  }
}

/** The events of the track with the lowest rank, the first one of several. */
function ofFirstTrack<Event extends { readonly track: MidiTrack }>(
  events: readonly Event[],
  rankOf: (track: MidiTrack) => number,
): Event[] {
  const tracks = [...new Set(events.map(({ track }) => track))]
  const [chosen] = tracks.sort((a, b) => rankOf(a) - rankOf(b) || a.number - b.number)
  return events.filter(({ track }) => track === chosen)
}
