import './roster-page.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { maxRosterBytes, maxRosterFiles } from '../../../../src/contract/roster-limits.ts'
import type { RosterPreview } from '../../../../src/contract/roster.ts'
import { call, Refusal } from '../../app/client.ts'
import { errorText, type useTexts as UseTexts, useTexts } from '../../app/texts.ts'
import { toBase64 } from '../../ui/base64.ts'
import { sizeIn } from '../../ui/byte-size.ts'
import { AdministratorsOnly } from '../../ui/administrators-only.tsx'
import { Button } from '../../ui/buttons.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { type FirstPassword, FirstPasswords } from './first-passwords.tsx'
import { RosterChanges } from './roster-changes.tsx'
import { changeCount, type RosterFile, rosterImport } from './roster-import.ts'
import { RosterProblems } from './roster-problems.tsx'

/** Files that were checked, and what their import would change. */
interface Checked {
  readonly files: readonly RosterFile[]
  readonly preview: RosterPreview
}

/** Imports a roster: the user chooses files, sees what they would change, and then lets the server change it. */
export function RosterPage() {
  const { text } = useTexts()
  return (
    <Page title={text('roster.title')} isWide>
      <AdministratorsOnly>
        <Roster />
      </AdministratorsOnly>
    </Page>
  )
}

function Roster() {
  const texts = useTexts()
  const { text } = texts
  const heading = useRef<HTMLHeadingElement>(null)
  const [checked, setChecked] = useState<Checked>()
  const check = useMutation({
    async mutationFn(chosen: readonly File[]) {
      setChecked(undefined)
      const files = await contentsOf(chosen)
      setChecked({ files, preview: await call('previewRoster', { body: { files } }) })
      heading.current?.focus()
    },
  })
  const take = (files: readonly File[]) => {
    if (!check.isPending) check.mutate(files)
  }
  return (
    <>
      <p>{text('roster.what')}</p>
      <p className="hint">{text('roster.formats')}</p>
      <FileTrigger
        allowsMultiple
        acceptedFileTypes={['.csv', '.zip']}
        onSelect={(files) => files && take([...files])}
      >
        <Button isSecondary={checked !== undefined}>{text('roster.choose')}</Button>
      </FileTrigger>
      <FileDrop onDrop={take} />
      <Notice>{check.isPending ? text('roster.checking') : undefined}</Notice>
      <Notice isError>{check.error ? messageOf(texts, check.error) : undefined}</Notice>
      <section aria-labelledby="roster-result">
        <h2 id="roster-result" ref={heading} tabIndex={-1} hidden={!checked}>
          {text('roster.preview')}
        </h2>
        {checked && <Result key={check.submittedAt} checked={checked} />}
      </section>
    </>
  )
}

function Result({ checked: { files, preview } }: { checked: Checked }) {
  const { text } = useTexts()
  const names = files.map(({ name }) => name).join(', ')
  return (
    <>
      <p className="hint">{names}</p>
      {preview.problems.count > 0 ? (
        <RosterProblems problems={preview.problems} />
      ) : (
        <>
          <RosterChanges preview={preview} />
          {changeCount(preview) === 0 ? (
            <p className="notice">{text('roster.nothing')}</p>
          ) : (
            <Import files={files} preview={preview} />
          )}
        </>
      )}
    </>
  )
}

/** The button that imports, then the progress, and at the end the result with the first passwords. */
function Import({ files, preview }: Checked) {
  const texts = useTexts()
  const { text, language } = texts
  const percents = new Intl.NumberFormat(language, { style: 'percent' })
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [createPasswords, setCreatePasswords] = useState(
    preview.canCreatePasswords && preview.people.created > 0,
  )
  const [percent, setPercent] = useState(0)
  const [passwords, setPasswords] = useState<readonly FirstPassword[]>([])
  const run = useMutation({
    async mutationFn() {
      const total = changeCount(preview)
      for await (const { remaining, accounts } of rosterImport({ files, createPasswords })) {
        setPasswords((earlier) => [...earlier, ...accounts])
        setPercent(Math.round(100 * Math.min(1, Math.max(0, 1 - remaining / total))))
      }
      await queries.invalidateQueries({ queryKey: ['members'] })
      await queries.invalidateQueries({ queryKey: ['classes'] })
      heading.current?.focus()
    },
  })
  return (
    <>
      {!run.isSuccess && !run.isPending && (
        <>
          {preview.canCreatePasswords && preview.people.created > 0 && (
            <Checkbox className="choice own" isSelected={createPasswords} onChange={setCreatePasswords}>
              <span className="mark" aria-hidden="true" />
              {text('roster.createPasswords')}
            </Checkbox>
          )}
          <Button onPress={() => run.mutate()}>{text('roster.do')}</Button>
        </>
      )}
      {run.isPending && (
        <p className="roster-progress">
          <progress aria-label={text('roster.importing')} max={100} value={percent} />
          <span>{percents.format(percent / 100)}</span>
          <span className="hint">{text('roster.stay')}</span>
        </p>
      )}
      <Notice isError>
        {run.error ? `${messageOf(texts, run.error)} ${text('roster.interrupted')}` : undefined}
      </Notice>
      <h3 ref={heading} tabIndex={-1} hidden={!run.isSuccess}>
        {text('roster.done')}
      </h3>
      {!run.isPending && passwords.length > 0 && <FirstPasswords passwords={passwords} />}
    </>
  )
}

class TooLarge extends Error {}

/** @throws TooLarge */
async function contentsOf(files: readonly File[]): Promise<RosterFile[]> {
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (files.length > maxRosterFiles || size > maxRosterBytes) throw new TooLarge()
  return Promise.all(files.map(async (file) => ({ name: file.name, content: await toBase64(file) })))
}

function messageOf(texts: ReturnType<typeof UseTexts>, error: unknown): string {
  const { text, language } = texts
  if (error instanceof TooLarge)
    return text('roster.tooLarge', { files: maxRosterFiles, size: sizeIn(language, maxRosterBytes) })
  if (error instanceof Refusal) {
    if (error.code === 'SEATS_EXHAUSTED') return text('roster.seats')
    if (error.code === 'INVALID_PARAMETER') return text('roster.unreadable')
  }
  return errorText(texts, error)
}
