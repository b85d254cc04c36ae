import type { Element, ScoreDocument } from '../../model/document.ts'
import { alwaysArrays } from './arrays.ts'

/** The keys that are reserved. An attribute with such a name is written with two dollar signs. */
export const reserved = new Set(['uuid', 'order'])

/**
 * Text that needs no escape in a JSON string (RFC 8259, section 7). Surrogates need none only in pairs, so
 * they do not match.
 */
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/**
 * Writes the score in the JSON form (docs/json-format.md): the tree of elements with its order and uuids,
 * without loss. The same document always gives the same text.
 */
export function writeJson(document: ScoreDocument): string {
  return `{"score-partwise":${elementJson(document.root)}}`
}

function elementJson(element: Element): string {
  let json = ''
  if (element.uuid !== undefined) json = `"$uuid":${quote(element.uuid)}`
  for (const name in element.attributes) {
    if (json !== '') json += ','
    json += `"${reserved.has(name) ? '$$' : '$'}${name}":${quote(element.attributes[name] ?? '')}`
  }
  if (element.children.length > 0) {
    if (json !== '') json += ','
    json += childrenJson(element.children)
  } else if (json === '') {
    return quote(element.text)
  } else if (element.text !== '') {
    json += `,"#text":${quote(element.text)}`
  }
  return `{${json}}`
}

function childrenJson(children: readonly Element[]): string {
  const groups = new Map<string, Element[]>()
  let interleaved = false
  let previous = ''
  for (const child of children) {
    const group = groups.get(child.name)
    if (group === undefined) groups.set(child.name, [child])
    else {
      group.push(child)
      if (child.name !== previous) interleaved = true
    }
    previous = child.name
  }
  let json = interleaved ? `"$order":${orderJson(children)}` : ''
  for (const [name, group] of groups) {
    if (json !== '') json += ','
    const [first] = group
    if (first !== undefined && group.length === 1 && !alwaysArrays.has(name))
      json += `"${name}":${elementJson(first)}`
    else json += `"${name}":[${group.map(elementJson).join(',')}]`
  }
  return json
}

/**
 * The names of the children in order. A run of one name is the name and, if it is longer than one, its
 * length.
 */
function orderJson(children: readonly Element[]): string {
  const runs: string[] = []
  let start = 0
  for (const [index, { name }] of children.entries()) {
    if (children[index + 1]?.name === name) continue
    const length = index + 1 - start
    runs.push(length === 1 ? `"${name}"` : `"${name}",${length}`)
    start = index + 1
  }
  return `[${runs.join(',')}]`
}

function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text)
}
