import type { Operation } from '../../../../src/music/editing/operation.ts'

/** What the user has changed in a score and the server does not have yet. */
export interface Draft {
  /** The id of the revision that was opened or saved last. */
  readonly revision: string
  /** The document from which the operations begin, in the JSON form. */
  readonly json: string
  readonly operations: readonly Operation[]
}

/** The drafts of one score of one user, on this device. */
export interface Drafts {
  read(): Promise<Draft | undefined>
  /** Keeps a document from which operations will begin. */
  begin(revision: string, json: string): Promise<void>
  /** Keeps the operations since then. */
  keep(operations: readonly Operation[]): Promise<void>
  /** Deletes the draft: the server has everything. */
  remove(): Promise<void>
}

const databaseName = 'partita-drafts'
const bases = 'bases'
const changes = 'changes'

/** The base is apart from the operations, which are written with each key. */
interface Base {
  readonly revision: string
  readonly json: string
}

/** @param user drafts of another user of the same browser are not read */
export function draftsOf(user: string, score: string): Drafts {
  const key = `${user} ${score}`
  let opened: Promise<IDBDatabase> | undefined
  const database = () => {
    opened ??= openDatabase()
    return opened
  }

  async function write(run: (base: IDBObjectStore, operations: IDBObjectStore) => void): Promise<void> {
    const transaction = (await database()).transaction([bases, changes], 'readwrite', {
      durability: 'relaxed',
    })
    run(transaction.objectStore(bases), transaction.objectStore(changes))
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('The draft was not written.'))
    })
  }

  return {
    async read() {
      const transaction = (await database()).transaction([bases, changes])
      const [base, operations] = await Promise.all([
        result<Base | undefined>(transaction.objectStore(bases).get(key)),
        result<readonly Operation[] | undefined>(transaction.objectStore(changes).get(key)),
      ])
      return base && { ...base, operations: operations ?? [] }
    },
    begin: (revision, json) =>
      write((base, operations) => {
        base.put({ revision, json } satisfies Base, key)
        operations.delete(key)
      }),
    keep: (list) => write((_base, operations) => operations.put(list, key)),
    remove: () =>
      write((base, operations) => {
        base.delete(key)
        operations.delete(key)
      }),
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(bases)
    request.result.createObjectStore(changes)
  }
  return result(request)
}

const result = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The draft cannot be read.'))
  })
