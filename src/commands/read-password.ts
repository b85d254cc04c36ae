import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { fail } from '../errors.ts'

/**
 * Returns the password of `--password`, otherwise prompts for it without echo or reads the first line of standard input. An argument is visible in
 * the process list and in the shell history.
 */
export const readPassword = (given: string | undefined): Promise<string> => readSecret(given, 'password')

/** Reads a different secret in the same way. `what` is its name in words: `client secret` for `--client-secret`. */
export async function readSecret(given: string | undefined, what: string): Promise<string> {
  const secret = given ?? (process.stdin.isTTY ? await typedSecret(what) : await pipedSecret())
  if (secret) return secret
  return fail('INVALID_PARAMETER', {
    message: `A ${what} is missing. Type it, pipe it in, or pass it with --${what.replaceAll(' ', '-')}.`,
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
