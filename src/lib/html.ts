import sanitizeHtml from 'sanitize-html'

const textTags = ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 'a', 'ul', 'ol', 'li', 'h1', 'h2', 'h3']

/**
 * HTML that somebody wrote for others to read, without all that is not text, links and lists: what is left does nothing in
 * a page that shows it. Links and pictures are of the web.
 * @param images whether pictures stay as well
 */
export function sanitized(html: string, { images }: { images: boolean }): string {
  return sanitizeHtml(html, {
    allowedTags: images ? [...textTags, 'img'] : textTags,
    allowedAttributes: { a: ['href'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    allowProtocolRelative: false,
    // A picture from nowhere would show as broken.
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  })
}

/** Of HTML that plays something, the frame of a player at one of these hosts; empty where it has none. */
export function sanitizedFrame(html: string, hosts: readonly string[]): string {
  return sanitizeHtml(html, {
    allowedTags: ['iframe'],
    allowedAttributes: { iframe: ['src', 'width', 'height', 'title', 'allowfullscreen'] },
    allowedSchemes: ['https'],
    allowProtocolRelative: false,
    allowedIframeHostnames: [...hosts],
    exclusiveFilter: ({ attribs }) => !attribs.src,
    textFilter: () => '',
  })
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** The plain text of HTML that `sanitized` has made: a line for what has a line of its own. */
export function plainText(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/(?:p|li|h[1-3]|ul|ol)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
