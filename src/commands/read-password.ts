import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { fail } from '../errors.ts'

/**
 * The password of `--password`; without it, what is typed unseen or the first line that is piped in. An argument stands in
 * the list of processes and in the history of the shell for others to read.
 */
export async function readPassword(given: string | undefined): Promise<string> {
  const password = given ?? (process.stdin.isTTY ? await typedPassword() : await pipedPassword())
  if (password) return password
  return fail('INVALID_PARAMETER', {
    param: 'password',
    message: 'A password is missing: type it, pipe it in, or give it with --password.',
  })
}

async function typedPassword(): Promise<string> {
  process.stderr.write('Password: ')
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

async function pipedPassword(): Promise<string | undefined> {
  for await (const line of createInterface({ input: process.stdin })) return line
  return undefined
}
