import type { Command } from 'commander'
import { commandWithSettings, configOf } from './command-line.ts'

export function openapiCommand(): Command {
  return commandWithSettings('openapi', 'Print the OpenAPI document').action(async (options) => {
    const { openapiDocument } = await import('../contract/openapi.ts')
    const { operations } = await import('../operations.ts')
    const document = openapiDocument(Object.values(operations), configOf(options).publicUrl)
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  })
}
