/**
 * A second process on a database: `node database-process.ts <task> <location as JSON> …`. It prints a line
 * after each step.
 */

import { migrate } from '../../src/platform/db/migrate.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { openSqliteConnection } from '../../src/platform/db/sqlite/sqlite-connection.ts'
import { insertComposer, pieceMigrations } from './pieces.ts'

const [task, locationJson = '{}', argument = ''] = process.argv.slice(2)
const location = JSON.parse(locationJson)

switch (task) {
  case 'migrate': {
    const db = await openDatabase(location)
    print('open')
    print((await migrate(db, pieceMigrations)).join(','))
    await db.close()
    break
  }
  case 'lock': {
    openSqliteConnection(location.path, { readOnly: false }).exec('BEGIN EXCLUSIVE')
    print('locked')
    // The process holds the lock until the test kills it or the test process ends.
    process.stdin.on('end', () => process.exit()).resume()
    break
  }
  case 'write': {
    const db = await openDatabase(location)
    const writers = 20
    let written = 0
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let n = 0; n < Number(argument) / writers; n++) {
          const id = `${process.pid}-${writer}-${n}`
          // Commits that were not synced also survive the death of the process.
          await db.transaction((tx) => insertComposer(tx, id), { durable: n % 2 === 0 })
          print(id)
          written++
        }
      }),
    )
    print(`wrote ${written}`)
    await db.close()
    break
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
