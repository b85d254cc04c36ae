import type { ScoreTrackType } from '../../contract/score-tracks.ts'
import { fail } from '../../errors.ts'

/** Where a recording is. */
export interface Media {
  type: ScoreTrackType
  /** As a browser writes the address. */
  url: string
  /** What its service calls the recording. */
  media_id: string | null
}

/** Where services show one recording, as host and path. The group is its id, which a short link does not say. */
const places: readonly [ScoreTrackType, RegExp][] = [
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
 * What is at an address, as far as the address says it: nobody asks there. Whatever is no known service is a file of sound.
 * @throws INVALID_PARAMETER (`url`) for none, and for one that is not of the web
 */
export function mediaAt(address: string | undefined): Media {
  const url = URL.parse(address ?? '')
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    fail('INVALID_PARAMETER', {
      param: 'url',
      message: '`url` must be an address that begins with https:// or http://.',
    })
  }
  const place = placeOf(url)
  for (const [type, form] of places) {
    const match = form.exec(place)
    if (match) return { type, url: url.href, media_id: match[1] ?? null }
  }
  return { type: 'audio', url: url.href, media_id: null }
}

/** Host and path, with that of the path which players take in the query. */
function placeOf({ hostname, pathname, searchParams }: URL): string {
  const host = hostname.replace(/^(?:www|m|music)\./, '')
  const path = pathname.replace(/\/$/, '')
  if (host === 'youtube.com' && path === '/watch') return `${host}/v/${searchParams.get('v')}`
  const played = host === 'w.soundcloud.com' && path === '/player' ? URL.parse(searchParams.get('url') ?? '') : null
  return played ? `${played.hostname}${played.pathname}` : `${host}${path}`
}
