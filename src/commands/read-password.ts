import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { fail } from '../errors.ts'

/**
 * The password of `--password`; without it, what is typed unseen or the first line that is piped in. An argument stands in
 * the list of processes and in the history of the shell for others to read.
 */
export const readPassword = (given: string | undefined): Promise<string> => readSecret(given, 'password')

/** The same for another secret: `client secret` of `--client-secret`. */
export async function readSecret(given: string | undefined, what: string): Promise<string> {
  const secret = given ?? (process.stdin.isTTY ? await typedSecret(what) : await pipedSecret())
  if (secret) return secret
  return fail('INVALID_PARAMETER', {
    message: `A ${what} is missing: type it, pipe it in, or give it with --${what.replaceAll(' ', '-')}.`,
  })
}

async function typedSecret(what: string): Promise<string> {
  process.stderr.write(`${what.charAt(0).toUpperCase()}${what.slice(1)}: `)
  const unseen = new Writable({ write: (_bytes, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true })
  const given = Promise.withResolvers<string>()
  // Ctrl-C and Ctrl-D.
  terminal.once('close', () => given.resolve(''))
  terminal.question('').then(given.resolve, given.reject)
  try {
    return await given.promise
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

async function pipedSecret(): Promise<string | undefined> {
  for await (const line of createInterface({ input: process.stdin })) return line
  return undefined
}
