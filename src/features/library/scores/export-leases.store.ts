import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { ExportLeasesTable } from '../../../platform/db/score-tables.ts'

type Held = Pick<ExportLeasesTable, 'revision_id' | 'variant' | 'lease'>

/** Takes a lease of an export unless there is another at the time `now`. Resolves to the number of taken leases: 0 or 1. */
export const insertLease = compiled((db, p: Params<ExportLeasesTable & { now: number }>) =>
  db
    .insertInto('export_leases')
    .values({
      revision_id: p('revision_id'),
      variant: p('variant'),
      lease: p('lease'),
      until: p('until'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['revision_id', 'variant'])
        .doUpdateSet({ lease: p('lease'), until: p('until') })
        .where('export_leases.until', '<=', p('now')),
    ),
)

/** Extends a lease unless another run has taken it over. */
export const updateLease = compiled((db, p: Params<ExportLeasesTable>) =>
  db
    .updateTable('export_leases')
    .set({ until: p('until') })
    .where('revision_id', '=', p('revision_id'))
    .where('variant', '=', p('variant'))
    .where('lease', '=', p('lease')),
)

/** Gives a lease back unless another run has taken it over. */
export const deleteLease = compiled((db, p: Params<Held>) =>
  db
    .deleteFrom('export_leases')
    .where('revision_id', '=', p('revision_id'))
    .where('variant', '=', p('variant'))
    .where('lease', '=', p('lease')),
)
