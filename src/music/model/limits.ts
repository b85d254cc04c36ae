import { isXmlName, isXmlText } from '../xml/xml-characters.ts'
import { childrenNamed, childText, type Element, type ScoreDocument } from './document.ts'

/** The largest MusicXML file: 64 MiB, inflated, in its own encoding. Movements of symphonies have up to 30 MiB. */
export const MAX_XML_BYTES = 64 * 1024 * 1024
/** Scores above this length, in characters or bytes, are large: they are read one at a time, with more memory. */
export const LARGE_SCORE = 10 * 1024 * 1024
/** How often a large score may have the elements, attributes and references of another score. */
const LARGE_SCORE_FACTOR = 7

/**
 * @param limit MAX_ELEMENTS, MAX_ATTRIBUTES_TOGETHER or MAX_REFERENCES
 * @param length the length of the score, in characters or bytes
 * @returns the limit for a score of that length
 */
export const maxFor = (limit: number, length: number): number =>
  length > LARGE_SCORE ? limit * LARGE_SCORE_FACTOR : limit

/** How deep elements nest; MusicXML itself needs about ten levels. */
export const MAX_DEPTH = 64
/** The attributes of one element. No element of MusicXML has more than about forty. */
export const MAX_ATTRIBUTES = 128
/** The attributes of all elements. 10 MiB of music have about 200,000. Large scores: see `maxFor`. */
export const MAX_ATTRIBUTES_TOGETHER = 600_000
/** References such as `&amp;` and `&#12354;` in a file. Lyrics in some scripts have one for each syllable. Large scores:
 * see `maxFor`. */
export const MAX_REFERENCES = 600_000
/** Different names of elements and attributes in one score. MusicXML has about 700. */
export const MAX_NAMES = 2_000
/** The DOCTYPE, in characters; that of MusicXML has some 130. */
export const MAX_DOCTYPE_LENGTH = 65_536
/** The elements of one score. 10 MiB of music have about 400,000. Large scores: see `maxFor`. */
export const MAX_ELEMENTS = 600_000
/** The parts of one score. */
export const MAX_PARTS = 1_000
/** The measures of one part. */
export const MAX_MEASURES = 20_000
/** The measures of all parts. Long symphonies have about 20,000. */
export const MAX_MEASURES_OF_PARTS = 200_000
/** `divisions` and `duration`: MIDI and every float stay exact far beyond any music at this size. */
export const MAX_DIVISIONS = 1_000_000_000
/** The sum of the durations of a part's notes and forwards, in quarter notes: more than a week of music. */
export const MAX_PART_QUARTERS = 1_000_000
/** How often a repeat may be played. */
export const MAX_REPEAT_TIMES = 1_000
/** Quarter notes per minute. The specification also allows 0, which leaves the tempo to the player. */
export const MIN_TEMPO = 1
export const MAX_TEMPO = 10_000

/** xs:decimal (XML Schema 1.0 part 2, 3.2.3), less the sign: no exponent, no INF, no NaN. */
const unsignedDecimal = /^(?:\d+\.?\d*|\.\d+)$/

/**
 * Checks a value without which the timing is unknown. Returns the problem as a sentence without its full
 * stop, or undefined. Other values may be wrong without harm and are not checked.
 */
export function valueFault(element: Element): string | undefined {
  switch (element.name) {
    case 'divisions':
      return decimalFault('<divisions>', element.text, Number.MIN_VALUE, MAX_DIVISIONS)
    case 'duration':
      return decimalFault('<duration>', element.text, 0, MAX_DIVISIONS)
    default:
      return undefined
  }
}

/**
 * Checks an attribute that could break playback, and without which the element still has a meaning. Returns its name and the
 * problem as a sentence without its full stop, or undefined.
 */
export function optionalValueFault({
  name,
  attributes,
}: Element): { attribute: string; fault: string } | undefined {
  const attribute = name === 'repeat' ? 'times' : name === 'sound' ? 'tempo' : undefined
  if (attribute === undefined) return undefined
  const fault = attribute === 'times' ? timesFault(attributes.times) : tempoFault(attributes.tempo)
  return fault === undefined ? undefined : { attribute, fault }
}

function timesFault(times: string | undefined): string | undefined {
  if (times === undefined) return undefined
  if (/^\d+$/.test(times.trim()) && Number(times) <= MAX_REPEAT_TIMES) return undefined
  return `<repeat> has times="${excerpt(times)}", not a whole number from 0 to ${MAX_REPEAT_TIMES}`
}

function tempoFault(tempo: string | undefined): string | undefined {
  if (tempo === undefined || /^0+(\.0*)?$/.test(tempo.trim())) return undefined
  return decimalFault('tempo of <sound>', tempo, MIN_TEMPO, MAX_TEMPO)
}

function decimalFault(subject: string, text: string, min: number, max: number): string | undefined {
  const value = unsignedDecimal.test(text.trim()) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return undefined
  const range = min === Number.MIN_VALUE ? `above 0 and up to ${max}` : `from ${min} to ${max}`
  return `${subject} is "${excerpt(text)}", not a decimal number ${range}`
}

/**
 * Checks a part-wise score as a whole. Returns the problem as a sentence without its full stop, or undefined.
 * The values in it must have passed `valueFault` and `optionalValueFault`.
 */
export function scoreFault(root: Element): string | undefined {
  const parts = childrenNamed(root, 'part')
  if (parts.length === 0) return 'The score has no part'
  if (parts.length > MAX_PARTS) return `The score has ${parts.length} parts, more than ${MAX_PARTS}`
  let measures = 0
  for (const [index, part] of parts.entries()) {
    const fault = partFault(part)
    if (fault !== undefined) return `Part ${index + 1}${fault}`
    measures += childrenNamed(part, 'measure').length
    if (measures > MAX_MEASURES_OF_PARTS) {
      return `Up to part ${index + 1}, the parts have more than ${MAX_MEASURES_OF_PARTS} measures together`
    }
  }
  return measures === 0 ? 'The score has no measure' : undefined
}

function partFault(part: Element): string | undefined {
  const measures = childrenNamed(part, 'measure')
  if (measures.length > MAX_MEASURES) return ` has ${measures.length} measures, more than ${MAX_MEASURES}`
  let divisions = 1
  let quarters = 0
  for (const [index, measure] of measures.entries()) {
    for (const event of measure.children) {
      if (event.name === 'attributes') divisions = Number(childText(event, 'divisions') ?? divisions)
      if (event.name === 'note' || event.name === 'forward')
        quarters += Number(childText(event, 'duration') ?? 0) / divisions
    }
    if (quarters > MAX_PART_QUARTERS) {
      return `, measure ${index + 1}: the durations of the part come to more than ${MAX_PART_QUARTERS} quarter notes`
    }
  }
  return undefined
}

/**
 * Checks all that a document must fulfil so that it can be stored and exported: the limits above, names, characters, and
 * what `valueFault`, `optionalValueFault` and `scoreFault` check. Returns the problem as a sentence without its full stop, or undefined.
 * @param length the length of the file from which the document comes, in characters or bytes
 */
export function documentFault({ root }: ScoreDocument, length = 0): string | undefined {
  if (root.name !== 'score-partwise')
    return `The root element is <${excerpt(root.name)}>, not <score-partwise>`
  const [maxElements, maxAttributes] = [maxFor(MAX_ELEMENTS, length), maxFor(MAX_ATTRIBUTES_TOGETHER, length)]
  const names = new Set<string>()
  let elements = 0
  let attributes = 0

  const nameFault = (name: string): string | undefined => {
    if (names.has(name)) return undefined
    names.add(name)
    if (names.size > MAX_NAMES) return `The score has more than ${MAX_NAMES} different names`
    return isXmlName(name) ? undefined : `"${excerpt(name)}" is no name of XML`
  }

  const attributesFault = (element: Element): string | undefined => {
    const own = Object.entries(element.attributes)
    attributes += own.length
    if (own.length > MAX_ATTRIBUTES) return `<${element.name}> has more than ${MAX_ATTRIBUTES} attributes`
    if (attributes > maxAttributes) {
      return `The score has more than ${maxAttributes} attributes`
    }
    return firstFault(own, ([name, value]) => nameFault(name) ?? textFault(element, value))
  }

  const elementFault = (element: Element, depth: number): string | undefined => {
    elements += 1
    if (elements > maxElements) return `The score has more than ${maxElements} elements`
    if (depth > MAX_DEPTH) return `The elements nest deeper than ${MAX_DEPTH}`
    const { name, children, text } = element
    if (text !== '' && children.length > 0) return `<${excerpt(name)}> has text beside elements`
    return (
      nameFault(name) ??
      attributesFault(element) ??
      textFault(element, text) ??
      valueFault(element) ??
      optionalValueFault(element)?.fault ??
      firstFault(children, (inner) => elementFault(inner, depth + 1))
    )
  }

  return elementFault(root, 1) ?? scoreFault(root)
}

function textFault({ name }: Element, text: string): string | undefined {
  return isXmlText(text) ? undefined : `<${name}> has a character that XML does not allow`
}

function firstFault<Item>(
  items: readonly Item[],
  faultOf: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Text of the file for a message: on one line, with at most `length` characters. */
export function excerpt(text: string, length = 40): string {
  const start = text.length > length ? `${text.slice(0, length)}…` : text
  return start.replaceAll(/\s+/g, ' ')
}
