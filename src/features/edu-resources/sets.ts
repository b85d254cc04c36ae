import { type Grade, gradeNames, type TeachingTheme, teachingThemes } from '../../contract/edu-resources.ts'

/**
 * Sets of a few known values as one number, a bit for each value, so that a query finds those that have any of several
 * without a table beside it. The bits stand in the database: values keep their places in their lists.
 */
function bitsOf<Value extends string>(all: readonly Value[], values: readonly Value[]): number {
  return all.reduce((bits, value, index) => (values.includes(value) ? bits | (1 << index) : bits), 0)
}

/** The values of the set, in the order of all there are. */
function valuesOf<Value extends string>(all: readonly Value[], bits: number): Value[] {
  return all.filter((_, index) => bits & (1 << index))
}

export const subjectBits = (subjects: readonly TeachingTheme[]): number => bitsOf(teachingThemes, subjects)
export const subjectsOf = (bits: number): TeachingTheme[] => valuesOf(teachingThemes, bits)
export const gradeBits = (grades: readonly Grade[]): number => bitsOf(gradeNames, grades)
export const gradesOf = (bits: number): Grade[] => valuesOf(gradeNames, bits)
