import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import type { Member } from '../../../../src/contract/account.ts'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import { useMe } from '../../app/queries.ts'
import { useTexts } from '../../app/texts.ts'
import { sizeIn } from '../../ui/byte-size.ts'
import { Facts } from '../../ui/facts.tsx'
import { Day, Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { NewPasswordSection } from './new-password-section.tsx'
import { memberQuery } from './queries.ts'
import { RoleSection } from './role-section.tsx'
import { SignInsSection } from './sign-ins-section.tsx'

/** One member of the organization: the account, the classes, the password, and where the member is signed in. */
export function MemberPage({ member: id }: AddressParameters<'/organization/members/{member}'>) {
  const { text } = useTexts()
  const me = useMe()
  const member = useQuery(memberQuery(id))
  const title = member.data ? (member.data.name ?? member.data.username) : text('members.one')
  return (
    <Page title={title}>
      <p>
        <Link href={pathTo('/organization/members')}>{text('members.all')}</Link>
      </p>
      <QueryContent query={member}>
        {(data) => (
          <>
            <MemberFacts member={data} />
            <Classes classes={data.classes} />
            {!data.can.manage && <p className="notice">{text('members.outOfReach')}</p>}
            {data.can.manage && data.id !== me.id && <RoleSection member={data} />}
            {data.can.manage && <NewPasswordSection member={data} />}
            {data.can.manage && <SignInsSection member={data} />}
          </>
        )}
      </QueryContent>
    </Page>
  )
}

function MemberFacts({ member }: { member: Member }) {
  const { text, language } = useTexts()
  const { used, allowed } = member.storage
  const size = (bytes: number) => sizeIn(language, bytes)
  return (
    <Facts
      facts={[
        [text('members.username'), member.username],
        [text('signUp.email'), member.email ?? '–'],
        [
          text('members.role'),
          text(member.isTestStudent ? 'members.testStudent' : `members.role.${member.role}`),
        ],
        [
          text('members.lastSignIn'),
          member.lastSignInAt === null ? text('members.noSignIn') : <Moment of={member.lastSignInAt} />,
        ],
        [text('security.factor'), text(member.hasSecondFactor ? 'members.on' : 'members.off')],
        [
          text('storage.title'),
          allowed === null
            ? size(used)
            : text('members.storage', { used: size(used), allowed: size(allowed) }),
        ],
        [text('members.since'), <Day key="since" of={member.createdAt} />],
      ]}
    />
  )
}

type MemberClass = Member['classes'][number]

function Classes({ classes }: { classes: readonly MemberClass[] }) {
  const { text } = useTexts()
  const columns: readonly Column<MemberClass>[] = [
    { title: text('members.class'), isRowHeader: true, content: ({ name }) => name },
    {
      title: text('members.role'),
      content: ({ role }) => text(role === 'teacher' ? 'members.role.teacher' : 'members.role.user'),
    },
    {
      title: text('members.placedBy'),
      content: ({ placedBy }) => text(`members.placedBy.${placedBy ?? 'unknown'}`),
    },
  ]
  return (
    <section aria-labelledby="classes">
      <h2 id="classes">{text('members.classes')}</h2>
      {classes.length === 0 ? (
        <p>{text('members.noClasses')}</p>
      ) : (
        <Table rows={classes} columns={columns} keyOf={({ id, role }) => `${id} ${role}`} />
      )}
    </section>
  )
}
