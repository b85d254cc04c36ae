import { parse } from 'csv-parse/sync'
import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, setClassState } from '../../../../test/support/classes.ts'
import { storeStudents } from '../../../../test/support/large-class.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { makeReviewedAssignment } from '../../../../test/support/reviews.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import type { AssignmentRow } from '../assignments/store.ts'
import type { ClassRow } from '../classes/store.ts'
import { countComments } from '../submission-comments/store.ts'
import { reviewsOf } from './reviews.ts'

describeApp('exportSubmissionsReviewsAsCsv', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const parsed = ({ bytes }: { bytes: Uint8Array }): string[][] =>
    parse(Buffer.from(bytes), { bom: true, record_delimiter: '\r\n' })

  it('has a row for each student, sorted by name, with the state of the submission', async () => {
    const { at, columns, rows } = await makeReviewedAssignment(app, people)
    const reply = await people.tess.get(`${at}/csv`)
    const written = rows.map((row) =>
      row.map((cell) => (cell instanceof Date ? cell.toISOString() : cell === undefined ? '' : String(cell))),
    )
    expect(parsed(reply)).toEqual([columns, ...written])
    expect([...reply.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  })

  it('encodes the names of class and assignment safely in the file name header', async () => {
    const { at } = await makeReviewedAssignment(app, people)
    const { headers } = await people.tess.get(`${at}/csv`)
    const [, name = ''] = /filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '') ?? []
    expect(decodeURIComponent(name)).toBe('Class - Étude "1" _ 2__X-Evil: 1.csv')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="Class - _tude _1_ _ 2__X-Evil_ 1.csv";/,
    )
    expect(headers.has('x-evil')).toBe(false)
  })

  it('repeats the group submission in the row of every member', async () => {
    const { id, tess, sam, sol } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    await newSubGroup(tess, schoolClass, 'Duo', sam, sol)
    const assignment = await newAssignment(tess, schoolClass, { submissionStudentsMode: 'group' })
    const { id: submission } = await newSubmission(sam, schoolClass, assignment, { submit: true })
    await tess.put(`${submissionsOf(schoolClass, assignment)}/${submission}`, { grade: 4 })
    const [, ...rows] = parsed(await tess.get(`${submissionsOf(schoolClass, assignment)}/csv`))
    expect(
      rows.map(([, , username, , group, state, , , , grade]) => [username, group, state, grade]),
    ).toEqual([
      ['sam', 'Duo', 'graded', '4'],
      ['sol', 'Duo', 'graded', '4'],
    ])
  })

  it('works for an archived class, and refuses JSON', async () => {
    const { id, tess, sam, tara } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam] })
    const at = `${submissionsOf(schoolClass, await newAssignment(tess, schoolClass))}/csv`
    await setClassState(app, schoolClass, 'archived')
    expect((await tess.get(at)).status).toBe(200)
    const denied = await sam.get(at)
    expect([denied.status, denied.body.code]).toEqual([403, 'ASSIGNMENT_ACCESS_DENIED'])
    expect((await tara.get(at)).body.code).toBe('CLASS_NOT_FOUND')
  })

  it('streams 2,000 students with at most four queries per batch of 200', async () => {
    const { id, tess } = people
    const schoolClass = await newClass(app, id, { teachers: [tess] })
    const assignment = await newAssignment(tess, schoolClass)
    await storeStudents(app, id, schoolClass, 2000, assignment)
    const { studentsGroup: students_group_id, teachersGroup: teachers_group_id } = schoolClass
    const loaded = {
      schoolClass: { id: schoolClass.id, students_group_id, teachers_group_id } as ClassRow,
      assignment: { id: assignment.id, due_at: null, max_points: null } as AssignmentRow,
      relation: { role: 'teacher', isAdministrator: false } as const,
    }
    const batchSizes: number[] = []
    const queryCount = await queriesOf(app.ctx.db.read, async (queries) => {
      const { rows } = reviewsOf(queries, loaded, (ids) => countComments(queries, ids, tess.id))
      for await (const batch of rows) batchSizes.push(batch.length)
    })
    expect(batchSizes).toEqual(Array.from({ length: 10 }, () => 200))
    // A batch without comments needs no query for comments.
    expect(queryCount).toBe(30)
    const rows = parsed(await tess.get(`${submissionsOf(schoolClass, assignment)}/csv`))
    expect(rows).toHaveLength(2001)
    expect(new Set(rows.map(([, , username]) => username)).size).toBe(2001)
  })
})
