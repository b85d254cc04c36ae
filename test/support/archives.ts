import { ZipFile } from 'yazl'

/** Creates a ZIP archive with these files. */
export async function archiveOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const writer = new ZipFile()
  for (const [name, content] of Object.entries(files)) writer.addBuffer(Buffer.from(content), name)
  writer.end()
  const chunks: Buffer[] = []
  for await (const chunk of writer.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/**
 * Returns a copy of the archive in which `other` replaces every `name`. Both names must have the same length.
 */
export function withRenamedEntry(archive: Buffer, name: string, other: string): Buffer {
  const copy = Buffer.from(archive)
  for (let at = copy.indexOf(name); at >= 0; at = copy.indexOf(name, at + 1)) copy.write(other, at, 'latin1')
  return copy
}

/**
 * Returns a copy of the archive that declares a false uncompressed size for its only file (APPNOTE.TXT 6.3,
 * 4.3.7 and 4.3.12).
 */
export function withDeclaredSize(archive: Buffer, uncompressedSize: number): Buffer {
  const copy = Buffer.from(archive)
  copy.writeUInt32LE(uncompressedSize, copy.indexOf('PK\x01\x02', 0, 'latin1') + 24)
  copy.writeUInt32LE(uncompressedSize, copy.indexOf('PK\x03\x04', 0, 'latin1') + 22)
  return copy
}
