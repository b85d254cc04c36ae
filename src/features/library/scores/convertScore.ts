import Type from 'typebox'
import { pageSetupFields } from '../../../contract/page-setup.ts'
import { pitchFields } from '../../../contract/pitches.ts'
import { playbackFields } from '../../../contract/playback.ts'
import { extension, OneOf } from '../../../contract/schema.ts'
import { ScoreFile } from '../../../contract/scores.ts'
import { engineOf, exportFormatNames, exportFormats } from '../../../engines/formats.ts'
import { fail } from '../../../errors.ts'
import { Answer, File } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { decodeData } from './contents.ts'
import { requestedPitches } from './export-pitches.ts'
import { exportMediaTypes } from './exports.ts'

/** The maximum size of a file, in bytes: of music that a page hands to an embed, not of archives. */
const maxBytes = 2 * 1024 * 1024

/** The maximum duration of a recording, in seconds. It is that of an export for an anonymous client. */
const maxPlayback = 300

const targets = exportFormatNames.filter((name) => name !== 'wav')

export const convertScore = operation({
  id: 'convertScore',
  tag: 'Score',
  summary: 'Convert a file without storing it',
  description:
    'Reads a score in any format that `createScore` accepts, and returns it in another one. Nothing is stored. A page that shows ' +
    'music of its own in an embed needs this. The file has at most 2 MiB, and a recording at most 5 minutes. Parts and measures of ' +
    '`json` have uuids, and keep those that a file in the JSON form has.',
  scopes: ['scores.readonly', 'scores'],
  anonymous: true,
  params: Type.Object({ format: OneOf(targets) }),
  query: Type.Object({
    parts: Type.Optional(
      Type.String({
        description: 'The uuids of the parts to include, separated by commas. Defaults to all parts.',
      }),
    ),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'For `svg`: the number of the page. Defaults to the first page.',
      }),
    ),
    ...pageSetupFields,
    ...pitchFields,
    ...playbackFields,
  }),
  body: ScoreFile,
  bodyLimit: 3 * 1024 * 1024,
  responses: {
    200: {
      files: [...exportMediaTypes, 'application/octet-stream'],
      headers: {
        'X-Partita-Pages': Type.Optional(
          Type.Integer({
            ...extension,
            description:
              'The number of pages of the score, with `svg` and `pdf`. The header is an extension.',
          }),
        ),
      },
    },
  },
  errors: [400, 401, 402],
  async handle({ ctx, params: { format }, query, body, request }) {
    const pitches = requestedPitches(query)
    const bytes = decodeData(body.data, body.dataEncoding, maxBytes)
    const waiters = { callers: [request.caller], signal: request.signal }
    const { json, durationTime } = await ctx.notation.read({ bytes }, waiters)
    const target = exportFormats[format]
    const { mediaType } = target
    const name = `score.${target.extension}`
    if (format === 'json' && query.parts === undefined && !pitches)
      return new File(Buffer.from(json), mediaType, name)
    if (engineOf(target) === 'audio' && durationTime > maxPlayback) fail('EXPORT_NEEDS_ACCOUNT')
    const { parts, page, paper, staffSize, chordSymbols } = query
    const layout = query.layout === 'line' ? query.layout : undefined
    const setup = { paper, staffSize, layout, defaultPaper: ctx.config.paper }
    let pages: number | undefined
    const onPages = (count: number) => {
      pages = count
    }
    const selected = parts?.split(',').filter(Boolean)
    const converted = await ctx.notation.write(
      {
        json,
        parts: selected?.length ? selected : undefined,
        page,
        setup,
        pitches,
        chords: chordSymbols,
        onPages,
      },
      format,
      waiters,
    )
    const headers: Record<string, string> = pages === undefined ? {} : { 'X-Partita-Pages': `${pages}` }
    return new Answer(new File(converted, mediaType, name), { headers })
  },
})
