import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { storeStudents } from '../../../../test/support/large-class.ts'
import { makeReviewedAssignment } from '../../../../test/support/reviews.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { submissionsOf } from '../../../../test/support/submissions.ts'
import { readBack } from '../../../../test/support/workbooks.ts'

describeApp('exportSubmissionsReviewsAsExcel', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('has the same cells as the CSV with typed numbers and dates, below a bold, frozen header with filters', async () => {
    const { at, columns, rows } = await makeReviewedAssignment(app, people)
    const reply = await people.tess.get(`${at}/excel`)
    expect(reply.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    )
    expect(reply.headers.get('content-disposition')).toMatch(/\.xlsx$/)
    const { rows: read, look } = await readBack(reply.bytes)
    const expected: unknown[][] = [columns, ...rows]
    // Excel stores dates as fractions of a day, so the parsed value may be off by a rounding error.
    const isNear = (one: unknown, other: unknown) =>
      one instanceof Date && other instanceof Date && Math.abs(one.getTime() - other.getTime()) <= 2
    const settled = read.map((row, y) =>
      row.map((cell, x) => (isNear(cell, expected[y]?.[x]) ? expected[y]?.[x] : (cell ?? undefined))),
    )
    expect(settled).toEqual(expected)
    const bold = [...'ABCDEFGHIJKLM'].map((column) => `${column}1`)
    expect(look).toEqual({ filters: ['A1:M4'], frozenRows: [1], bold, formulas: 0 })
  })

  it('exports a class of 2,000 students', async () => {
    const { id, tess } = people
    const schoolClass = await newClass(app, id, { teachers: [tess] })
    const assignment = await newAssignment(tess, schoolClass)
    await storeStudents(app, id, schoolClass, 2000, assignment)
    const { rows } = await readBack((await tess.get(`${submissionsOf(schoolClass, assignment)}/excel`)).bytes)
    expect(rows).toHaveLength(2001)
    expect(rows.slice(1).map((row) => row[10])).toEqual(Array.from({ length: 2000 }, () => 1))
  })
})
