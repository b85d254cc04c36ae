import { synchronizationPointsOf } from '../../timeline/synchronization-points.ts'
import { asWritten } from '../../timeline/playback-options.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { format } from '../format.ts'

/** The time at which each measure is played, as JSON. */
export const synchronizationPoints = format({
  title: 'synchronization points',
  export: {
    name: 'synchronizationPoints',
    mediaType: 'application/json',
    extension: 'sync.json',
    write: (document) =>
      new TextEncoder().encode(JSON.stringify(synchronizationPointsOf(timelineOf(document, asWritten)))),
  },
})
