import type { Context } from '../context.ts'
import { findReadableScore } from '../features/library/scores/policy.ts'
import { type Html, html } from '../http/html.ts'
import { isId } from '../lib/ids.ts'

/** What the HTML of the page of a score says to a visitor. */
export interface ScorePreview {
  /** False for a score that does not exist, too. */
  readonly isVisible: boolean
  /** Tags for programs that show a link as a card. They have no session and no key, so only a public score has tags. */
  readonly head: Html | undefined
}

/** @param sharingKey the key in the address */
export async function scorePreview(
  ctx: Context,
  id: string,
  sharingKey: string | undefined,
): Promise<ScorePreview> {
  const loaded = isId(id) ? await findReadableScore(ctx.db.read, undefined, id, sharingKey) : undefined
  if (loaded?.score.privacy !== 'public') return { isVisible: loaded !== undefined, head: undefined }
  const { title, composer } = loaded.score
  const { publicUrl } = ctx.config
  const head = html`<meta property="og:type" content="music.song">
<meta property="og:site_name" content="Partita">
<meta property="og:title" content="${title}">
${composer && html`<meta property="og:description" content="${composer}">\n`}<meta property="og:url" content="${publicUrl}/scores/${id}">
<meta property="og:image" content="${publicUrl}/v2/scores/${id}/revisions/last/thumbnail.png">
<meta name="twitter:card" content="summary_large_image">
<link rel="canonical" href="${publicUrl}/scores/${id}">
<link rel="alternate" type="application/json+oembed" href="${publicUrl}/oembed?url=${encodeURIComponent(`${publicUrl}/scores/${id}`)}" title="${title}">
`
  return { isVisible: true, head }
}
