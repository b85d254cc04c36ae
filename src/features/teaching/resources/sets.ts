import {
  type Grade,
  gradeNames,
  type TeachingTheme,
  teachingThemes,
} from '../../../contract/edu-resources.ts'

/**
 * Encodes a set of known values as a bit mask. A query can then match any of several values without another
 * table. The database stores the bits, so the order of the values in `all` must not change.
 */
function bitsOf<Value extends string>(all: readonly Value[], values: readonly Value[]): number {
  return all.reduce((bits, value, index) => (values.includes(value) ? bits | (1 << index) : bits), 0)
}

/** Decodes a bit mask to its values, in the order of `all`. */
function valuesOf<Value extends string>(all: readonly Value[], bits: number): Value[] {
  return all.filter((_, index) => bits & (1 << index))
}

export const subjectBits = (subjects: readonly TeachingTheme[]): number => bitsOf(teachingThemes, subjects)
export const subjectsOf = (bits: number): TeachingTheme[] => valuesOf(teachingThemes, bits)
export const gradeBits = (grades: readonly Grade[]): number => bitsOf(gradeNames, grades)
export const gradesOf = (bits: number): Grade[] => valuesOf(gradeNames, bits)
