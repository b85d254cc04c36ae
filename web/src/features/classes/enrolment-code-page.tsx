import './enrolment-code-page.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-aria-components/Link'
import { type AddressParameters, pathTo } from '../../../../src/contract/app-pages.ts'
import { Refusal } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { MissingClass } from '../../teaching/class-frame.tsx'
import { classQuery } from '../../teaching/queries.ts'
import { Page } from '../../ui/page.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { QueryContent } from '../../ui/query-content.tsx'

/** The enrolment code of a class in large letters and as a QR code, to show on a wall. */
export function EnrolmentCodePage({ class: id }: AddressParameters<'/classes/{class}/code'>) {
  const { text } = useTexts()
  // Students join while the page is shown.
  const schoolClass = useQuery({ ...classQuery(id), refetchInterval: 5_000 })
  if (schoolClass.error instanceof Refusal && schoolClass.error.status === 404) return <MissingClass />
  return (
    <Page title={schoolClass.data?.name ?? text('classes.one')} className="enrolment-code">
      <QueryContent query={schoolClass}>
        {({ enrollmentCode: code, state, studentsGroup }) =>
          code === undefined ? (
            <p>{text('classes.forTeachers')}</p>
          ) : state === 'archived' ? (
            <p>{text('classes.archivedWhat')}</p>
          ) : (
            <>
              <Code code={code} />
              <p className="enrolment-joined">
                {text('classes.joined', { number: studentsGroup?.usersCount ?? 0 })}
              </p>
            </>
          )
        }
      </QueryContent>
      <p>
        <Link href={pathTo('/classes/{class}/people', { class: id })}>{text('classes.backToClass')}</Link>
      </p>
    </Page>
  )
}

function Code({ code }: { code: string }) {
  const { text } = useTexts()
  const { host, origin } = location
  return (
    <div className="enrolment-ways">
      <QrCode label={text('classes.qrCode')}>{origin + pathTo('/join/{code}', { code })}</QrCode>
      <ol>
        <li>
          {text('classes.codeOpen')} <strong className="enrolment-address">{host + pathTo('/join')}</strong>
        </li>
        <li>
          {text('classes.codeEnter')} <strong className="enrolment-letters">{code}</strong>
        </li>
      </ol>
    </div>
  )
}
