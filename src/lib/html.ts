import sanitizeHtml from 'sanitize-html'

const textTags = ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 'a', 'ul', 'ol', 'li', 'h1', 'h2', 'h3']

/**
 * Removes everything from a user's HTML but text, links and lists, so that it is safe to show to other users. Links have
 * the scheme http, https or mailto.
 * @param imagesFrom the origin whose images are kept, because a picture elsewhere would tell its server who reads the text.
 * Without it no image is kept.
 */
export function sanitizeText(html: string, { imagesFrom }: { imagesFrom?: string | undefined }): string {
  return sanitizeHtml(html, {
    allowedTags: imagesFrom === undefined ? textTags : [...textTags, 'img'],
    allowedAttributes: { a: ['href'], img: ['src', 'alt', 'width', 'height'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    allowProtocolRelative: false,
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isOfOrigin(attribs.src, imagesFrom),
  })
}

const isOfOrigin = (address: string | undefined, origin: string | undefined): boolean =>
  address !== undefined &&
  origin !== undefined &&
  URL.parse(address, origin)?.origin === new URL(origin).origin

/**
 * Returns only the iframes of embed HTML whose source is one of the hosts. The result is empty if there is none.
 * @param hosts host names of media players
 */
export function sanitizeEmbed(html: string, hosts: readonly string[]): string {
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

/** Returns the plain text of HTML from `sanitizeText`, with a line for each block. */
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
