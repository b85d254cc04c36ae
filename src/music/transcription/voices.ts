import type { GridWindow } from './grid.ts'
import { type Measure, QUARTER } from './measures.ts'
import { endFinder } from './note-ends.ts'
import type { PlacedNote, VoiceChord } from './staff-note.ts'

/** A note that sounds this share of the time to the next onset beyond it is held in another voice. */
const HELD_SHARE = 0.3
/** Ends that differ by less than this share of a note's length are the same. */
const SAME_END = 0.3
const LOOK_AHEAD = 16

export interface VoiceOptions {
  readonly mostVoices: number
  /** Ends are those of a performance, so that none of them is meant exactly. */
  readonly hasPlayedEnds: boolean
  /** How long a note sounds says nothing, as in percussion: each lasts to the next one, at most to the end of the beat. */
  readonly hasNoEnds: boolean
}

/** Notes with one end. */
interface Cluster {
  readonly notes: PlacedNote[]
  /** When the notes are let go, in units. */
  readonly end: number
  readonly isHeld: boolean
}

/**
 * Distributes the notes of a staff among voices, as few as their ends allow. Notes that overlap the next ones a little are played
 * legato and end there. Notes that are held get a voice of their own: the first voice is the upper one.
 * @param notes by start
 * @returns the chords of each voice by start, without overlaps
 */
export function voicesOf(
  notes: readonly PlacedNote[],
  windows: readonly GridWindow[],
  measures: readonly Measure[],
  { mostVoices, hasPlayedEnds, hasNoEnds }: VoiceOptions,
): VoiceChord[][] {
  const ends = endFinder(windows, measures, hasPlayedEnds)
  const groups = [...Map.groupBy(notes, ({ start }) => start).values()]
  const voices: VoiceChord[][] = Array.from({ length: mostVoices }, () => [])
  for (const [index, group] of groups.entries()) {
    const { start } = group[0] as PlacedNote
    const next = groups[index + 1]?.[0]?.start ?? Number.POSITIVE_INFINITY
    endRepeatedKeys(voices, group, start)
    const clusters = hasNoEnds
      ? [{ notes: group, end: next, isHeld: false }]
      : clustersOf(group, next, ends, mostVoices)
    for (const cluster of clusters) {
      const voice = voiceFor(cluster, { voices, clusters, start, later: groups, index })
      const end = cluster.isHeld
        ? ends.snap(cluster.end, start).at
        : Math.max(start + 1, Math.min(cluster.end, next))
      voice.push({ start, end, notes: cluster.notes, isStaccato: false })
    }
  }
  for (const [number, voice] of voices.entries()) {
    const options = { hasNoEnd: hasNoEnds, hasRests: number === 0 }
    for (const [index, chord] of voice.entries()) ends.finish(chord, voice[index + 1]?.start, options)
  }
  return voices.filter((voice) => voice.length > 0)
}

/** A key cannot be struck while it is down: the earlier note ends. */
function endRepeatedKeys(voices: readonly VoiceChord[][], group: readonly PlacedNote[], start: number): void {
  for (const voice of voices) {
    const last = voice.at(-1)
    if (last === undefined || last.end <= start) continue
    if (group.some(({ key }) => last.notes.some((held) => held.key === key))) last.end = start
  }
}

function clustersOf(
  group: readonly PlacedNote[],
  next: number,
  ends: ReturnType<typeof endFinder>,
  mostVoices: number,
): Cluster[] {
  const { start } = group[0] as PlacedNote
  const short: PlacedNote[] = []
  const held: PlacedNote[] = []
  for (const note of group) {
    const overlap = note.end - next
    const snapped = ends.snap(note.end, start)
    const isExact = snapped.isExact && snapped.at - next >= QUARTER / 4
    const isHeld = isExact || (overlap >= HELD_SHARE * (next - start) && snapped.at - next >= QUARTER / 8)
    if (isHeld) held.push(note)
    else short.push(note)
  }
  const clusters: Cluster[] = []
  if (short.length > 0)
    clusters.push({ notes: short, end: Math.max(...short.map(({ end }) => end)), isHeld: false })
  held.sort((a, b) => a.end - b.end)
  let open: PlacedNote[] = []
  const close = () => {
    if (open.length > 0) clusters.push({ notes: open, end: (open[0] as PlacedNote).end, isHeld: true })
    open = []
  }
  for (const note of held) {
    const first = open[0]
    const isSame = first !== undefined && note.end - first.end <= SAME_END * (first.end - start)
    const isFull = clusters.length + 1 >= mostVoices
    if (!isSame && !isFull) close()
    open.push(note)
  }
  close()
  return clusters
}

interface Place {
  readonly voices: VoiceChord[][]
  readonly clusters: readonly Cluster[]
  readonly start: number
  readonly later: readonly (readonly PlacedNote[])[]
  readonly index: number
}

function voiceFor(cluster: Cluster, place: Place): VoiceChord[] {
  const { voices, start } = place
  const isFree = (voice: VoiceChord[] | undefined): voice is VoiceChord[] =>
    voice !== undefined && (voice.at(-1)?.end ?? 0) <= start && voice.at(-1)?.start !== start
  const [first, second] = isUpper(cluster, place) ? [0, 1] : [1, 0]
  for (const number of [first, second, 2, 3]) {
    const voice = voices[number]
    if (isFree(voice)) return voice
  }
  // All voices are busy: the chord that has sounded longest ends here.
  const busy = voices.filter((voice) => voice.at(-1)?.start !== start)
  const share = (voice: VoiceChord[]) => {
    const last = voice.at(-1) as VoiceChord
    return (start - last.start) / (last.end - last.start)
  }
  // A place has at most as many clusters as voices, so one voice at least is not taken by another cluster.
  const oldest = busy.toSorted((a, b) => share(b) - share(a))[0] as VoiceChord[]
  ;(oldest.at(-1) as VoiceChord).end = start
  return oldest
}

/** Whether the notes lie above what sounds with them. Alone, they are the upper voice. */
function isUpper(cluster: Cluster, { voices, clusters, start, later, index }: Place): boolean {
  const others: number[] = []
  for (const voice of voices) {
    const last = voice.at(-1)
    if (last !== undefined && last.start < start && last.end > start)
      others.push(...last.notes.map(({ key }) => key))
  }
  for (const other of clusters) if (other !== cluster) others.push(...other.notes.map(({ key }) => key))
  if (cluster.isHeld) {
    for (const group of later.slice(index + 1, index + 1 + LOOK_AHEAD)) {
      if ((group[0]?.start ?? 0) >= cluster.end) break
      others.push(...group.map(({ key }) => key))
    }
  }
  return others.length === 0 || meanOf(cluster.notes.map(({ key }) => key)) >= meanOf(others)
}

const meanOf = (keys: readonly number[]) => keys.reduce((sum, key) => sum + key, 0) / keys.length
