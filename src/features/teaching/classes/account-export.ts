import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'classes.json': {
    description: 'The classes that you own, and the classes in which you teach or learn.',
    query: (queries, user, after) =>
      queries
        .selectFrom('classes')
        .where((eb) =>
          eb.or([
            eb('owner_id', '=', user),
            eb(
              'id',
              'in',
              eb
                .selectFrom('groups')
                .innerJoin('group_members', 'group_members.group_id', 'groups.id')
                .where('group_members.user_id', '=', user)
                .where('groups.class_id', 'is not', null)
                .select((of) => of.ref('groups.class_id').$notNull().as('class')),
            ),
          ]),
        )
        .where('id', '>', after)
        .select([
          'id',
          'id as key',
          'name',
          'section',
          'description',
          'theme',
          'level',
          'state',
          'owner_id',
          'created_at',
        ]),
  },
}
