/**
 * Decodes base64 (RFC 4648, section 4). Line breaks and missing padding are accepted.
 * @returns undefined if the text has other characters or is cut off
 */
export function decodeBase64(text: string): Buffer | undefined {
  // Node skips invalid characters, which makes the result too short.
  const end = text.trimEnd()
  const padding = end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0
  const digits = text.length - padding - countCharacter('\n', text) - countCharacter('\r', text)
  const bytes = Buffer.from(text, 'base64')
  return digits % 4 === 1 || bytes.length !== Math.floor((digits * 3) / 4) ? undefined : bytes
}

function countCharacter(character: string, text: string): number {
  let count = 0
  for (let index = text.indexOf(character); index >= 0; index = text.indexOf(character, index + 1)) count++
  return count
}
