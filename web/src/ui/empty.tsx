import './empty.css'
import type { ReactNode } from 'react'
import type { IconName } from '../../../src/contract/icons.ts'
import { Icon } from './icon.tsx'

interface Props {
  icon: IconName
  title: string
  children: ReactNode
}

/** What an empty list says: what belongs there, and how it gets there. */
export function Empty({ icon, title, children }: Props) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  )
}
