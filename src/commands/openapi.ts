import type { Command } from 'commander'
import { openapiDocument } from '../contract/openapi.ts'
import { operations } from '../operations.ts'
import { commandWithSettings, configOf } from './command-line.ts'

export function openapiCommand(): Command {
  return commandWithSettings('openapi', 'Print the OpenAPI document').action((options) => {
    const document = openapiDocument(Object.values(operations), configOf(options).publicUrl)
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  })
}
