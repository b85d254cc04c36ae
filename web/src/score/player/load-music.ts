import { readNoteTimes } from './lit-notes.ts'
import { beatsOf, playedMeasures, type SynchronizationPoint } from './places.ts'
import type { Music } from './player.ts'
import { recordingEngine } from './recording-engine.ts'
import { nameOfSound, readSong, type Song, soundsOf } from './song.ts'
import { canSynthesize, preloadSynth, synthEngine } from './synth-engine.ts'

/** The formats of the server that a player needs. */
export type MusicFormat = 'midi' | 'synchronizationPoints' | 'noteTimes' | 'mp3'

/**
 * Loads the music of a score.
 * @param load gets the score from the server in a format
 */
export async function loadMusic(load: (format: MusicFormat) => Promise<Blob>): Promise<Music> {
  const [midi, points, noteTimes] = await Promise.all([
    load('midi').then((file) => file.arrayBuffer()),
    load('synchronizationPoints').then((file) => file.text()),
    load('noteTimes').then((file) => file.text()),
  ])
  const song = readSong(new Uint8Array(midi))
  const measures = playedMeasures(JSON.parse(points) as SynchronizationPoint[])
  const beats = beatsOf(song, measures)
  const { events, durationSeconds } = song
  return {
    measures,
    beats,
    durationSeconds,
    ...readNoteTimes(noteTimes),
    parts: song.parts.map(({ name }) => name),
    quartersAt: (seconds) => song.tickAt(seconds) / song.ticksPerQuarter,
    start: canSynthesize()
      ? synthEngine({ events, beats, durationSeconds }, () => loadSounds(song))
      : recordingEngine(async () => URL.createObjectURL(await load('mp3'))),
    preload() {
      // The user of a slow or expensive connection may never press play.
      if (!canSynthesize() || hasLittleData()) return
      void Promise.all([preloadSynth(), loadSounds(song)]).catch(() => {
        // Play loads it again, and says what is wrong.
      })
    },
  }
}

/** Whether the browser was asked to load little. */
const hasLittleData = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Loads the sounds that a song needs from the sound font of the server. */
function loadSounds(song: Song): Promise<{ name: string; bytes: ArrayBuffer }[]> {
  return Promise.all(
    soundsOf(song).map(async (sound) => {
      const name = nameOfSound(sound)
      const response = await fetch(`/sounds/${name}.sf3`)
      if (!response.ok) throw new Error(`The sound ${name} cannot be loaded.`)
      return { name, bytes: await response.arrayBuffer() }
    }),
  )
}
