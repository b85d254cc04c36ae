import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'

const formType = 'application/x-www-form-urlencoded'
const bodyLimit = 64 * 1024

/** Makes the routes of a scope accept forms, and no other bodies. The body is a `URLSearchParams`. */
export function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    formType,
    { parseAs: 'string', bodyLimit },
    async (_request: unknown, text: string) => parsedForm(text),
  )
}

/** @throws BAD_REQUEST for text that a database cannot store */
export function parsedForm(text: string): URLSearchParams {
  const form = new URLSearchParams(text)
  for (const [name, value] of form) if ((name + value).includes('\0')) fail('BAD_REQUEST')
  return form
}
