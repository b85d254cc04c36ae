import Type from 'typebox'
import { DateTime, extension, OneOf } from '../../contract/schema.ts'
import type { ExportFormat } from '../../engines/notation.ts'
import { fail } from '../../errors.ts'
import { Answer, File, operation } from '../../operation.ts'
import { findDefaultPoints } from '../score-tracks/policy.ts'
import { checkParts, exportFile, exportMediaTypes, exportUrl, findMadeExport, keepExport } from './exports.ts'
import { canRead, loadRevision, loadScore } from './policy.ts'
import { revisionHeaders } from './present.ts'
import { notePlay } from './views.ts'

/** The longest playback that is made while the caller waits, in seconds. */
const longestPlayback = 900
const audio: ReadonlySet<string> = new Set<ExportFormat>(['mp3', 'wav'])

export const getScoreRevisionData = operation({
  id: 'getScoreRevisionData',
  tag: 'Score',
  summary: 'Get a revision in a format',
  description:
    'As notation (`json`, `xml`, `mxl`, `pdf`, `svg`, `thumbnail.png`) or as sound (`midi`, `mp3`, `wav`, and ' +
    '`synchronizationPoints`: when each measure is played). Recordings of more than 15 minutes are made by an export task ' +
    'first. With `url` the answer is JSON with one field, `url`: an address of the file that needs no token and holds for ' +
    '15 minutes.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({
    score: Type.String(),
    revision: Type.String({ description: 'The id of a revision, or `last`.' }),
    format: OneOf(
      ['json', 'mxl', 'xml', 'mp3', 'wav', 'midi', 'flat', 'thumbnail.png', 'synchronizationPoints', 'pdf', 'svg'],
      { description: '`pdf` and `svg` are an extension; `flat` is not available.' },
    ),
  }),
  query: Type.Object({
    sharingKey: Type.Optional(Type.String()),
    parts: Type.Optional(
      Type.String({ description: 'The uuids of the parts that are wanted, separated by commas; all by default.' }),
    ),
    defaultTrack: Type.Optional(
      Type.Boolean({
        description:
          'Of `synchronizationPoints`: when each measure is played in the default track of the score, as far as the caller ' +
          'may see one that has points; they were checked against the last revision when they were set. Else, and for all ' +
          'other formats, it changes nothing: recordings elsewhere are not fetched.',
      }),
    ),
    page: Type.Optional(
      Type.Integer({
        ...extension,
        minimum: 1,
        description: 'Of `svg`: which page; the first by default. An extension.',
      }),
    ),
    url: Type.Optional(Type.Boolean()),
  }),
  responses: {
    200: {
      files: [...exportMediaTypes, 'application/octet-stream'],
      headers: { 'x-flat-score-revision': Type.String(), 'x-flat-score-revision-date': DateTime },
    },
  },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query, request }) {
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const { score } = loaded
    const revision = await loadRevision(ctx.db.read, score, params.revision)
    const { format } = params
    if (format === 'flat') fail('FORMAT_NOT_AVAILABLE', { param: 'format' })
    const isOfTrack = query.defaultTrack && format === 'synchronizationPoints'
    const recorded = isOfTrack ? await findDefaultPoints(ctx.db.read, actor, loaded) : undefined
    const wanted = { format, parts: query.parts?.split(',').filter(Boolean), page: query.page, recorded }
    checkParts(revision, wanted.parts)
    if (audio.has(format) && revision.duration > longestPlayback) {
      if (!(await findMadeExport(ctx.db.read, revision, wanted))) fail('EXPORT_NEEDS_TASK')
    }
    if (audio.has(format)) notePlay(ctx, score, actor?.id ?? request.address)
    const headers = revisionHeaders(revision)
    if (query.url) {
      const url = exportUrl(ctx, await keepExport(ctx, revision, wanted), score.title, format)
      return new Answer(new File(Buffer.from(JSON.stringify({ url })), 'application/json'), { headers })
    }
    return new Answer(await exportFile(ctx, revision, wanted, score.title), { headers })
  },
})
