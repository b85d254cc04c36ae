const override = /[\u202D\u202E]/
const controls = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * Whether a text has a character that shows what follows in the opposite order (UAX #9, U+202D and U+202E). No natural text
 * needs one. A title or file name with it can look like another.
 */
export const overridesDirection = (text: string): boolean => override.test(text)

/** Returns the text without the characters that embed, override or isolate a direction. */
export const withoutDirectionControls = (text: string): string => text.replaceAll(controls, '')
