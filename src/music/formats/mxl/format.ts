import { format } from '../format.ts'
import { readMusicXml } from '../musicxml/read.ts'
import { writeMusicXml } from '../musicxml/write.ts'
import { readMxl } from './read.ts'
import { writeMxl } from './write.ts'

/** An archive of an unknown kind counts as compressed MusicXML, so that its reader says what is wrong with the file. */
export const mxl = format({
  title: 'compressed MusicXML',
  sniff: (file) => file.archiveEntries !== undefined,
  isFallback: true,
  read: async (bytes, repairs) => readMusicXml(await readMxl(bytes, repairs), repairs),
  export: {
    name: 'mxl',
    mediaType: 'application/vnd.recordare.musicxml',
    extension: 'mxl',
    write: (document) => writeMxl(writeMusicXml(document)),
  },
})
