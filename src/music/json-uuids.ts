/**
 * How `writeJson` writes a uuid that `identify` has given. Nothing else looks like it: a quotation mark within a string is
 * escaped, and an attribute of that name has two dollar signs.
 */
const identity = /"\$uuid":"([0-9a-f-]{36})"/g
const identityLength = '"$uuid":""'.length + 36

/**
 * The uuids of the parts and measures of a score in the JSON form as `writeJson` has written it. It is not parsed, so that even
 * the largest one does not take long.
 * @param pieces the JSON in UTF-8, cut anywhere
 */
export async function uuidsInJson(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Set<string>> {
  const uuids = new Set<string>()
  let before = ''
  for await (const piece of pieces) {
    const text = before + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    for (const [, uuid = ''] of text.matchAll(identity)) uuids.add(uuid)
    before = text.slice(-identityLength)
  }
  return uuids
}
