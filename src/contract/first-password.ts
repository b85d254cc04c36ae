/** Without characters that look alike on paper. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'
const groupLength = 4
const fewestGroups = 3

/**
 * Returns a random password that a person can copy from paper, such as `k7fd-wm3p-t9xe`.
 * @param minLength the minimum number of characters
 * @param random returns an integer from 0 to below a limit, from a cryptographic source
 */
export function firstPasswordOf(minLength: number, random: (limit: number) => number): string {
  const groups = Math.max(fewestGroups, Math.ceil((minLength + 1) / (groupLength + 1)))
  const group = () =>
    Array.from({ length: groupLength }, () => characters[random(characters.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}
