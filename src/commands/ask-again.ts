import { createInterface } from 'node:readline/promises'
import { fail } from '../errors.ts'

/**
 * Asks the user to confirm by typing the name.
 * @throws INVALID_PARAMETER for a different name, or without a terminal
 */
export async function confirmName(name: string): Promise<void> {
  if (!process.stdin.isTTY) {
    fail('INVALID_PARAMETER', { message: 'This cannot be undone. Without a terminal, confirm with --yes.' })
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const typed = await terminal.question(`This cannot be undone. Type ${name} to continue: `)
    if (typed.trim() !== name) fail('INVALID_PARAMETER', { message: 'Cancelled. Nothing was changed.' })
  } finally {
    terminal.close()
  }
}
