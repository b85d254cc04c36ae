import type { Passkey } from '../../../../src/contract/account-security.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Day } from '../../ui/moment.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { PasskeyAction } from './passkey-form.tsx'

interface Props {
  passkeys: readonly Passkey[]
  onSelect(passkey: Passkey, action: PasskeyAction): void
}

export function PasskeyTable({ passkeys, onSelect }: Props) {
  const { text } = useTexts()
  const columns: readonly Column<Passkey>[] = [
    { title: text('table.name'), isRowHeader: true, content: ({ name }) => name },
    { title: text('passkeys.made'), content: ({ createdAt }) => <Day of={createdAt} /> },
    {
      title: text('table.lastUsed'),
      content: ({ lastUsedAt }) => (lastUsedAt === null ? text('table.notYet') : <Day of={lastUsedAt} />),
    },
    {
      title: text('passkeys.copies'),
      content: ({ isSynced }) => text(isSynced ? 'passkeys.isSynced' : 'passkeys.isNotSynced'),
    },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: (passkey) => (
        <div className="buttons">
          <Button
            isSecondary
            aria-label={text('passkeys.renameNamed', { name: passkey.name })}
            onPress={() => onSelect(passkey, 'rename')}
          >
            {text('passkeys.rename')}
          </Button>
          <Button
            isSecondary
            aria-label={text('passkeys.removeNamed', { name: passkey.name })}
            onPress={() => onSelect(passkey, 'remove')}
          >
            {text('passkeys.remove')}
          </Button>
        </div>
      ),
    },
  ]
  return <Table rows={passkeys} columns={columns} keyOf={({ id }) => id} />
}
