import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { File } from '../answer.ts'
import { fail } from '../errors.ts'

interface Range {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

/**
 * Sets status and headers of a file of which the client can ask for a part (RFC 9110, section 14). Returns the bytes to send.
 * @param tag the entity tag of the file without quotes, for `If-Range`
 * @throws RANGE_NOT_SATISFIABLE
 */
export function rangeContent(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, read }: NonNullable<File['ranges']>,
  tag: string | undefined,
): Readable {
  const { range: asked, 'if-range': condition } = request.headers
  const isCurrent = condition === undefined || String(reply.getHeader('ETag')) === condition
  const range = asked !== undefined && isCurrent && tag !== undefined ? rangeIn(asked, size) : undefined
  reply.header('Accept-Ranges', 'bytes')
  if (range === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${size}`)
    fail('RANGE_NOT_SATISFIABLE')
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) reply.status(206).header('Content-Range', `bytes ${start}-${end}/${size}`)
  reply.header('Content-Length', end - start + 1)
  return request.method === 'HEAD' ? Readable.from([]) : read(start, end)
}

/**
 * Returns the range that a header asks for, within the file. Undefined if the header is invalid or asks for several ranges,
 * which a server may ignore.
 * @param size number of bytes of the file
 */
function rangeIn(header: string, size: number): Range | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return undefined
  const [start, end] =
    first === ''
      ? [Math.max(0, size - Number(last)), size - 1]
      : [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined
  return start > end ? 'unsatisfiable' : { start, end }
}
