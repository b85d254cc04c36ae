import { type PlayedMeasure, playedMeasures, type SynchronizationPoint } from './places.ts'
import type { Music } from './player.ts'
import { recordingEngine } from './recording-engine.ts'

/** The length of the last measure of a recording that does not say where it ends, in seconds. */
const lastMeasure = 4

/**
 * Returns the music of a recording: the measures and notes of a score at the times of the recording. The recording may leave out
 * repeats: each time that it plays a measure has the notes of the same time in the score, or else of the first one.
 * @param findAddress returns where the browser loads the recording
 * @param points when each measure is played in the recording, in the order of playing
 * @param element shows the pictures of a video
 */
export function musicOfRecording(
  score: Pick<Music, 'measures' | 'notes' | 'quartersAt'>,
  findAddress: () => Promise<string>,
  points: readonly SynchronizationPoint[],
  element?: HTMLMediaElement,
): Music {
  const measures = endedMeasures(points)
  const places = pairedWith(score.measures, measures)
  const notes = places
    .flatMap(([from, to]) => {
      const factor = (to.end - to.start) / (from.end - from.start)
      const at = (seconds: number) => to.start + (seconds - from.start) * factor
      return score.notes
        .filter(({ start }) => start >= from.start && start < from.end)
        .map((note) => ({ ...note, start: at(note.start), end: at(note.end) }))
    })
    .sort((a, b) => a.start - b.start)
  return {
    measures,
    notes,
    beats: [],
    parts: [],
    partUuids: [],
    durationSeconds: measures.at(-1)?.end ?? 0,
    quartersAt(seconds) {
      const [from, to] = places.findLast(([, { start }]) => start <= seconds) ?? places[0] ?? []
      if (!from || !to) return 0
      const inMeasure = Math.max(0, Math.min(1, (seconds - to.start) / (to.end - to.start)))
      return score.quartersAt(from.start + inMeasure * (from.end - from.start))
    },
    start: recordingEngine(findAddress, element),
    preload() {},
  }
}

/** The last measure ends with the recording, if no point says where. */
function endedMeasures(points: readonly SynchronizationPoint[]): PlayedMeasure[] {
  const last = points.at(-1)
  const end = last?.type === 'measure' ? [{ type: 'end', time: last.time + lastMeasure } as const] : []
  return playedMeasures([...points, ...end])
}

/** Pairs each measure of a recording with a time of the same measure in the score. */
function pairedWith(
  score: readonly PlayedMeasure[],
  measures: readonly PlayedMeasure[],
): (readonly [PlayedMeasure, PlayedMeasure])[] {
  const seen = new Map<string, number>()
  return measures.flatMap((measure) => {
    const times = score.filter(({ uuid }) => uuid === measure.uuid)
    const count = seen.get(measure.uuid) ?? 0
    seen.set(measure.uuid, count + 1)
    const from = times[count] ?? times[0]
    return from && from.end > from.start ? [[from, measure] as const] : []
  })
}
