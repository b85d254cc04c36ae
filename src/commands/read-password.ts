import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { fail } from '../errors.ts'

/**
 * Returns the password of `--password`, otherwise prompts for it without echo or reads the first line of standard input. An argument is visible in
 * the process list and in the shell history.
 */
export const readPassword = (argument: string | undefined): Promise<string> =>
  readSecret(argument, 'password')

/** Reads a different secret in the same way. `what` is its name in words: `client secret` for `--client-secret`. */
export async function readSecret(argument: string | undefined, name: string): Promise<string> {
  const secret = argument ?? (process.stdin.isTTY ? await typedSecret(name) : await pipedSecret())
  if (secret) return secret
  return fail('INVALID_PARAMETER', {
    message: `A ${name} is missing. Type it, pipe it in, or pass it with --${name.replaceAll(' ', '-')}.`,
  })
}

async function typedSecret(name: string): Promise<string> {
  process.stderr.write(`${name.charAt(0).toUpperCase()}${name.slice(1)}: `)
  const noEcho = new Writable({ write: (_bytes, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: noEcho, terminal: true })
  const answer = Promise.withResolvers<string>()
  // Ctrl-C and Ctrl-D.
  terminal.once('close', () => answer.resolve(''))
  terminal.question('').then(answer.resolve, answer.reject)
  try {
    return await answer.promise
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

async function pipedSecret(): Promise<string | undefined> {
  for await (const line of createInterface({ input: process.stdin })) return line
  return undefined
}
