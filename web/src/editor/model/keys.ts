/** What a key event has, as far as the editor looks at it. */
export interface Key {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/**
 * Returns the name of a key with its modifiers, such as `Ctrl+Shift+Z`, as the commands have it. The command key of a Mac counts as Ctrl.
 * Signs such as `+` have no Shift, because keyboards have them at different places.
 */
export function nameOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): string {
  const isLetter = /^\p{L}$/u.test(key)
  const isNamed = key.length > 1 || key === ' '
  return [
    ctrlKey || metaKey ? 'Ctrl' : '',
    altKey ? 'Alt' : '',
    shiftKey && (isLetter || isNamed) ? 'Shift' : '',
    key === ' ' ? 'Space' : isLetter ? key.toUpperCase() : key,
  ]
    .filter(Boolean)
    .join('+')
}

/** The digit of a key of the upper row, for keyboards that write other signs there, such as the French one. */
const digitOf = ({ code }: Key): string | undefined => /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]

/** Finds what a key does: by its name, or else by its place if it is a digit. */
export function lookUp<Command>(key: Key, commands: ReadonlyMap<string, Command>): Command | undefined {
  const found = commands.get(nameOfKey(key))
  const digit = digitOf(key)
  if (found !== undefined || digit === undefined || key.shiftKey) return found
  return commands.get(nameOfKey({ ...key, key: digit }))
}
