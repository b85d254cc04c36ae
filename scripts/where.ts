import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OperationId, routeOf, routes } from '../src/contract/routes.ts'
import { operations } from '../src/operations.ts'
import { findOperation, type Route } from './find-operation.ts'

/** `npm run where PUT /classes/1/users/2`: which operation that is, and where it is written. */
const root = join(import.meta.dirname, '..')
const [method, address] = process.argv.slice(2)

if (!method || !address) {
  console.error('Usage: npm run where <method> <path>, for example: npm run where PUT /classes/1/users/2')
  process.exitCode = 2
} else {
  const route = findOperation([...builtRoutes(), ...publishedRoutes()], method, address)
  const place = route && placeOf(route.id)
  if (!route) console.error(`No operation answers ${method.toUpperCase()} ${address}`)
  else if (!place) console.error(`${route.id} (${route.method} ${route.path}) is published and not built`)
  else console.log(`${route.id} ${place}`)
  if (!place) process.exitCode = 1
}

function builtRoutes(): Route[] {
  return Object.values(operations).flatMap(({ id, method, alsoMethod, path }) =>
    [method, ...(alsoMethod ? [alsoMethod] : [])].map((method) => ({ id, method, path })),
  )
}

function publishedRoutes(): Route[] {
  return Object.keys(routes).map((id) => ({ id, ...routeOf(id as OperationId) }))
}

/** `src/features/classes/addClassUser.ts:14`; undefined when there is no such file. */
function placeOf(id: string): string | undefined {
  const [file] = globSync(`src/features/*/${id}.ts`, { cwd: root })
  if (!file) return undefined
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return `${file}:${lines.findIndex((line) => line.startsWith(`export const ${id} `)) + 1}`
}
