import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interfacePage } from './interface-page.ts'

const path = join(import.meta.dirname, '../docs/interface.md')
writeFileSync(path, interfacePage(readFileSync(path, 'utf8')))
