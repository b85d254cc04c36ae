import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pathTo } from '../../../../src/contract/app-pages.ts'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { ClassDetails } from '../../../../src/contract/classes.ts'
import { call } from '../../app/client.ts'
import { useRouter } from '../../app/router.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Field } from '../../ui/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toasts.tsx'

/** Copies a class for the next year: its settings, and its assignments as drafts. People and their work are not copied. */
export function CopySection({ schoolClass }: { schoolClass: ClassDetails }) {
  const texts = useTexts()
  const { text } = texts
  const { goTo } = useRouter()
  const queries = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState('')
  const [done, setDone] = useState<{ copied: number; of: number }>()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => copyOf(schoolClass, name.trim(), setDone),
    async onSuccess({ id, failed }) {
      goTo(pathTo('/classes/{class}', { class: id }))
      await queries.invalidateQueries({ queryKey: ['classes'] })
      toast({ message: text('classes.copied', { name: name.trim() }) })
      // A score that the teacher cannot read any more cannot be copied.
      if (failed.length > 0)
        toast({ message: text('classes.notCopied', { titles: failed.join(', ') }), stays: true })
    },
  })
  return (
    <section aria-labelledby="copy">
      <h2 id="copy">{text('classes.copy')}</h2>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <p>{text('classes.copyWhat')}</p>
      <Field
        label={text('classes.copyName')}
        value={name}
        onChange={setName}
        isDisabled={isPending}
        maxLength={255}
        autoComplete="off"
      />
      <Button isSecondary isPending={isPending} isDisabled={name.trim() === ''} onPress={() => mutate()}>
        {text('classes.copy')}
      </Button>
      <p role="status" className="hint">
        {isPending && done ? text('classes.copying', { number: done.copied, of: done.of }) : ''}
      </p>
    </section>
  )
}

/**
 * Creates the class and copies the assignments one after the other, the oldest first, so that they keep their order.
 * @returns the id of the new class, and the titles of the assignments that could not be copied
 */
async function copyOf(
  { id: from, section, description, theme, level, skillsFocused }: ClassDetails,
  name: string,
  onProgress: (done: { copied: number; of: number }) => void,
): Promise<{ id: string; failed: string[] }> {
  const all: ClassAssignment[] = await call('listAssignments', { params: { class: from } })
  const { id } = await call('createClass', {
    body: {
      name,
      ...(section !== undefined && { section }),
      ...(description !== undefined && { description }),
      ...(theme !== undefined && { theme }),
      ...(level !== undefined && { level }),
      ...(skillsFocused !== undefined && { skillsFocused }),
    },
  })
  const failed: string[] = []
  for (const [index, { id: assignment, title }] of all.toReversed().entries()) {
    onProgress({ copied: index, of: all.length })
    await call('copyAssignment', { params: { class: from, assignment }, body: { classroom: id } }).catch(() =>
      failed.push(title),
    )
  }
  return { id, failed }
}
