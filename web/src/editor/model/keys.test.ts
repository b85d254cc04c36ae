import { describe, expect, it } from 'vitest'
import { commands, commandsOfKeys } from './commands.ts'
import { type Key, lookUp, nameOfKey } from './keys.ts'

const press = (key: string, others: Partial<Key> = {}): Key => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...others,
})
const commandOf = (key: Key) => lookUp(key, commandsOfKeys)?.id

describe('a key', () => {
  it.each([
    ['C', press('c')],
    ['C', press('C')],
    ['Shift+C', press('C', { shiftKey: true })],
    ['Ctrl+Shift+Z', press('z', { metaKey: true, shiftKey: true })],
    ['Alt+ArrowUp', press('ArrowUp', { altKey: true })],
    ['Shift+ArrowLeft', press('ArrowLeft', { shiftKey: true })],
    ['+', press('+', { shiftKey: true })],
    ['Space', press(' ')],
  ])('has the name %s', (name, key) => {
    expect(nameOfKey(key)).toBe(name)
  })
})

describe('the commands', () => {
  it('have no key and no name twice', () => {
    const keys = commands.flatMap((command) => command.keys)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
  })

  it.each([
    ['noteG', press('g')],
    ['chordG', press('G', { shiftKey: true })],
    ['rest', press('0')],
    ['value-quarter', press('5')],
    ['value-whole', press('7', { code: 'Numpad7' })],
    ['undo', press('z', { ctrlKey: true })],
    ['redo', press('Z', { ctrlKey: true, shiftKey: true })],
    ['commands', press('k', { metaKey: true })],
  ])('%s is found by its key', (id, key) => {
    expect(commandOf(key)).toBe(id)
  })

  it('find a digit by its place on a French keyboard, but not with Shift', () => {
    expect(commandOf(press('(', { code: 'Digit5' }))).toBe('value-quarter')
    expect(commandOf(press('%', { code: 'Digit5', shiftKey: true }))).toBeUndefined()
  })

  it('leave keys of the browser alone', () => {
    expect(commandOf(press('r', { ctrlKey: true }))).toBeUndefined()
    expect(commandOf(press('Tab'))).toBeUndefined()
    expect(commandOf(press('c', { ctrlKey: true, altKey: true }))).toBeUndefined()
  })
})
