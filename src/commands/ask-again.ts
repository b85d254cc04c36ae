import { createInterface } from 'node:readline/promises'
import { fail } from '../errors.ts'

/** Has a person type the name of what cannot be got back. @throws INVALID_PARAMETER for another one, or where nobody can */
export async function checkIsMeant(name: string): Promise<void> {
  if (!process.stdin.isTTY) {
    fail('INVALID_PARAMETER', { message: 'This cannot be undone: give --yes where nobody can be asked.' })
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const typed = await terminal.question(`This cannot be undone. Type ${name} to go on: `)
    if (typed.trim() !== name) fail('INVALID_PARAMETER', { message: 'Nothing was done.' })
  } finally {
    terminal.close()
  }
}
