import type { ScoreTrackType } from '../../../contract/score-tracks.ts'
import { fail } from '../../../errors.ts'

/** The location of a recording. */
export interface Media {
  type: ScoreTrackType
  /** The normalized URL. */
  url: string
  /** The id of the recording at its service. */
  media_id: string | null
}

/**
 * The URLs at which services show one recording, as host and path. The capture group is the id of the recording.
 * Short links have no id.
 */
const mediaUrls: readonly [ScoreTrackType, RegExp][] = [
  ['youtube', /^youtube(?:-nocookie)?\.com\/(?:v|e|embed|shorts|live)\/([\w-]{11})$/],
  ['youtube', /^youtu\.be\/([\w-]{11})$/],
  ['vimeo', /^vimeo\.com\/(?:(?:channels|groups|album|showcase)\/[\w-]+\/(?:videos?\/)?)?(\d+)(?:\/\w+)?$/],
  ['vimeo', /^player\.vimeo\.com\/video\/(\d+)$/],
  [
    'soundcloud',
    /^soundcloud\.com\/([\w-]+\/(?!(?:sets|albums|tracks|popular-tracks|likes|reposts)(?:\/|$))[\w-]+)(?:\/s-\w+)?$/,
  ],
  ['soundcloud', /^api\.soundcloud\.com\/tracks\/(\d+)$/],
  ['soundcloud', /^on\.soundcloud\.com\/\w+$/],
]

/**
 * Recognizes the service and the recording from a URL, without a request to it. A URL of an unknown service
 * is treated as an audio file.
 * @throws INVALID_PARAMETER (`url`) if the URL is missing or is not an http(s) URL
 */
export function mediaAt(address: string | undefined): Media {
  const url = URL.parse(address ?? '')
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    fail('INVALID_PARAMETER', {
      param: 'url',
      message: '`url` must be an address that begins with https:// or http://.',
    })
  }
  const location = hostAndPath(url)
  for (const [type, pattern] of mediaUrls) {
    const match = pattern.exec(location)
    if (match) return { type, url: url.href, media_id: match[1] ?? null }
  }
  return { type: 'audio', url: url.href, media_id: null }
}

/**
 * Returns host and path of a URL. For the URL of a player that names the recording in a query parameter, returns host and
 * path of the recording.
 */
function hostAndPath({ hostname, pathname, searchParams }: URL): string {
  const host = hostname.replace(/^(?:www|m|music)\./, '')
  const path = pathname.replace(/\/$/, '')
  if (host === 'youtube.com' && path === '/watch') return `${host}/v/${searchParams.get('v')}`
  const embedded =
    host === 'w.soundcloud.com' && path === '/player' ? URL.parse(searchParams.get('url') ?? '') : null
  return embedded ? `${embedded.hostname}${embedded.pathname}` : `${host}${path}`
}
