/** Attributes for positions on the page and for names inside a program, which say nothing about the music. */
export const layoutAttributes: ReadonlySet<string> = new Set([
  'default-x',
  'default-y',
  'relative-x',
  'relative-y',
  'width',
  'id',
])
