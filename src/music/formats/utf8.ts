import { isUtf8 } from 'node:buffer'
import { type ErrorCode, fail } from '../../errors.ts'

/**
 * Decodes a text file in UTF-8, without its byte order mark. For XML, which can have other encodings, use `decodeXml`.
 * @param code the error of the format
 * @throws `code` with the first line that is not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array, code: ErrorCode): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  // No byte of a longer character is a line break.
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/\r\n|[\r\n]/)
  const line = lines.findIndex((content) => !isUtf8(Buffer.from(content, 'latin1'))) + 1
  return fail(code, { message: `Line ${line}: the text is not UTF-8.` })
}
