import { useQueryClient } from '@tanstack/react-query'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import type { EduResource, EduResourceUpdate } from '../../../../src/contract/edu-resources.ts'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { resourcesKey } from '../../teaching/resources.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { CheckboxChoice, Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { useToast } from '../../ui/toasts.tsx'
import { grades, subjects } from './filter.tsx'

const knownErrors: KnownErrors = {
  title: ['title', 'library.noTitle'],
  FOLDERS_TOO_DEEP: ['title', 'resources.tooDeep'],
}

/** Makes a folder in a library or in a folder. */
export function NewFolderDialog({ parent, onClose }: { parent: string; onClose(): void }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const submission = useSubmission(knownErrors, async (form) => {
    await call('createEduResource', {
      body: { type: 'folder', title: String(form.get('title')).trim(), parent },
    })
    await queries.invalidateQueries({ queryKey: resourcesKey })
    onClose()
  })
  return (
    <DialogSheet title={text('resources.newFolder')} isOpen onOpenChange={onClose}>
      {() => (
        <SubmissionForm submission={submission} action={text('resources.createFolder')} onCancel={onClose}>
          <Field
            name="title"
            label={text('library.titleOf')}
            isRequired
            maxLength={1000}
            autoComplete="off"
            autoFocus
          />
        </SubmissionForm>
      )}
    </DialogSheet>
  )
}

/** Changes what a library says about a resource, and who can open it. The message can take it back. */
export function ResourceDetailsDialog({ resource, onClose }: { resource: EduResource; onClose(): void }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const toast = useToast()
  const isFolder = resource.type === 'folder'
  const save = async (body: EduResourceUpdate) => {
    await call('updateEduResource', { params: { resource: resource.id }, body })
    await queries.invalidateQueries({ queryKey: resourcesKey })
  }
  const submission = useSubmission(knownErrors, async (form) => {
    const changed = changesIn(form, resource)
    await save(changed)
    onClose()
    toast({
      message: text('resources.saved', { title: changed.title ?? resource.title }),
      undo: () => void save(before(resource, changed)),
    })
  })
  return (
    <DialogSheet
      title={text(isFolder ? 'library.rename' : 'resources.details')}
      isOpen
      onOpenChange={onClose}
    >
      {() => (
        <SubmissionForm submission={submission} action={text('library.save')} onCancel={onClose}>
          <Field
            name="title"
            label={text('library.titleOf')}
            defaultValue={resource.title}
            isRequired
            maxLength={1000}
            autoComplete="off"
          />
          {!isFolder && <AssignmentFields resource={resource} />}
        </SubmissionForm>
      )}
    </DialogSheet>
  )
}

function AssignmentFields({ resource }: { resource: EduResource }) {
  const { text } = useTexts()
  return (
    <>
      <Field
        name="about"
        label={text('resources.about')}
        hint={text('resources.aboutHint')}
        defaultValue={resource.sharingDescription ?? ''}
        isMultiline
        maxLength={400}
      />
      <CheckboxGroup name="subjects" className="choices" defaultValue={resource.subjects ?? []}>
        <Label>{text('resources.subject')}</Label>
        {subjects.map((one) => (
          <CheckboxChoice key={one} value={one}>
            {text(`resources.subject.${one}`)}
          </CheckboxChoice>
        ))}
      </CheckboxGroup>
      <CheckboxGroup name="grades" className="choices grade-choices" defaultValue={resource.grades ?? []}>
        <Label>{text('resources.grade')}</Label>
        {grades.map((one) => (
          <CheckboxChoice key={one} value={one}>
            {one === 'university' ? text('classes.level.university') : one}
          </CheckboxChoice>
        ))}
      </CheckboxGroup>
    </>
  )
}

/** Returns what the form changes. A folder has no fields but its title. */
function changesIn(form: FormData, { type }: EduResource): EduResourceUpdate {
  const title = String(form.get('title')).trim()
  if (type === 'folder') return { title }
  const chosen = form.getAll('subjects')
  const ofGrades = form.getAll('grades')
  return {
    title,
    sharingDescription: String(form.get('about')).trim(),
    subjects: subjects.filter((one) => chosen.includes(one)),
    grades: grades.filter((one) => ofGrades.includes(one)),
  }
}

/** Returns the change that takes another change back. */
function before(resource: EduResource, changed: EduResourceUpdate): EduResourceUpdate {
  const { title, sharingDescription = '', subjects: ofSubjects = [], grades: ofGrades = [] } = resource
  return changed.subjects ? { title, sharingDescription, subjects: ofSubjects, grades: ofGrades } : { title }
}

/** Opens an own resource to the colleagues, who get its address. */
export function ShareDialog({ resource, onClose }: { resource: EduResource; onClose(): void }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const { id, privacy = 'private' } = resource
  const submission = useSubmission(knownErrors, async (form) => {
    const chosen = form.get('privacy') === 'organizationPublic' ? 'organizationPublic' : 'private'
    await call('updateEduResource', { params: { resource: id }, body: { privacy: chosen } })
    await queries.invalidateQueries({ queryKey: resourcesKey })
    if (chosen === 'private') onClose()
  })
  return (
    <DialogSheet title={text('resources.share')} isOpen onOpenChange={onClose}>
      {() => (
        <>
          <p>{text('resources.shareWhat')}</p>
          {privacy !== 'private' && (
            <Copyable label={text('resources.address')}>
              {location.origin + pathTo('/library/resource/{resource}', { resource: id })}
            </Copyable>
          )}
          <SubmissionForm submission={submission} action={text('library.save')} onCancel={onClose}>
            <Select
              name="privacy"
              label={text('resources.privacy')}
              defaultValue={privacy === 'private' ? 'private' : 'organizationPublic'}
            >
              <option value="private">{text('resources.privacy.private')}</option>
              <option value="organizationPublic">{text('resources.privacy.organizationPublic')}</option>
            </Select>
          </SubmissionForm>
        </>
      )}
    </DialogSheet>
  )
}
