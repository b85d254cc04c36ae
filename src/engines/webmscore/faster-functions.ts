import {
  add,
  block,
  branch,
  branchIf,
  call,
  constant,
  double,
  drop,
  end,
  get,
  integers,
  isAtLeast,
  isDifferent,
  isEqual,
  isLess,
  leave,
  load,
  load16,
  load64,
  loop,
  set,
  store,
  store8,
  store64,
  subtract,
  tee,
  when,
} from './wasm-code.ts'

export interface Replacement {
  /** From 0, without imported functions. */
  readonly index: number
  /** The start of the SHA-256 of the function’s code. */
  readonly expected: string
  replace(body: Uint8Array): Uint8Array
}

/** The address of a function in the module, counted without the imported functions. */
const ofOwn = (index: number): number => index - importedFunctions
const importedFunctions = 103
/** Functions of the engine that the new code calls. */
const free = 109
const copyString = 308
const isEqualFraction = 309

/** Where the engine keeps the fields of an object of a score. */
const field = { type: 4, parent: 8, score: 28 } as const
const tie = 30
/** In a score: whether its spanners (slurs, hairpins and others) must be sorted again before they are searched. */
const spannersChanged = 764

/**
 * `Spanner::setTick` and `setTicks`. They make the engine sort all spanners again before the next system, and compute where
 * playback reaches the spanner. The engine calls them for each tie of a system, but ties are not among the spanners that it sorts.
 * Ours do nothing else for a tie, and nothing for playback.
 * @param fraction the place of the fraction
 * @param played the place of the tick of playback
 */
function setTickOfSpanner(fraction: number, played: number): Uint8Array {
  const [self, value, score] = [0, 1, 2]
  return Uint8Array.from([
    ...integers(1),
    ...[...get(self), ...constant(fraction), ...add, ...get(value), ...call(isEqualFraction), ...when(leave)],
    ...[...get(self), ...get(value), ...load64(0), ...store64(fraction)],
    ...[...get(self), ...get(value), ...load64(8), ...store64(fraction + 8)],
    ...[...get(self), ...constant(0), ...store(played)],
    ...[...get(self), ...load(field.score), ...tee(score)],
    ...when([
      ...[...get(self), ...load(field.type), ...constant(tie), ...isDifferent],
      ...when([...get(score), ...constant(1), ...store8(spannersChanged)]),
    ]),
    ...end,
  ])
}

/**
 * `EngravingObject::removeChild` looks through the whole list of children, which can have thousands. Ours looks from both ends and
 * stops when it has found the child. Fields: children at 16 (last, first, size); in a node: before, after, child.
 */
function removeChild(): Uint8Array {
  const [self, child, first, last, list, node] = [0, 1, 2, 3, 4, 5]
  const found = (cursor: number) => [...get(cursor), ...set(node), ...branch(2)]
  const isChild = (cursor: number) => [...get(cursor), ...load(8), ...get(child), ...isEqual]
  return Uint8Array.from([
    ...integers(4),
    ...[...get(child), ...load(field.parent), ...get(self), ...isDifferent, ...when(leave)],
    ...[...get(child), ...constant(0), ...store(field.parent)],
    ...[...get(self), ...constant(16), ...add, ...tee(list), ...load(4), ...set(first)],
    ...[...get(list), ...load(0), ...set(last)],
    ...block(
      block(
        loop(
          [...get(first), ...get(list), ...isEqual, ...branchIf(2)],
          [...isChild(first), ...when(found(first))],
          [...isChild(last), ...when(found(last))],
          [...get(first), ...load(4), ...set(first)],
          [...get(last), ...load(0), ...set(last)],
          branch(0),
        ),
      ),
      [...get(node), ...load(0), ...get(node), ...load(4), ...store(4)],
      [...get(node), ...load(4), ...get(node), ...load(0), ...store(0)],
      [...get(list), ...get(list), ...load(8), ...constant(1), ...subtract, ...store(8)],
      [...get(node), ...call(free)],
    ),
    ...end,
  ])
}

/** Surrogates and the private use area, where music fonts have their symbols. */
const firstSymbol = 0xd800
const lastSymbol = 0xf900
/** The address of the empty text. */
const emptyText = 3_837_232

/**
 * `text2syms` makes a table of three thousand symbols for each syllable. Ours returns a text without symbols of music fonts as it
 * is, and leaves other texts to the engine. A text points to its data: size at 4, and the place of its letters at 12, of two
 * bytes each.
 */
function textToSymbols(body: Uint8Array): Uint8Array {
  const [result, text, data, letter, last] = [0, 1, 7, 8, 9]
  const ownLocals = integers(5).length
  return Uint8Array.from([
    ...integers(8),
    ...block(
      block(
        [...get(text), ...load(0), ...tee(data), ...get(data), ...load(12), ...add, ...tee(letter)],
        [...get(data), ...load(4), ...double, ...add, ...set(last)],
        loop(
          [...get(letter), ...get(last), ...isAtLeast, ...branchIf(1)],
          [...get(letter), ...load16(0), ...constant(firstSymbol), ...subtract],
          [...constant(lastSymbol - firstSymbol), ...isLess, ...branchIf(2)],
          [...get(letter), ...constant(2), ...add, ...set(letter), ...branch(0)],
        ),
      ),
      [...get(result), ...get(text), ...call(copyString), ...drop, ...leave],
    ),
    ...body.subarray(ownLocals),
  ])
}

/**
 * `matchRepeat` compiles eight regular expressions for each text, to find “D.C. al Fine” and the like in lower case. Ours returns at
 * once if the text does not begin with the first letter of any of them.
 */
function matchRepeat(body: Uint8Array): Uint8Array {
  const [result, text, data] = [0, 1, 2]
  const locals = integers(10)
  const isFirst = (letter: string) => [
    ...[...get(data), ...get(data), ...load(12), ...add, ...load16(0)],
    ...[...constant(letter.charCodeAt(0)), ...isEqual, ...branchIf(0)],
  ]
  return Uint8Array.from([
    ...locals,
    ...block([...get(text), ...load(0), ...set(data)], ...['d', 't', 'f'].map(isFirst), [
      ...get(result),
      ...constant(emptyText),
      ...store(0),
      ...leave,
    ]),
    ...body.subarray(locals.length),
  ])
}

/** The address of a pointer that is empty until the engine asks for its register of objects. */
const emptyPointer = 4_173_508

/** In the order of their places in the module. */
export const replacements: readonly Replacement[] = [
  { index: ofOwn(645), expected: 'e984a4608563f580', replace: () => setTickOfSpanner(224, 264) },
  { index: ofOwn(1803), expected: 'f0f1a47afdc29faf', replace: () => setTickOfSpanner(240, 268) },
  {
    // `EngravingObject::elementsProvider` looks for a register of all objects, which only MuseScore’s own diagnostics have.
    index: ofOwn(3667),
    expected: 'c939ebf71978f0b6',
    replace: () => Uint8Array.from([...integers(0), ...constant(emptyPointer), ...end]),
  },
  { index: ofOwn(13_665), expected: '11a752e33398bd9c', replace: removeChild },
  { index: ofOwn(23_618), expected: 'a1007d3d7065b569', replace: textToSymbols },
  { index: ofOwn(23_712), expected: '791f8d49a3760b8e', replace: matchRepeat },
  {
    // `PlaybackModel::load` makes the events of playback, which is never used.
    index: ofOwn(24_886),
    expected: 'bb66311888d98b80',
    replace: () => Uint8Array.from([...integers(0), ...end]),
  },
]
