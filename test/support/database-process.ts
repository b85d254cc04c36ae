/**
 * A second process on a database, for the tests that need one: `node database-process.ts <task> <location as JSON> …`.
 * It says each thing that it has done as a line of its standard output.
 */

import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { openSqliteConnection } from '../../src/db/sqlite/sqlite-connection.ts'
import { insertComposer, pieceMigrations } from './pieces.ts'

const [task, locationJson = '{}', argument = ''] = process.argv.slice(2)
const location = JSON.parse(locationJson)

switch (task) {
  case 'migrate': {
    const db = await openDatabase(location)
    say('open')
    say((await migrate(db, pieceMigrations)).join(','))
    await db.close()
    break
  }
  case 'lock': {
    openSqliteConnection(location.path, { readOnly: false }).exec('BEGIN EXCLUSIVE')
    say('locked')
    // The lock is held until whoever wanted it ends this process, or ends itself.
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
          // Also what is not synced outlives its process.
          await db.transaction((tx) => insertComposer(tx, id), { durable: n % 2 === 0 })
          say(id)
          written++
        }
      }),
    )
    say(`wrote ${written}`)
    await db.close()
    break
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
