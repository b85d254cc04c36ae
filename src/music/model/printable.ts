/** The text on one line, without control characters that XML cannot contain (XML 1.0, section 2.2). */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]+/gu, ' ').trim()
}
