import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Operation } from '../../../../src/music/editing/operation.ts'
import type { Draft, Drafts } from './drafts.ts'
import { createSaver, type SaverOptions } from './saver.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Drafts in memory. */
function memoryDrafts(): Drafts & { draft: Draft | undefined } {
  return {
    draft: undefined,
    async read() {
      return this.draft
    },
    async begin(revision, json) {
      this.draft = { revision, json, operations: [] }
    },
    async keep(operations) {
      if (this.draft) this.draft = { ...this.draft, operations }
    },
    async remove() {
      this.draft = undefined
    },
  }
}

const operation = (note: string): Operation => ({ type: 'deleteNotes', notes: [note] })

function start(options: Partial<SaverOptions<string>> = {}) {
  const drafts = memoryDrafts()
  const sent: [json: string, revision: string][] = []
  const saver = createSaver<string>({
    drafts,
    revision: 'r0',
    saved: 'start',
    document: 'start',
    isChanged: false,
    write: (document) => document,
    save: async (json, revision) => {
      sent.push([json, revision])
      return { id: `r${sent.length}` }
    },
    onSaved: () => undefined,
    ...options,
  })
  return { drafts, sent, saver, seconds: (count: number) => vi.advanceTimersByTimeAsync(count * 1000) }
}

describe('the saver', () => {
  it('keeps each change on the device at once, and saves after ten seconds without one', async () => {
    const { drafts, sent, saver, seconds } = start()
    saver.changed('a', [operation('1')])
    await seconds(9)
    saver.changed('b', [operation('1'), operation('2')])
    await seconds(9)
    expect(drafts.draft).toEqual({
      revision: 'r0',
      json: 'start',
      operations: [operation('1'), operation('2')],
    })
    expect([sent, saver.state().status]).toEqual([[], 'kept'])
    await seconds(1)
    expect(sent).toEqual([['b', 'r0']])
    expect([drafts.draft, saver.state().status, saver.revision()]).toEqual([undefined, 'saved', 'r1'])
    await seconds(60)
    expect(sent).toHaveLength(1)
  })

  it('saves after a hundred changes without a pause', async () => {
    const { sent, saver, seconds } = start()
    for (let change = 1; change <= 100; change++) saver.changed(`d${change}`, [operation('1')])
    await seconds(0)
    expect(sent).toEqual([['d100', 'r0']])
  })

  it('keeps what was changed while it was saving', async () => {
    const answer = Promise.withResolvers<{ id: string }>()
    const { drafts, saver, seconds } = start({ save: () => answer.promise })
    saver.changed('a', [operation('1')])
    void saver.flush()
    await seconds(0)
    saver.changed('b', [operation('1'), operation('2')])
    answer.resolve({ id: 'r1' })
    await seconds(0)
    expect(saver.state().status).toBe('kept')
    expect(drafts.draft).toEqual({ revision: 'r1', json: 'b', operations: [] })
  })

  it('keeps the draft and tries again when the server cannot be reached', async () => {
    let isOffline = true
    const { drafts, saver, seconds } = start({
      async save() {
        if (isOffline) throw new Error('offline')
        return { id: 'r1' }
      },
    })
    saver.changed('a', [operation('1')])
    await seconds(10)
    expect([saver.state().status, drafts.draft?.operations]).toEqual(['failed', [operation('1')]])
    isOffline = false
    await seconds(30)
    expect([saver.state().status, drafts.draft]).toEqual(['saved', undefined])
  })

  it('stops at a conflict, and still keeps each change on the device', async () => {
    const { drafts, saver, seconds } = start({ save: async () => 'conflict' })
    saver.changed('a', [operation('1')])
    await saver.flush()
    saver.changed('b', [operation('1'), operation('2')])
    await seconds(120)
    expect([saver.state().status, drafts.draft?.operations]).toEqual([
      'conflict',
      [operation('1'), operation('2')],
    ])
  })

  it('keeps the whole document if no operations lead to it from the one that was saved', async () => {
    const { drafts, saver, seconds } = start()
    saver.changed('earlier', undefined)
    await seconds(0)
    expect(drafts.draft).toEqual({ revision: 'r0', json: 'earlier', operations: [] })
  })

  it('saves a restored draft, though nothing has changed since', async () => {
    const { sent, saver } = start({ isChanged: true, document: 'restored' })
    await saver.flush()
    expect([sent, saver.state().status]).toEqual([[['restored', 'r0']], 'saved'])
  })

  it('saves on the server although the browser refuses storage', async () => {
    const refused = async () => Promise.reject(new Error('no storage'))
    const { sent, saver, seconds } = start({
      drafts: { read: refused, begin: refused, keep: refused, remove: refused },
    })
    saver.changed('a', [operation('1')])
    await seconds(10)
    expect([sent, saver.state().status]).toEqual([[['a', 'r0']], 'saved'])
  })
})
