import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OperationId, routeOf, routes } from '../src/contract/routes.ts'
import { internalOperations, operations } from '../src/operations.ts'
import { findOperation, type Route } from './find-operation.ts'

/** `npm run where PUT /classes/1/users/2` prints the operation of a request and its source file. */
const root = join(import.meta.dirname, '..')
const [method, address] = process.argv.slice(2)

if (!method || !address) {
  console.error('Usage: npm run where <method> <path>, for example: npm run where PUT /classes/1/users/2')
  process.exitCode = 2
} else {
  const route = findOperation([...builtRoutes(), ...publishedRoutes()], method, address)
  const location = route && sourceOf(route.id)
  if (!route) console.error(`No operation answers ${method.toUpperCase()} ${address}`)
  else if (!location) console.error(`${route.id} (${route.method} ${route.path}) is published and not built`)
  else console.log(`${route.id} ${location}`)
  if (!location) process.exitCode = 1
}

function builtRoutes(): Route[] {
  const internal = Object.values(internalOperations).map(({ id, method, mount, path }) => ({
    id,
    method,
    path: mount + path,
  }))
  const published = Object.values(operations).flatMap(({ id, method, alsoMethod, path }) =>
    [method, ...(alsoMethod ? [alsoMethod] : [])].map((method) => ({ id, method, path })),
  )
  return [...published, ...internal]
}

function publishedRoutes(): Route[] {
  return Object.keys(routes)
    .filter((id) => !(id in internalOperations))
    .map((id) => ({ id, ...routeOf(id as OperationId) }))
}

/**
 * Returns the position of an operation, `src/features/teaching/classes/addClassUser.ts:14`, or undefined if
 * there is no file.
 */
function sourceOf(id: string): string | undefined {
  const [file] = globSync(`src/{features/*,auth,auth/*}/*/${id}.ts`, { cwd: root })
  if (!file) return undefined
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return `${file}:${lines.findIndex((line) => line.startsWith(`export const ${id} `)) + 1}`
}
