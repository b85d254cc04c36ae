import Type from 'typebox'
import { hashOf } from '../../../auth/passwords/hashing.ts'
import { hasProviderAccount } from '../../../auth/providers/store.ts'
import { endPinSessions } from '../../../auth/sessions/revocation.ts'
import type { Context } from '../../../context.ts'
import { ClassPins, maxPinsOfRequest, NewClassPins } from '../../../contract/picture-sign-in.ts'
import type { PupilSymbol } from '../../../contract/sign-in-pictures.ts'
import { Failure, fail } from '../../../errors.ts'
import { newCode } from '../../../lib/codes.ts'
import { operation } from '../../../operation.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { audit } from '../../people/audit/audit.ts'
import { checkStaff, isAdministrator, type Member } from '../../people/organizations/policy.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { checkTeacherCanReset } from '../classes/password-resets.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { newPin, rarestSymbol, shortName } from './pins.ts'
import { findCode, insertClassSignIn, listStudents, replacePin, type StudentRow } from './store.ts'

/** About 50 bits: the page behind the code shows the first names of a class. */
const codeLength = 10

export const createClassPins = operation({
  id: 'createClassPins',
  accepts: 'session',
  tag: 'Class',
  summary: 'Give students of a class new PINs for its sign-in page',
  description:
    'The server chooses the PINs and stores only their hashes. A new PIN ends the sessions of the student that an earlier one opened. ' +
    'Teachers give PINs to the students whose passwords they may set.',
  checkRole: checkStaff,
  params: Type.Object({ class: Type.String() }),
  body: NewClassPins,
  returnsSecret: true,
  responses: { 200: ClassPins },
  async handle({ ctx, actor, params, body, request }) {
    const staff = checkStaff(actor)
    const { schoolClass } = await loadOpenClass(ctx.db.read, actor, params.class, canManage)
    const organization = await findOrganization(ctx.db.read, staff.organization)
    if (organization?.allows_picture_sign_in !== 1 || organization.requires_provider === 1)
      fail('PICTURE_SIGN_IN_OFF')
    const students = await listStudents(ctx.db.read, schoolClass.id)
    const { allowed, refused } = await divide(ctx, staff, chosenFrom(students, body.students))
    // One hash at a time for each actor, because hashing a password takes a core for a while.
    const prepared = await ctx.keyedMutex(`password ${actor.id}`, request, async () => {
      const pins: { student: StudentRow; pin: string; hash: string }[] = []
      for (const student of allowed.slice(0, maxPinsOfRequest)) {
        const pin = newPin()
        pins.push({ student, pin, hash: await hashOf(pin) })
      }
      return pins
    })
    const { code, symbols } = await ctx.transaction(async (tx) => {
      await loadOpenClass(tx, actor, schoolClass.id, canManage)
      const present = await listStudents(tx, schoolClass.id)
      const code = await openSignIn(ctx, tx, schoolClass.id)
      const symbols = new Map(present.flatMap(({ id, symbol }) => (symbol ? [[id, symbol] as const] : [])))
      for (const { student, hash } of prepared) {
        // The student may have left the class meanwhile.
        if (!present.some(({ id }) => id === student.id)) continue
        const symbol: PupilSymbol = symbols.get(student.id) ?? rarestSymbol([...symbols.values()])
        symbols.set(student.id, symbol)
        await replacePin(tx, {
          class_id: schoolClass.id,
          user_id: student.id,
          symbol,
          pin_hash: hash,
          created_at: ctx.clock.now(),
        })
        await audit(tx, ctx, {
          organization: staff.organization,
          actor: staff.id,
          action: 'user.pin-set',
          subject: student.id,
          details: { class: schoolClass.id },
        })
      }
      await endPinSessions(
        ctx,
        tx,
        prepared.map(({ student }) => student.id),
      )
      return { code, symbols }
    })
    return {
      code,
      cards: prepared.flatMap(({ student, pin }) => {
        const symbol = symbols.get(student.id)
        return symbol ? [{ id: student.id, name: shortName(student, students), symbol, pin }] : []
      }),
      refused: refused.map((student) => shortName(student, students)),
    }
  },
})

/** @throws INVALID_PARAMETER for an id of no student of the class */
function chosenFrom(
  students: readonly StudentRow[],
  ids: readonly string[] | undefined,
): readonly StudentRow[] {
  if (ids === undefined) return students.filter(({ symbol }) => symbol === null)
  const unknown = ids.find((id) => !students.some((student) => student.id === id))
  if (unknown !== undefined)
    fail('INVALID_PARAMETER', { param: 'students', message: '`students` names no student of the class.' })
  return students.filter(({ id }) => ids.includes(id))
}

/** Divides students into those whose sign-in the actor may change, and the others. */
async function divide(ctx: Context, staff: Member, students: readonly StudentRow[]) {
  const queries = ctx.db.read
  const allowed: StudentRow[] = []
  const refused: StudentRow[] = []
  for (const student of students) {
    const usesProvider = await hasProviderAccount(queries, { user: student.id })
    const isRefused = isAdministrator(staff)
      ? usesProvider
      : await checkTeacherCanReset(queries, staff, { id: student.id, usesProvider }).then(
          () => false,
          (error) => {
            if (error instanceof Failure) return true
            throw error
          },
        )
    ;(isRefused ? refused : allowed).push(student)
  }
  return { allowed, refused }
}

async function openSignIn(ctx: Context, tx: Transaction, schoolClass: string): Promise<string> {
  const present = await findCode(tx, schoolClass)
  if (present !== undefined) return present
  const code = newCode(codeLength)
  await insertClassSignIn(tx, { class_id: schoolClass, code, created_at: ctx.clock.now() })
  return code
}
