import { timelineOf } from '../../timeline/timeline.ts'
import { format } from '../format.ts'
import { writeMidi } from './write.ts'
import { creditsOf } from '../../model/credits.ts'

/** Standard MIDI files, and RIFF files that contain one. An engine turns them into notation; see `import.ts`. */
export const midi = format({
  title: 'MIDI',
  sniff: (file) => file.startsWith('MThd') || file.startsWith('RMID', 8),
  export: {
    name: 'midi',
    mediaType: 'audio/midi',
    extension: 'mid',
    write: (document) => writeMidi(timelineOf(document), creditsOf(document)),
  },
})
