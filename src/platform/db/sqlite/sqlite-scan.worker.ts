import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import type { ScanAnswer, ScanRequest } from './sqlite-scans.ts'

const { path } = workerData as { path: string }
let connection: SqliteConnection | undefined

parentPort?.on('message', ({ id, statement, values }: ScanRequest) => {
  parentPort?.postMessage({ id, ...answer({ statement, values }) } as ScanAnswer)
})

function answer({ statement, values }: Omit<ScanRequest, 'id'>) {
  try {
    connection ??= openSqliteConnection(path, { readOnly: true })
    return { result: connection.run(statement, values) }
  } catch (thrown) {
    // The codes of an error would be lost on the way to the other thread.
    const { message, code, errcode } = thrown as Error & { code?: unknown; errcode?: unknown }
    return { error: { message, code, errcode } }
  }
}
