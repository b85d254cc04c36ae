import { createContext, useContext } from 'react'
import { texts as catalogues } from 'virtual:texts'
import type { AppArea } from '../../../src/contract/app-pages.ts'
import { type Catalogue, type TextKey, type Texts, textsOf } from '../../../src/texts/catalogue.ts'
import { Refusal } from './client.ts'

/** The functions that load texts, by language and part. */
export type TextLoaders<Part extends string> = Readonly<
  Record<string, Readonly<Record<Part, () => Promise<{ default: Partial<Catalogue> }>>>>
>

/** The texts that were loaded so far, in the language of the page. */
const loaded: Partial<Catalogue> = {}

const languageOfPage = (): string => {
  const { lang } = document.documentElement
  return lang in catalogues ? lang : 'en'
}

/**
 * Loads the texts of the frame or of an area, in the language that the server chose for the page. An area can show its pages after that.
 * @param from the functions that load them, if they belong to a panel
 * @throws if they cannot be loaded
 */
export async function loadTexts<Part extends string = 'frame' | AppArea>(
  part: Part,
  from: TextLoaders<Part> = catalogues as TextLoaders<string>,
): Promise<void> {
  const texts = await from[languageOfPage()]?.[part]()
  Object.assign(loaded, texts?.default)
}

/** Returns the texts of the page. `loadTexts` adds to them. */
export const textsOfPage = (): Texts => textsOf(languageOfPage(), loaded)

export const TextsContext = createContext<Texts | undefined>(undefined)

export function useTexts(): Texts {
  const texts = useContext(TextsContext)
  if (!texts) throw new Error('useTexts is used outside of TextsContext')
  return texts
}

const textsOfCodes: Readonly<Record<string, TextKey>> = {
  ACCOUNT_STORAGE_EXHAUSTED: 'storage.full',
  ORGANIZATION_STORAGE_EXHAUSTED: 'storage.organizationFull',
  COLLABORATOR_OUT_OF_REACH: 'sharing.outOfReach',
  STUDENTS_SHARE_WITHIN_ORGANIZATION: 'sharing.studentsWithin',
  PUBLIC_SCORES_DISABLED: 'sharing.noPublic',
  SUBMISSION_CLOSED: 'work.late.closed',
  CLASSES_EXHAUSTED: 'classes.exhausted',
  CLASS_ARCHIVED: 'classes.archivedWhat',
  CLASS_NOT_FOUND: 'join.unknown',
  LAST_TEACHER: 'classes.lastTeacher',
  INVITATION_NOT_FOUND: 'invitations.gone',
  LAST_ADMINISTRATOR: 'members.lastAdministrator',
  MEMBER_WITHOUT_EMAIL: 'members.withoutEmail',
  NO_MAILS_SENT: 'members.noMails',
  ORGANIZATION_ACCESS_DENIED: 'members.onlyAdministrators',
  PICTURE_SIGN_IN_OFF: 'classPins.off',
  PASSKEYS_UNAVAILABLE: 'rules.passkeysUnavailable',
  PROVIDER_MISSING: 'rules.providerMissing',
  PROVIDER_REQUIRED: 'members.provider',
  RECENT_SIGN_IN_REQUIRED: 'rules.recentSignIn',
  ROLE_OUT_OF_REACH: 'members.outOfReach',
  RULE_LOCKS_YOU_OUT: 'rules.locksYouOut',
  SIGN_IN_NOT_FOUND: 'members.signInGone',
  TOO_MANY_APPS: 'apps.tooMany',
  TOO_MANY_WEBHOOKS: 'webhooks.tooMany',
  PASSKEY_EXISTS: 'passkeys.exists',
  PASSKEY_NOT_USED: 'passkeys.notUsed',
  PASSKEY_REQUIRED: 'passkeys.needed',
  SECOND_FACTOR_REQUIRED: 'security.factorNeeded',
  TOO_MANY_PASSKEYS: 'passkeys.tooMany',
  TOO_MANY_TOKENS: 'tokens.tooMany',
  WRONG_PASSKEY: 'passkeys.wrong',
  USER_NOT_FOUND: 'members.notFoundWhy',
}

/** Returns the message for the user about an error of the client. */
export function errorText({ text }: Texts, error: unknown): string {
  if (!(error instanceof Refusal)) return text('error.title')
  const known = textsOfCodes[error.code]
  if (known) return text(known)
  if (error.status === 0) return text('error.unreachable')
  if (error.status === 429) return text('form.tooMany', { minutes: Math.ceil(error.retryAfter / 60) })
  if (error.status === 503) return text('error.busy')
  return error.id ? text('error.ours', { id: error.id }) : text('error.title')
}
