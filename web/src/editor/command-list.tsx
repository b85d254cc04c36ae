import { useState } from 'react'
import { useTexts } from '../app/texts.ts'
import { Button } from '../ui/buttons.tsx'
import { DialogSheet } from '../ui/dialog-sheet.tsx'
import { Field } from '../ui/fields.tsx'
import { commands, type PageActions } from './model/commands.ts'
import type { Editor } from './model/editor.ts'

interface Props {
  editor: Editor
  page: PageActions
  onOpenChange(isOpen: boolean): void
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** All commands with their keys, to search and to run. */
export default function CommandList({ editor, page, onOpenChange }: Props) {
  const { text } = useTexts()
  const [search, setSearch] = useState('')
  const words = plain(search).split(/\s+/).filter(Boolean)
  const all = commands.map((command) => {
    const name = text(command.name, command.value === undefined ? {} : { value: command.value })
    return { command, name, found: plain(`${name} ${command.keys.join(' ')}`) }
  })
  const shown = all.filter(({ found }) => words.every((word) => found.includes(word)))
  return (
    <DialogSheet title={text('editor.commands')} isOpen onOpenChange={onOpenChange}>
      {(close) => (
        <>
          <Field
            name="search"
            type="search"
            label={text('editor.findCommand')}
            autoFocus
            autoComplete="off"
            onChange={setSearch}
          />
          <p role="status" className="hint">
            {text('editor.found', { number: shown.length })}
          </p>
          <ul className="editor-commands">
            {shown.map(({ command, name }) => (
              <li key={command.id}>
                <Button
                  isSecondary
                  onPress={() => {
                    close()
                    command.run(editor, page)
                  }}
                >
                  <span>{name}</span>
                  <kbd>{command.keys[0]}</kbd>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </DialogSheet>
  )
}
