import { describe, expect, it } from 'vitest'
import { createEngraver, type EngravingWorker } from './engraver.ts'
import type { EngravingTask } from './messages.ts'

const task = (xml: string) => ({ xml, width: 100, isFull: false })

/** A worker that answers when the test says so. */
class FakeWorker implements EngravingWorker {
  static all: FakeWorker[] = []
  onmessage: EngravingWorker['onmessage'] = null
  onerror: EngravingWorker['onerror'] = null
  readonly tasks: EngravingTask[] = []
  isEnded = false
  constructor() {
    FakeWorker.all.push(this)
  }
  postMessage(sent: EngravingTask): void {
    this.tasks.push(sent)
  }
  terminate(): void {
    this.isEnded = true
  }
  answer(data: object): void {
    this.onmessage?.call(this as unknown as Worker, { data } as MessageEvent)
  }
  finish(): void {
    const last = this.tasks.at(-1)
    this.answer({ kind: 'done', id: last?.id, lines: [last?.xml] })
  }
}

function start() {
  FakeWorker.all = []
  const engraver = createEngraver(() => new FakeWorker())
  const worker = (index: number) => FakeWorker.all[index] as FakeWorker
  return { engraver, worker }
}

describe('the engraver', () => {
  it('does lines before the whole score, and gives up what a newer task of the same purpose replaces', async () => {
    const { engraver, worker } = start()
    const first = engraver.engrave('whole', task('whole 1'))
    worker(0).answer({ kind: 'ready' })
    const others = [
      engraver.engrave('whole', task('whole 2')),
      engraver.engrave('lines', task('lines 1')),
      engraver.engrave('lines', task('lines 2')),
    ]
    for (let count = 0; count < 3; count++) worker(0).finish()
    expect(await Promise.all([first, ...others])).toEqual([['whole 1'], ['whole 2'], undefined, ['lines 2']])
    expect(worker(0).tasks.map(({ xml }) => xml)).toEqual(['whole 1', 'lines 2', 'whole 2'])
  })

  it('starts another worker after a crash, which does the task again', async () => {
    const { engraver, worker } = start()
    const lines = engraver.engrave('lines', task('lines'))
    worker(0).answer({ kind: 'ready' })
    worker(0).answer({ kind: 'failed', id: 1 })
    expect(worker(0).isEnded).toBe(true)
    worker(1).answer({ kind: 'ready' })
    worker(1).finish()
    expect(await lines).toEqual(['lines'])
  })

  it('refuses music that ends two workers, and engraves other music', async () => {
    const { engraver, worker } = start()
    const bad = engraver.engrave('lines', task('bad'))
    const good = engraver.engrave('whole', task('good'))
    for (const index of [0, 1]) {
      worker(index).answer({ kind: 'ready' })
      worker(index).answer({ kind: 'failed', id: 1 })
    }
    await expect(bad).rejects.toThrow('could not be engraved')
    worker(2).answer({ kind: 'ready' })
    worker(2).finish()
    expect(await good).toEqual(['good'])
  })
})
