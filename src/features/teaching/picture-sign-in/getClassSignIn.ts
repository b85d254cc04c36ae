import Type from 'typebox'
import { ClassSignInSettings } from '../../../contract/picture-sign-in.ts'
import { operation } from '../../../operation.ts'
import { canManage, loadClass } from '../classes/policy.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { isSimpleClass } from '../simple-pages/store.ts'
import { shortName } from './pins.ts'
import { findCode, listStudents } from './store.ts'

export const getClassSignIn = operation({
  id: 'getClassSignIn',
  accepts: 'session',
  tag: 'Class',
  summary: 'Get the sign-in page of a class, and who has a PIN',
  checkRole: checkStaff,
  params: Type.Object({ class: Type.String() }),
  responses: { 200: ClassSignInSettings },
  async handle({ ctx, actor, params }) {
    const queries = ctx.db.read
    const { schoolClass } = await loadClass(queries, actor, params.class, canManage)
    const [organization, code, students, simplePages] = await Promise.all([
      findOrganization(queries, schoolClass.organization_id),
      findCode(queries, schoolClass.id),
      listStudents(queries, schoolClass.id),
      isSimpleClass(queries, schoolClass.id),
    ])
    return {
      isAllowed: organization?.allows_picture_sign_in === 1 && organization.requires_provider === 0,
      simplePages,
      code: code ?? null,
      students: students.map((student) => ({
        id: student.id,
        name: shortName(student, students),
        symbol: student.symbol,
      })),
    }
  },
})
