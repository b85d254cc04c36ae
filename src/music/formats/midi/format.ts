import { timelineOf } from '../../timeline/timeline.ts'
import { format } from '../format.ts'
import { readMidi } from './read.ts'
import { writeMidi } from './write.ts'
import { creditsOf } from '../../model/credits.ts'

/** Standard MIDI files, karaoke files (.kar), and RIFF files that contain one. */
export const midi = format({
  title: 'MIDI',
  sniff: (file) => file.startsWith('MThd') || file.startsWith('RMID', 8),
  read: readMidi,
  export: {
    name: 'midi',
    mediaType: 'audio/midi',
    extension: 'mid',
    write: (document, playback) => writeMidi(timelineOf(document, playback), creditsOf(document)),
  },
})
