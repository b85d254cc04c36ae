import Type from 'typebox'
import { ClassDetails, ClassUpdate } from '../../../contract/classes.ts'
import { operation } from '../../../operation.ts'
import { recordEvent } from '../../people/events/events.ts'
import { groupName } from '../../people/groups/names.ts'
import { composeClass } from './compose.ts'
import { canManage, loadClass, loadOpenClass } from './policy.ts'
import { updateClass as updateRow, updateClassGroupNames } from './store.ts'

export const updateClass = operation({
  id: 'updateClass',
  tag: 'Class',
  summary: 'Update a class',
  description:
    'Changes the fields in the body. `null` clears `size` and `theme`. The two built-in groups have the name of ' +
    'the class.',
  scopes: ['edu.classes'],
  params: Type.Object({ class: Type.String() }),
  body: ClassUpdate,
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params, body }) {
    const { name, section, description, theme, level, skillsFocused, size } = body
    const named = name === undefined ? undefined : groupName(name)
    const updated = await ctx.transaction(async (tx) => {
      const { schoolClass } = await loadOpenClass(tx, actor, params.class, canManage)
      const skills_focused = skillsFocused && JSON.stringify(skillsFocused)
      const change = { name, section, description, theme, level, skills_focused, size }
      await updateRow(tx, schoolClass.id, change, ctx.clock.now())
      if (named) await updateClassGroupNames(tx, schoolClass.id, named)
      await recordEvent(ctx, tx, {
        organization: schoolClass.organization_id,
        type: 'class.updated',
        actor: actor.id,
        objects: { class: schoolClass.id },
      })
      return loadClass(tx, actor, schoolClass.id, canManage)
    })
    return composeClass(ctx, ctx.db.read, actor.id, updated)
  },
})
