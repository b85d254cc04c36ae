/** Code of functions of 32-bit integers in the binary format (https://webassembly.github.io/spec/core/binary/instructions.html). */

export const get = (local: number) => [0x20, local]
export const set = (local: number) => [0x21, local]
export const tee = (local: number) => [0x22, local]
export const load = (offset: number) => [0x28, 2, ...unsigned(offset)]
export const load16 = (offset: number) => [0x2f, 1, ...unsigned(offset)]
export const load64 = (offset: number) => [0x29, 3, ...unsigned(offset)]
export const store = (offset: number) => [0x36, 2, ...unsigned(offset)]
export const store8 = (offset: number) => [0x3a, 0, ...unsigned(offset)]
export const store64 = (offset: number) => [0x37, 3, ...unsigned(offset)]
/** A constant that is not negative. */
export const constant = (value: number) => [0x41, ...signed(value)]
export const call = (index: number) => [0x10, ...unsigned(index)]
export const block = (...code: number[][]) => [0x02, 0x40, ...code.flat(), 0x0b]
export const loop = (...code: number[][]) => [0x03, 0x40, ...code.flat(), 0x0b]
export const when = (...code: number[][]) => [0x04, 0x40, ...code.flat(), 0x0b]
export const branch = (depth: number) => [0x0c, depth]
export const branchIf = (depth: number) => [0x0d, depth]
export const end = [0x0b]
export const leave = [0x0f]
export const drop = [0x1a]
export const isEqual = [0x46]
export const isDifferent = [0x47]
export const isLess = [0x49]
export const isAtLeast = [0x4f]
export const add = [0x6a]
export const subtract = [0x6b]
export const double = [...constant(1), 0x74]

/** The locals of a function: a number of 32-bit integers. */
export const integers = (count: number) => (count === 0 ? [0] : [1, count, 0x7f])

/** A number of the module, in LEB128. */
export function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** A positive number as a signed one, whose last byte must not have the bit of the sign. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)]
}
