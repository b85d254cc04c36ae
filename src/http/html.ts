/** Text that is markup already. There is no other way to make some than `html`. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

/** What may stand in a template: nothing, text, markup, or several of them one after another. */
export type Part = string | number | Html | false | null | undefined | readonly Part[]

/**
 * Markup from a template. What is put into it is text, and what means something in HTML is escaped in it, also between
 * the quotes of an attribute; attributes are always written with double quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.map((string, index) => string + (index < parts.length ? markupOf(parts[index]) : '')).join(''),
  )
}

function markupOf(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(markupOf).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
