import { ZipFile as ZipWriter } from 'yazl'
import { containerPath } from './read.ts'

/**
 * Writes a compressed score (.mxl). The same text always gives the same bytes. The `mimetype` entry comes
 * first and uncompressed, so that the start of the file shows its media type. Source: MusicXML 4.0,
 * "Compressed .mxl files".
 */
export async function writeMxl(xml: string): Promise<Uint8Array> {
  const writer = new ZipWriter()
  // The oldest date of ZIP files, without the extra field for UTC, which would differ between time zones.
  const always = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true }
  writer.addBuffer(Buffer.from('application/vnd.recordare.musicxml'), 'mimetype', {
    ...always,
    compress: false,
  })
  writer.addBuffer(Buffer.from(containerXml), containerPath, always)
  writer.addBuffer(Buffer.from(xml), 'score.musicxml', always)
  writer.end()
  const chunks: Buffer[] = []
  for await (const chunk of writer.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const containerXml = `<?xml version="1.0" encoding="UTF-8"?>
<container>
  <rootfiles>
    <rootfile full-path="score.musicxml" media-type="application/vnd.recordare.musicxml+xml"/>
  </rootfiles>
</container>
`
