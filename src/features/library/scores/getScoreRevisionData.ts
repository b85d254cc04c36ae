import Type from 'typebox'
import { pageSetupFields } from '../../../contract/page-setup.ts'
import { pitchFields } from '../../../contract/pitches.ts'
import { playbackFields } from '../../../contract/playback.ts'
import { DateTime, extension, OneOf, Url } from '../../../contract/schema.ts'
import { engineOf, type ExportFormat, exportFormatNames, exportFormats } from '../../../engines/formats.ts'
import { fail } from '../../../errors.ts'
import { day, second } from '../../../lib/durations.ts'
import { Answer, File } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { findDefaultAudio, findDefaultPoints } from '../tracks/policy.ts'
import {
  exportFile,
  exportMediaTypes,
  exportUrl,
  findCachedExport,
  selectedParts,
  storeExport,
} from './exports.ts'
import { requestedPitches } from './export-pitches.ts'
import { isForFew } from './export-variant.ts'
import { canRead, loadScore } from './policy.ts'
import { revisionHeaders } from './present.ts'
import { recordPlay } from './views.store.ts'
import { openRevision } from './write-credits.ts'

/** Maximum playback duration of a recording that is rendered while the request waits, in seconds. */
const maxDirectPlayback = 900

/** The same for an anonymous client. */
const maxAnonymousPlayback = 300

/**
 * The headers of a file that stays the same. A browser need not ask for it again for a day, but for another account it must: the
 * credentials decide who gets the file.
 */
const immutable = {
  'Cache-Control': `private, max-age=${day / second}, immutable`,
  Vary: 'Authorization, Cookie, X-Partita-Client',
}

/**
 * Anonymous clients get no export that is large, or that is stored although few others will need it.
 * @throws EXPORT_NEEDS_ACCOUNT
 */
function checkAnonymousExport(
  format: ExportFormat,
  { isLink, isForFew }: { isLink: boolean; isForFew: boolean },
): void {
  if (format === 'wav' || (isLink && isForFew)) fail('EXPORT_NEEDS_ACCOUNT')
}

const pagesHeader = (pages: number | undefined): Record<string, string> =>
  pages === undefined ? {} : { 'X-Partita-Pages': `${pages}` }

const linkFile = (url: string) => new File(Buffer.from(JSON.stringify({ url })), 'application/json')

/** Answers with the address of an audio file at another server, or redirects to it. */
function defaultAudio(address: string, isLink: boolean, headers: Record<string, string>): Answer<File> {
  if (isLink) return new Answer(linkFile(address), { headers })
  return new Answer(new File(Buffer.alloc(0), 'text/plain'), {
    status: 302,
    headers: { ...headers, Location: address },
  })
}

export const getScoreRevisionData = operation({
  id: 'getScoreRevisionData',
  tag: 'Score',
  summary: 'Get a revision in a format',
  description:
    'Returns notation (`json`, `xml`, `mxl`, `pdf`, `svg`, `thumbnail.png`), sound (`midi`, `mp3`, ' +
    '`wav`), `synchronizationPoints` (the time at which each measure is played), `noteTimes` (when ' +
    'each note of the `svg` sounds, with its id), or `measureContents` (what is written in each measure). A recording of more than 15 minutes must first be created by an export task. Without an account, there is no ' +
    '`wav`, no new `mp3` of more than 5 minutes, and no `url` of some of the parts or of a transposed score. With `url`, the response is a ' +
    'JSON object with one field, `url`: an address of the file that needs no token and is valid for ' +
    '15 minutes.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({
    score: Type.String(),
    revision: Type.String({ description: 'The id of a revision, or `last`.' }),
    format: OneOf([...exportFormatNames, 'flat'], {
      description:
        '`pdf`, `svg`, `noteTimes` and `measureContents` are an extension; `flat` is not available.',
    }),
  }),
  query: Type.Object({
    sharingKey: Type.Optional(Type.String()),
    parts: Type.Optional(
      Type.String({
        description: 'The uuids of the parts to include, separated by commas. Defaults to all parts.',
      }),
    ),
    defaultTrack: Type.Optional(
      Type.Boolean({
        description:
          'For `mp3`: redirects to the audio file of the score’s default track; with `url`, returns its ' +
          'address. The server does not download it, so it can have another format. For ' +
          '`synchronizationPoints`: returns the times of the default track, which were checked against ' +
          'the last revision when they were set. The parameter has no effect for other formats, and if ' +
          'the caller cannot see the default track, or it has no audio file or no points.',
      }),
    ),
    page: Type.Optional(
      Type.Integer({
        ...extension,
        minimum: 1,
        description:
          'For `svg`: the number of the page. Defaults to the first page. This parameter is an ' +
          'extension.',
      }),
    ),
    ...pageSetupFields,
    ...pitchFields,
    ...playbackFields,
    url: Type.Optional(Type.Boolean()),
  }),
  responses: {
    200: {
      files: [...exportMediaTypes, 'application/octet-stream'],
      headers: {
        'x-flat-score-revision': Type.String(),
        'x-flat-score-revision-date': DateTime,
        'X-Partita-Pages': Type.Optional(
          Type.Integer({
            ...extension,
            description:
              'The number of pages of the score, with `svg` and `pdf`. The header is an extension.',
          }),
        ),
      },
    },
    302: { files: ['text/plain'], headers: { Location: Url } },
  },
  errors: [401, 402, 403, 404],
  async handle({ ctx, actor, params, query, request }) {
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const { score } = loaded
    const revision = await openRevision(ctx, score, params.revision, request)
    const { format } = params
    if (format === 'flat') fail('FORMAT_NOT_AVAILABLE', { param: 'format' })
    if (query.defaultTrack && format === 'mp3') {
      const address = await findDefaultAudio(ctx, actor, loaded)
      if (address !== undefined) {
        recordPlay(ctx, score, request.caller)
        return defaultAudio(address, query.url === true, revisionHeaders(revision))
      }
    }
    const isAudio = engineOf(exportFormats[format]) === 'audio'
    const isOfTrack = query.defaultTrack && format === 'synchronizationPoints'
    const recordingPoints = isOfTrack ? await findDefaultPoints(ctx.db.read, actor, loaded) : undefined
    const parts = selectedParts(revision, query.parts?.split(',').filter(Boolean))
    const { page, paper, staffSize, chordSymbols } = query
    const layout = format === 'svg' && query.layout === 'line' ? query.layout : undefined
    const setup = { layout, paper, staffSize, defaultPaper: ctx.config.paper }
    const pitches = requestedPitches(query)
    const options = { format, parts, page, setup, pitches, chordSymbols, recordingPoints }
    if (!actor) checkAnonymousExport(format, { isLink: query.url === true, isForFew: isForFew(options) })
    const maxPlayback = actor ? maxDirectPlayback : maxAnonymousPlayback
    if (isAudio && revision.duration > maxPlayback && !(await findCachedExport(ctx, revision, options)))
      fail(actor ? 'EXPORT_NEEDS_TASK' : 'EXPORT_NEEDS_ACCOUNT')
    const headers = revisionHeaders(revision)
    if (query.url) {
      const { blob, pages } = await storeExport(ctx, revision, options, request)
      const url = exportUrl(ctx, blob, score.title, format)
      if (isAudio) recordPlay(ctx, score, request.caller)
      return new Answer(linkFile(url), { headers: { ...headers, ...pagesHeader(pages) } })
    }
    const { file, pages } = await exportFile(ctx, revision, options, score.title, request)
    if (isAudio) recordPlay(ctx, score, request.caller)
    // The default track may get other points.
    const isFinal = params.revision !== 'last' && !isOfTrack
    return new Answer(file, { headers: { ...headers, ...pagesHeader(pages), ...(isFinal && immutable) } })
  },
})
