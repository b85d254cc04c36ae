import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fairQueue, type QueuedWork } from './fair-queue.ts'

interface Work extends QueuedWork {
  name: string
}

const of = (caller: string, name: string, cost = 1): Work => ({ callers: [caller], name, cost })

const newQueue = (limits = {}) => fairQueue<Work>({ total: 10_000, perCaller: 10_000, ...limits })

function orderOf(queue: ReturnType<typeof newQueue>): string {
  const names = []
  for (let next = queue.take(); next; next = queue.take()) names.push(next.work.name)
  return names.join(' ')
}

it('serves the work of one caller in the order of its arrival', () => {
  const queue = newQueue()
  for (const name of ['1', '2', '3']) queue.add(of('a', name))
  expect(queue).toHaveLength(3)
  expect(orderOf(queue)).toBe('1 2 3')
  expect(queue.take()).toBeUndefined()
})

it('serves callers in turn, however much work one of them has', () => {
  const queue = newQueue()
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(of('a', name))
  queue.add(of('b', 'b1'))
  queue.add(of('c', 'c1'))
  queue.add(of('b', 'b2'))
  expect(orderOf(queue)).toBe('a1 b1 c1 a2 b2 a3 a4')
})

it('serves a new caller before the rest of a queue that a busy caller filled', () => {
  const queue = newQueue()
  for (let index = 1; index <= 5; index++) queue.add(of('busy', `busy${index}`))
  expect([queue.take(), queue.take()].map((next) => next?.work.name)).toEqual(['busy1', 'busy2'])
  queue.add(of('quiet', 'quiet'))
  expect(orderOf(queue)).toBe('quiet busy3 busy4 busy5')
})

it('serves a caller with expensive work less often', () => {
  const queue = newQueue()
  for (let index = 1; index <= 3; index++) queue.add(of('wav', `W${index}`, 4))
  for (let index = 1; index <= 9; index++) queue.add(of('page', `p${index}`, 1))
  expect(orderOf(queue)).toBe('W1 p1 p2 p3 p4 W2 p5 p6 p7 p8 W3 p9')
})

it('gives no credit for the time in which a caller had no work', () => {
  const queue = newQueue()
  for (let index = 0; index < 50; index++) queue.add(of('a', `a${index}`))
  for (let index = 0; index < 50; index++) queue.take()
  for (const name of ['a1', 'a2', 'a3']) queue.add(of('a', name))
  for (const name of ['b1', 'b2', 'b3']) queue.add(of('b', name))
  expect(orderOf(queue)).toBe('b1 a1 b2 a2 b3 a3')
})

it('serves shared work at the first turn of any of its callers, and charges only that one', () => {
  const queue = newQueue()
  const callers = ['busy']
  queue.add(of('busy', 'busy1', 3))
  queue.add({ name: 'shared', callers, cost: 3 })
  queue.add(of('quiet', 'quiet1', 1))
  expect(queue.take()?.work.name).toBe('busy1')
  callers.push('late')
  expect(queue.take()).toMatchObject({ work: { name: 'shared' }, caller: 'late' })
  expect(queue.take()?.work.name).toBe('quiet1')
})

it('passes over work that cannot start', () => {
  const queue = newQueue()
  queue.add(of('a', 'a1'))
  queue.add(of('b', 'b1'))
  expect(queue.take((_, caller) => caller === 'b')?.work.name).toBe('b1')
  expect(queue.take((_, caller) => caller === 'b')).toBeUndefined()
  expect(queue).toHaveLength(1)
})

it('removes work', () => {
  const queue = newQueue()
  const works = ['1', '2'].map((name) => of('a', name))
  for (const work of works) queue.add(work)
  expect(works.map((work) => queue.remove(work))).toEqual([true, true])
  expect(queue.remove(works[0] as Work)).toBe(false)
  expect(queue).toHaveLength(0)
})

it('refuses a caller that has its maximum of waiting work, and no other caller', () => {
  const queue = newQueue({ perCaller: 2 })
  queue.add(of('a', 'a1'))
  queue.add(of('a', 'a2'))
  expect(() => queue.add(of('a', 'a3'))).toThrow(
    expect.objectContaining({ code: 'SERVER_BUSY', message: expect.stringContaining('too many requests') }),
  )
  queue.add(of('b', 'b1'))
  queue.add({ name: 'shared', callers: ['a', 'b'], cost: 1 })
  expect([...queue].map(({ name }) => name)).toEqual(['a1', 'a2', 'b1', 'shared'])
})

it('makes room in a full queue at the cost of the caller with the most waiting work', () => {
  const queue = newQueue({ total: 4 })
  for (const name of ['a1', 'a2', 'a3']) queue.add(of('a', name))
  queue.add({ name: 'shared', callers: ['a', 'c'], cost: 1 })
  const namesRemovedFor = (work: Work) => queue.add(work).map(({ name }) => name)
  expect(namesRemovedFor(of('b', 'b1'))).toEqual(['a3'])
  expect(namesRemovedFor(of('b', 'b2'))).toEqual(['a2'])
  expect(() => queue.add(of('b', 'b3'))).toThrow(expect.objectContaining({ code: 'SERVER_BUSY' }))
  expect([...queue].map(({ name }) => name)).toEqual(['a1', 'shared', 'b1', 'b2'])
})

it('makes room at the cost of shared work when one caller shares all work of the others', () => {
  const queue = newQueue({ total: 6 })
  const works = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((name) => ({
    name,
    callers: [name.charAt(0)],
    cost: 1,
  }))
  for (const work of works) queue.add(work)
  for (const { callers } of works) callers.push('joins')
  expect(queue.add(of('c', 'c1')).map(({ name }) => name)).toEqual(['b3'])
  expect(queue.add(of('d', 'd1')).map(({ name }) => name)).toEqual(['a3'])
  expect(() => queue.add(of('joins', 'joins1'))).toThrow(expect.objectContaining({ code: 'SERVER_BUSY' }))
})

it('does not remove the work that a quiet caller shares with a busy one', () => {
  const queue = newQueue({ total: 3 })
  queue.add(of('busy', 'busy1'))
  queue.add(of('busy', 'busy2'))
  queue.add({ name: 'shared', callers: ['busy', 'quiet'], cost: 1 })
  expect(queue.add(of('late', 'late')).map(({ name }) => name)).toEqual(['busy2'])
})

it('reads the callers of each work a constant number of times, however many works it removes', () => {
  const queue = newQueue({ total: 300 })
  let reads = 0
  const callers = {
    *[Symbol.iterator]() {
      reads++
      yield 'busy'
    },
  }
  for (let index = 0; index < 300; index++) queue.add({ name: '', callers, cost: 1 })
  reads = 0
  expect(queue.add(of('quiet', 'large', 100))).toHaveLength(100)
  expect(reads).toBe(2 * 300)
})

it('limits the cost of waiting work, and not its number', () => {
  const queue = newQueue({ total: 20, perCaller: 10 })
  expect(queue.add(of('large', 'large', 15))).toEqual([])
  expect(() => queue.add(of('large', 'more', 1))).toThrow(expect.objectContaining({ code: 'SERVER_BUSY' }))
  for (let index = 1; index <= 5; index++) queue.add(of('small', `small${index}`))
  expect(queue.add(of('other', 'other', 6)).map(({ name }) => name)).toEqual(['large'])
})

it('serves a caller less often after work that cost more than expected', () => {
  const queue = newQueue()
  for (const name of ['a1', 'a2', 'a3']) queue.add(of('a', name))
  for (const name of ['b1', 'b2', 'b3', 'b4']) queue.add(of('b', name))
  expect(queue.take()?.work.name).toBe('a1')
  queue.charge('a', 2)
  expect(orderOf(queue)).toBe('b1 b2 b3 a2 b4 a3')
})

it('serves two callers with waiting work the same cost, up to one work of each', () => {
  const costs = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(costs, costs, (ofA, ofB) => {
      const queue = newQueue()
      for (const cost of ofA) queue.add(of('a', '', cost))
      for (const cost of ofB) queue.add(of('b', '', cost))
      const served = { a: 0, b: 0 }
      const bound = Math.max(...ofA) + Math.max(...ofB)
      const left = { a: ofA.length, b: ofB.length }
      while (left.a > 0 && left.b > 0) {
        const { work, caller } = queue.take() as { work: Work; caller: 'a' | 'b' }
        served[caller] += work.cost
        left[caller]--
        expect(Math.abs(served.a - served.b)).toBeLessThanOrEqual(bound)
      }
    }),
  )
})
