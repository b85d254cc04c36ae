import type { MediaAttachment } from '../../../contract/attachments.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { sanitizeEmbed } from '../../../lib/html.ts'
import { WebError } from '../../../platform/web-client/web-client.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { hasWebLink, insertWebLink } from './web-links.store.ts'

/** The fields of an oEmbed response that are shown; see https://oembed.com, section 2.3. */
export type WebFacts = Pick<
  MediaAttachment,
  | 'title'
  | 'html'
  | 'htmlWidth'
  | 'htmlHeight'
  | 'thumbnailUrl'
  | 'thumbnailWidth'
  | 'thumbnailHeight'
  | 'authorName'
  | 'authorUrl'
>

/**
 * The supported oEmbed providers: the hosts of their content, their API endpoints, and the hosts of their
 * embedded players.
 */
const providers = [
  {
    hosts: ['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtu.be'],
    endpoint: 'https://www.youtube.com/oembed',
    players: ['www.youtube.com', 'www.youtube-nocookie.com'],
  },
  {
    hosts: ['vimeo.com', 'www.vimeo.com', 'player.vimeo.com'],
    endpoint: 'https://vimeo.com/api/oembed.json',
    players: ['player.vimeo.com'],
  },
  {
    hosts: ['soundcloud.com', 'www.soundcloud.com', 'm.soundcloud.com'],
    endpoint: 'https://soundcloud.com/oembed',
    players: ['w.soundcloud.com'],
  },
] as const

const providerOf = (url: string) => {
  const { protocol, hostname } = new URL(url)
  return providers.find(
    ({ hosts }) => /^https?:$/.test(protocol) && (hosts as readonly string[]).includes(hostname),
  )
}

/** Enqueues the jobs that fetch the facts about these URLs, for URLs of a supported provider. */
export async function requestWebFacts(
  { jobs, config }: Pick<Context, 'jobs' | 'config'>,
  tx: Transaction,
  { id: user }: Pick<Actor, 'id'>,
  urls: readonly string[],
): Promise<void> {
  if (!config.linkPreviews) return
  for (const url of new Set(urls)) {
    if (!providerOf(url) || (await hasWebLink(tx, url))) continue
    await jobs.enqueue(tx, { kind: 'describe-link', payload: { user, url }, key: url })
  }
}

/**
 * Fetches and stores the facts about a URL. If the provider has none, an empty object is stored.
 * @throws WebError when a retry may succeed
 */
export async function describeLink(ctx: Context, url: string): Promise<void> {
  const provider = providerOf(url)
  if (!provider || (await hasWebLink(ctx.db.read, url))) return
  const endpoint = new URL(provider.endpoint)
  endpoint.search = new URLSearchParams({ url, format: 'json' }).toString()
  let facts: WebFacts = {}
  try {
    facts = validFacts(await ctx.web.getJson(endpoint.href, [endpoint.hostname]), provider.players)
  } catch (error) {
    if (!(error instanceof WebError) || error.isPassing) throw error
    ctx.log.info({ err: error, url }, 'no facts are available for a link')
  }
  const row = { url, facts: JSON.stringify(facts), created_at: ctx.clock.now() }
  await ctx.transaction((tx) => insertWebLink(tx, row))
}

/** Returns the valid fields of an untrusted oEmbed response. */
function validFacts(answer: unknown, players: readonly string[]): WebFacts {
  const fields = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name].slice(0, 1000) : undefined)
  const address = (name: string) => {
    const url = URL.parse(text(name) ?? '')
    return url?.protocol === 'https:' ? url.href : undefined
  }
  const size = (name: string) => {
    const value = Number(fields[name])
    return Number.isInteger(value) && value > 0 && value <= 10_000 ? value : undefined
  }
  const html = typeof fields.html === 'string' ? sanitizeEmbed(fields.html.slice(0, 10_000), players) : ''
  const thumbnailUrl = address('thumbnail_url')
  return {
    title: text('title'),
    authorName: text('author_name'),
    authorUrl: address('author_url'),
    ...(thumbnailUrl && {
      thumbnailUrl,
      thumbnailWidth: size('thumbnail_width'),
      thumbnailHeight: size('thumbnail_height'),
    }),
    ...(html && { html, htmlWidth: size('width'), htmlHeight: size('height') }),
  }
}
