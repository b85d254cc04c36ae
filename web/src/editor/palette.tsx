import { ToggleButton } from 'react-aria-components/ToggleButton'
import type { NoteType } from '../../../src/music/editing/values.ts'
import { useTexts } from '../app/texts.ts'
import { Button } from '../ui/buttons.tsx'
import { type Command, commands, type PageActions } from './model/commands.ts'
import type { Editor } from './model/editor.ts'
import { NoteIcon } from './note-icon.tsx'
import { useEditorState } from './use-session.ts'

interface Props {
  editor: Editor
  page: PageActions
}

const commandOf = (id: string): Command | undefined => commands.find((one) => one.id === id)
const shownValues = ['16th', 'eighth', 'quarter', 'half', 'whole'] as const satisfies readonly NoteType[]

/** Buttons for pointers and fingers. */
export function Palette({ editor, page }: Props) {
  const { text } = useTexts()
  const { value } = useEditorState(editor)
  const run = (id: string) => commandOf(id)?.run(editor, page)
  return (
    <section className="editor-palette" aria-label={text('editor.palette')}>
      {shownValues.map((type) => (
        <ToggleButton
          key={type}
          className="editor-key"
          aria-label={text(`editor.value.${type}`)}
          isSelected={value.type === type}
          onChange={() => run(`value-${type}`)}
        >
          <NoteIcon type={type} />
        </ToggleButton>
      ))}
      <ToggleButton
        className="editor-key"
        aria-label={text('editor.dot')}
        isSelected={value.dots > 0}
        onChange={() => run('dot')}
      >
        •
      </ToggleButton>
      <Button className="editor-key is-word" onPress={() => run('rest')}>
        {text('editor.rest')}
      </Button>
      <Button
        className="editor-key is-word"
        onPress={() => run('back')}
        aria-label={text('editor.deleteBefore')}
      >
        ⌫
      </Button>
    </section>
  )
}
