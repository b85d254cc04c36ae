import '../ui/choices-list.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../app/texts.ts'
import { Button } from '../ui/buttons.tsx'
import { Icon } from '../ui/icon.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { ownLibraries, resourcesQuery } from './resources.ts'

interface Folder {
  readonly id: string
  readonly title: string
}

interface Props {
  /** The id of a folder that is not offered, because it is moved itself. */
  without?: string
  /** The text of the button that chooses the open folder. */
  action: string
  isPending?: boolean
  onChoose(folder: Folder): void
}

/** The libraries to which the teacher can add, and their folders, to choose one of them. */
export function FolderChoices({ without, action, isPending = false, onChoose }: Props) {
  const { text } = useTexts()
  const [path, setPath] = useState<readonly Folder[]>([])
  const open = path.at(-1)
  if (!open) {
    return (
      <ul className="choices-list">
        {ownLibraries.map((id) => (
          <FolderChoice
            key={id}
            folder={{ id, title: text(`resources.library.${id}`) }}
            onOpen={setPath}
            above={[]}
          />
        ))}
      </ul>
    )
  }
  return (
    <>
      <p className="folder-path">{path.map(({ title }) => title).join(' › ')}</p>
      <Folders of={open.id}>
        {(folders) => (
          <ul className="choices-list">
            {folders
              .filter(({ id }) => id !== without)
              .map(({ id, title }) => (
                <FolderChoice key={id} folder={{ id, title }} above={path} onOpen={setPath} />
              ))}
          </ul>
        )}
      </Folders>
      <div className="buttons">
        <Button isPending={isPending} onPress={() => onChoose(open)}>
          {action}
        </Button>
        <Button isSecondary onPress={() => setPath(path.slice(0, -1))}>
          {text('resources.back')}
        </Button>
      </div>
    </>
  )
}

function Folders({ of, children }: { of: string; children(folders: readonly Folder[]): ReactNode }) {
  const folders = useQuery(resourcesQuery(of, { type: 'folder' }))
  return <QueryContent query={folders}>{children}</QueryContent>
}

interface ChoiceProps {
  folder: Folder
  above: readonly Folder[]
  onOpen(path: readonly Folder[]): void
}

const FolderChoice = ({ folder, above, onOpen }: ChoiceProps) => (
  <li>
    <Button onPress={() => onOpen([...above, folder])}>
      <Icon name="folder" />
      {folder.title}
    </Button>
  </li>
)
