import { format } from '../format.ts'
import { readMusicXml } from './read.ts'
import { writeMusicXml } from './write.ts'

/** XML of an unknown kind counts as MusicXML, so that its reader says what is wrong with the file. */
export const musicxml = format({
  title: 'MusicXML',
  sniff: (file) => file.xmlRoot !== undefined,
  isFallback: true,
  read: readMusicXml,
  export: {
    name: 'xml',
    mediaType: 'application/vnd.recordare.musicxml+xml',
    extension: 'musicxml',
    write: (document) => new TextEncoder().encode(writeMusicXml(document)),
  },
})
