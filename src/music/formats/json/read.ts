import { fail } from '../../../errors.ts'
import { type JsonLimits, jsonExcess } from '../../../lib/json-shape.ts'
import { type Element, newAttributes, noAttributes, type ScoreDocument } from '../../model/document.ts'
import {
  excerpt,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_TOGETHER,
  MAX_DEPTH,
  MAX_ELEMENTS,
  MAX_NAMES,
  MAX_XML_BYTES,
  maxFor,
  optionalValueFault,
  scoreFault,
  valueFault,
} from '../../model/limits.ts'
import { isXmlName, isXmlText } from '../../xml/xml-characters.ts'
import { reserved } from './write.ts'

/**
 * The maximum length of JSON in characters. MAX_XML_BYTES of XML never become longer, so every score that was
 * read as XML can be read as JSON.
 */
export const MAX_JSON_LENGTH = 4 * MAX_XML_BYTES

/**
 * Reads the JSON form (docs/json-format.md), with all that XML would be refused for.
 * Fails with INVALID_SCORE_JSON, naming the path of the element that is wrong (or the character, when it is not JSON),
 * or with PAYLOAD_TOO_LARGE above MAX_JSON_LENGTH.
 */
export function readJson(text: string): ScoreDocument {
  if (text.length > MAX_JSON_LENGTH) {
    fail('PAYLOAD_TOO_LARGE', {
      message: `The JSON has ${text.length} characters, more than ${MAX_JSON_LENGTH}.`,
    })
  }
  checkShape(text)
  return readOwnJson(text)
}

/** The same for the output of `writeJson`, without the checks against JSON that is costly to parse. */
export function readOwnJson(text: string): ScoreDocument {
  const root = treeOf(parse(text), text.length)
  const fault = scoreFault(root)
  if (fault !== undefined) fail('INVALID_SCORE_JSON', { message: `${fault}.` })
  return { root, isChecked: true }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : ''
    return fail('INVALID_SCORE_JSON', { message: `This is not JSON: ${problem}.`, cause })
  }
}

/**
 * The maximum shape of a score. An element takes up to two levels, and up to three values together with its
 * entry in `$order`. An element and an attribute may have the same name.
 */
const limitsFor = (length: number): JsonLimits => ({
  depth: 2 * MAX_DEPTH + 1,
  values: maxFor(4 * MAX_ELEMENTS + MAX_ATTRIBUTES_TOGETHER, length),
  objects: maxFor(MAX_ELEMENTS, length) + 1,
  keys: 2 * MAX_NAMES,
})

const excesses: Record<keyof JsonLimits, string> = {
  depth: 'nests too deep',
  values: 'has too many values',
  objects: 'has too many elements',
  keys: 'has too many different keys',
}

/** Refuses JSON that would take much time or memory to parse. */
function checkShape(text: string): void {
  const excess = jsonExcess(text, limitsFor(text.length))
  if (excess === undefined) return
  fail('INVALID_SCORE_JSON', {
    message: `The JSON ${excesses[excess.limit]} at character ${excess.index + 1}.`,
  })
}

type JsonObject = Record<string, unknown>

/** Builds the tree of the parsed JSON, with the checks that can name a path. */
/** @param length the length of the JSON in characters */
function treeOf(json: unknown, length: number): Element {
  const path: Array<string | number> = ['score-partwise']
  const names = new Map<string, string>()
  const maxElements = maxFor(MAX_ELEMENTS, length)
  const maxAttributes = maxFor(MAX_ATTRIBUTES_TOGETHER, length)
  let elements = 0
  let attributeCount = 0

  const refuse = (problem: string): never => {
    const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${excerpt(step)}`))
    return fail('INVALID_SCORE_JSON', { message: `${steps.join('').slice(1)}: ${problem}.` })
  }

  /**
   * The name of an element or attribute from its key, without the `$` of an attribute. Each name is checked
   * once.
   */
  const nameOf = (key: string): string => {
    const known = names.get(key)
    if (known !== undefined) return known
    let name = key.startsWith('$') ? key.slice(1) : key
    if (name.startsWith('$') && reserved.has(name.slice(1))) name = name.slice(1)
    if (!isXmlName(name)) refuse(`"${excerpt(key)}" holds no name of XML`)
    names.set(key, name)
    return name
  }

  const textOf = (key: string, value: unknown): string => {
    if (typeof value !== 'string') return refuse(`${excerpt(key)} is not a string`)
    if (!isXmlText(value)) refuse(`${excerpt(key)} has a character that XML does not allow`)
    return value
  }

  const elementOf = (name: string, value: unknown, depth: number): Element => {
    elements += 1
    if (elements > maxElements) refuse(`the score has more than ${maxElements} elements`)
    if (depth > MAX_DEPTH) refuse(`elements nest deeper than ${MAX_DEPTH}`)
    const element =
      typeof value === 'string'
        ? { name, attributes: noAttributes, children: [], text: textOf('the text', value) }
        : elementOfObject(name, value, depth)
    const fault = valueFault(element) ?? optionalValueFault(element)?.fault
    if (fault !== undefined) refuse(fault)
    return element
  }

  const elementOfObject = (name: string, value: unknown, depth: number): Element => {
    if (!isObject(value)) return refuse('an element is a string or an object')
    const children: Element[] = []
    let attributes = noAttributes
    let count = 0
    let text = ''
    let uuid: string | undefined
    for (const key of Object.keys(value)) {
      if (key === '$order') continue
      if (key === '$uuid') uuid = textOf(key, value[key])
      else if (key === '#text') text = textOf(key, value[key])
      else if (key.startsWith('$')) {
        if (count === 0) attributes = newAttributes()
        count += 1
        if (count > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`)
        attributeCount += 1
        if (attributeCount > maxAttributes) refuse(`the score has more than ${maxAttributes} attributes`)
        attributes[nameOf(key)] = textOf(key, value[key])
      } else addChildren(children, nameOf(key), value[key], depth + 1)
    }
    if (text !== '' && children.length > 0) refuse('an element has #text or children, not both')
    const element: Element = {
      name,
      attributes,
      children: value.$order === undefined ? children : inOrder(children, value.$order),
      text,
    }
    if (uuid === undefined) return element
    if (name !== 'part' && name !== 'measure') refuse('only parts and measures have a $uuid')
    return { ...element, uuid }
  }

  const addChildren = (children: Element[], name: string, value: unknown, depth: number): void => {
    path.push(name)
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        path.push(index)
        children.push(elementOf(name, item, depth))
        path.pop()
      }
    } else children.push(elementOf(name, value, depth))
    path.pop()
  }

  /** The children, which are grouped by name, in the order that the runs of `$order` give. */
  const inOrder = (children: readonly Element[], order: unknown): Element[] => {
    if (!Array.isArray(order)) return refuse('$order is not an array')
    const groups = Map.groupBy(children, (child) => child.name)
    const result: Element[] = []
    const positions = new Map<string, number>()
    for (let index = 0; index < order.length; index++) {
      const name: unknown = order[index]
      const group = typeof name === 'string' ? groups.get(name) : undefined
      if (typeof name !== 'string' || group === undefined) return refuse(`$order[${index}] names no child`)
      const next: unknown = order[index + 1]
      const run = typeof next === 'number' ? next : 1
      if (typeof next === 'number') index += 1
      const from = positions.get(name) ?? 0
      if (!Number.isInteger(run) || run < 1 || from + run > group.length) {
        refuse(`$order[${index}] does not fit the ${group.length} children of the name ${excerpt(name)}`)
      }
      for (const child of group.slice(from, from + run)) result.push(child)
      positions.set(name, from + run)
    }
    if (result.length !== children.length)
      refuse(`$order has ${result.length} of ${children.length} children`)
    return result
  }

  if (!isObject(json) || Object.keys(json).length !== 1 || json['score-partwise'] === undefined) {
    return refuse('the JSON is not an object with the one key "score-partwise"')
  }
  return elementOf('score-partwise', json['score-partwise'], 1)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
