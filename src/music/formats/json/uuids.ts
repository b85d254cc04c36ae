/**
 * A uuid of `identify` in the output of `writeJson`. Nothing else matches: quotation marks within a string
 * are escaped, and an attribute with this name has two dollar signs.
 */
const identity = /"\$uuid":"([0-9a-f-]{36})"/g
const identityLength = '"$uuid":""'.length + 36

/**
 * Returns the uuids of the parts and measures in JSON that `writeJson` has written. Does not parse the JSON,
 * so it is fast even for the largest score.
 * @param pieces the JSON in UTF-8, cut anywhere
 */
export async function uuidsInJson(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Set<string>> {
  const uuids = new Set<string>()
  let before = ''
  for await (const piece of pieces) {
    const text = before + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    for (const [, uuid = ''] of text.matchAll(identity)) uuids.add(uuid)
    before = text.slice(-identityLength)
  }
  return uuids
}
