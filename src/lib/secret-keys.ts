/** The bytes of a key. */
export const keyLength = 32

/**
 * Parses keys for secrets: the base64 of 32 bytes each, separated by commas or white space, the current one first.
 * @throws RangeError if one is something else
 */
export function parseKeys(text: string): readonly Uint8Array[] {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((one) => {
      const bytes = Buffer.from(one, 'base64')
      if (!/^[\w+/-]+=*$/.test(one) || bytes.length !== keyLength)
        throw new RangeError(
          `expected keys of ${keyLength} bytes in base64, such as the output of "openssl rand -base64 32"`,
        )
      return bytes
    })
}
