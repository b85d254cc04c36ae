import { printable } from '../../model/printable.ts'

/** A text in a header field: one line, without the start of a comment or of an entity. */
export function fieldText(text: string): string {
  return printable(text)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '\\%')
    .replaceAll(/&(?=[#\w]+;)/g, '\\&')
}

/** A text between double quotes in the music. */
export function quotedText(text: string): string {
  return `"${fieldText(text).replaceAll('"', '”')}"`
}

/** A syllable in a `w:` line, where some characters have a meaning (ABC 2.1, section 5.1). */
export function syllableText(text: string): string {
  return fieldText(text)
    .replaceAll(/[-*_|]/g, '\\$&')
    .replaceAll(/[~\s]+/g, '~')
}

/**
 * A length in relation to the unit of the tune: empty for 1, otherwise a number or a fraction.
 * @param numerator positive, as the denominator
 */
export function lengthText(numerator: number, denominator: number): string {
  const common = greatestCommonDivisor(numerator, denominator)
  const [above, below] = [numerator / common, denominator / common]
  return `${above === 1 ? '' : above}${below === 1 ? '' : `/${below}`}`
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
