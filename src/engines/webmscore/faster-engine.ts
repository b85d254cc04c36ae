import { createHash } from 'node:crypto'
import { replacements } from './faster-functions.ts'
import { unsigned } from './wasm-code.ts'

/**
 * Replaces functions of webmscore 1.2.1 by faster ones with the same result (`faster-functions.ts`). In a large score they take
 * more than half of the time. A function is replaced only if its code is the expected one, so another version of webmscore stays
 * as it is.
 * @param wasm the module of the engine (https://webassembly.github.io/spec/core/binary)
 * @returns the changed module, or the same one if no function is the expected one
 */
export function withFasterFunctions(wasm: Uint8Array): Uint8Array {
  const section = codeSectionOf(wasm)
  if (!section) return wasm
  const { start, end, count, places } = section
  const parts: Uint8Array[] = []
  let copied = count.end
  for (const { index, expected, replace } of replacements) {
    const place = places.get(index)
    const body = place && wasm.subarray(place.start, place.end)
    if (!body || createHash('sha256').update(body).digest('hex').slice(0, 16) !== expected) continue
    const replaced = replace(body)
    parts.push(wasm.subarray(copied, place.sizeAt), Uint8Array.from(unsigned(replaced.length)), replaced)
    copied = place.end
  }
  if (parts.length === 0) return wasm
  const code = [wasm.subarray(start, count.end), ...parts, wasm.subarray(copied, end)]
  const size = code.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([
    wasm.subarray(0, section.sizeAt),
    Uint8Array.from(unsigned(size)),
    ...code,
    wasm.subarray(end),
  ])
}

function readUnsigned(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0
  for (let end = at, shift = 0; ; end++, shift += 7) {
    const byte = bytes[end] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end: end + 1 }
  }
}

/** Where the code of a function is, from its first byte after the size. */
interface Place {
  readonly sizeAt: number
  readonly start: number
  readonly end: number
}

const codeSection = 10
/** Bytes before the first section: the magic number and the version. */
const headerBytes = 8

/** The section of all functions, and the places of those with some indices. */
function codeSectionOf(wasm: Uint8Array) {
  for (let at = headerBytes; at < wasm.length; ) {
    const size = readUnsigned(wasm, at + 1)
    const sectionEnd = size.end + size.value
    if (wasm[at] === codeSection) {
      const count = readUnsigned(wasm, size.end)
      return { sizeAt: at + 1, start: size.end, end: sectionEnd, count, places: placesIn(wasm, count) }
    }
    at = sectionEnd
  }
  return undefined
}

function placesIn(wasm: Uint8Array, count: { value: number; end: number }): Map<number, Place> {
  const places = new Map<number, Place>()
  const wanted = new Set(replacements.map(({ index }) => index))
  let at = count.end
  for (let index = 0; index < count.value; index++) {
    const size = readUnsigned(wasm, at)
    const end = size.end + size.value
    if (wanted.has(index)) places.set(index, { sizeAt: at, start: size.end, end })
    at = end
  }
  return places
}
