import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassPins, ClassSignInSettings } from '../../../../src/contract/picture-sign-in.ts'
import { call, Refusal } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { MissingClass } from '../../teaching/class-frame.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { CheckboxField } from '../../ui/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { PinCards } from './pin-cards.tsx'
import { PupilPicture } from './symbols.tsx'

const signInQuery = (id: string) =>
  queryOptions({
    queryKey: ['classes', id, 'sign-in'],
    queryFn: () => call('getClassSignIn', { params: { class: id } }),
  })

/** Where teachers give the students of a class PINs for its sign-in page, and print them as cards. */
export function ClassSignInPage({ class: id }: AddressParameters<'/classes/{class}/sign-in'>) {
  const { text } = useTexts()
  const signIn = useQuery(signInQuery(id))
  if (signIn.error instanceof Refusal && signIn.error.status === 404) return <MissingClass />
  const isForTeachers = signIn.error instanceof Refusal && signIn.error.status === 403
  return (
    <Page title={text('classPins.title')} className="class-pins">
      <p>
        <Link href={pathTo('/classes/{class}/people', { class: id })}>{text('classes.backToClass')}</Link>
      </p>
      {isForTeachers ? (
        <p>{text('classes.forTeachers')}</p>
      ) : (
        <QueryContent query={signIn}>
          {(loaded) => (
            <>
              <SimplePages of={id} isSimple={loaded.simplePages} />
              <h2>{text('classPins.pins')}</h2>
              {loaded.isAllowed ? (
                <Pins of={id} signIn={loaded} />
              ) : (
                <p className="notice">{text('classPins.off')}</p>
              )}
            </>
          )}
        </QueryContent>
      )}
    </Page>
  )
}

/** Whether the students get simple pages. */
function SimplePages({ of, isSimple }: { of: string; isSimple: boolean }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (simplePages: boolean) =>
      call('changeClassDisplay', { params: { class: of }, body: { simplePages } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: signInQuery(of).queryKey }),
  })
  return (
    <section aria-labelledby="simple">
      <h2 id="simple">{text('classPins.simple')}</h2>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <CheckboxField
        name="simplePages"
        label={text('classPins.simpleDo')}
        hint={text('classPins.simpleHint')}
        isSelected={isPending ? variables : isSimple}
        onChange={mutate}
      />
    </section>
  )
}

function Pins({ of, signIn: { code, students } }: { of: string; signIn: ClassSignInSettings }) {
  const texts = useTexts()
  const { text } = texts
  const queries = useQueryClient()
  const [made, setMade] = useState<ClassPins>()
  const heading = useRef<HTMLHeadingElement>(null)
  const again = () => queries.invalidateQueries({ queryKey: signInQuery(of).queryKey })
  const pins = useMutation({
    mutationFn: (chosen: string | undefined) =>
      call('createClassPins', {
        params: { class: of },
        body: chosen === undefined ? {} : { students: [chosen] },
      }),
    async onSuccess(answer) {
      setMade(answer)
      await again()
      heading.current?.focus()
    },
  })
  const closing = useMutation({
    mutationFn: () => call('removeClassSignIn', { params: { class: of } }),
    async onSuccess() {
      setMade(undefined)
      await again()
    },
  })
  const error = pins.error ?? closing.error
  const missing = students.filter(({ symbol }) => symbol === null).length
  const address = (secret: string) => `${location.origin}/auth/class/${secret}`
  const columns: readonly Column<ClassSignInSettings['students'][number]>[] = [
    {
      title: text('table.name'),
      isRowHeader: true,
      content: ({ name, symbol }) => (
        <span className="pin-pupil">
          {symbol && <PupilPicture name={symbol} />}
          {name}
        </span>
      ),
    },
    {
      title: text('table.action'),
      hasNoLabel: true,
      content: ({ id, name, symbol }) => (
        <Button
          isSecondary
          aria-label={text(symbol === null ? 'classPins.giveNamed' : 'classPins.newNamed', { name })}
          isPending={pins.isPending && pins.variables === id}
          onPress={() => pins.mutate(id)}
        >
          {text(symbol === null ? 'classPins.give' : 'classPins.new')}
        </Button>
      ),
    },
  ]
  return (
    <>
      <p>{text('classPins.what')}</p>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <h3 ref={heading} tabIndex={-1} hidden={made === undefined}>
        {text('classPins.cards')}
      </h3>
      {made && <PinCards made={made} address={address(made.code)} />}
      {code !== null && (
        <section aria-labelledby="address">
          <h3 id="address">{text('classPins.address')}</h3>
          <p>{text('classPins.addressWhat')}</p>
          <Copyable label={text('classPins.address')}>{address(code)}</Copyable>
        </section>
      )}
      <section aria-labelledby="students">
        <h3 id="students">{text('classes.students')}</h3>
        {missing > 0 && (
          <Button
            isPending={pins.isPending && pins.variables === undefined}
            onPress={() => pins.mutate(undefined)}
          >
            {text('classPins.make', { number: missing })}
          </Button>
        )}
        {students.length === 0 ? (
          <p>{text('classes.nobody')}</p>
        ) : (
          <Table rows={students} columns={columns} keyOf={({ id }) => id} />
        )}
      </section>
      {code !== null && (
        <section aria-labelledby="end">
          <h3 id="end">{text('classPins.end')}</h3>
          <Confirmation
            action={text('classPins.end')}
            label={text('classPins.end')}
            consequence={text('classPins.endWhat')}
            onConfirm={() => closing.mutate()}
          />
        </section>
      )}
    </>
  )
}
