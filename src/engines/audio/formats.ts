import { fail } from '../../errors.ts'
import { writeMidi } from '../../music/formats/midi/write.ts'
import type { ScoreDocument } from '../../music/model/document.ts'
import { timelineOf } from '../../music/timeline/timeline.ts'
import { type PreparedExport, serverFormat } from '../engine-format.ts'
import type { AudioJob } from './audio.child.ts'

/** The maximum duration of a score, in seconds. An MP3 file of an hour has 72 MB, a WAV file of 20 minutes has 212 MB. */
const maxSeconds = { mp3: 60 * 60, wav: 20 * 60 }

export const mp3 = serverFormat({
  title: 'MP3',
  export: {
    name: 'mp3',
    mediaType: 'audio/mp3',
    extension: 'mp3',
    write: {
      engine: 'audio',
      load: { weight: 2, timeLimit: 60_000 },
      prepare: (document) => prepareAudio(document, 'mp3'),
    },
  },
})

export const wav = serverFormat({
  title: 'WAV',
  export: {
    name: 'wav',
    mediaType: 'audio/wav',
    extension: 'wav',
    write: {
      engine: 'audio',
      load: { weight: 3, timeLimit: 60_000 },
      prepare: (document) => prepareAudio(document, 'wav'),
    },
  },
})

function prepareAudio(document: ScoreDocument, to: AudioJob['to']): PreparedExport<AudioJob> {
  const timeline = timelineOf(document)
  const seconds = timeline.durationSeconds
  if (seconds > maxSeconds[to]) {
    const minutes = Math.ceil(seconds / 60)
    fail('SCORE_TOO_LONG', {
      message: `The score lasts ${minutes} minutes; the maximum for this format is ${maxSeconds[to] / 60}.`,
    })
  }
  return { job: { to, midi: writeMidi(timeline), seconds }, isLast: true }
}
