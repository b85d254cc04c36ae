import './filter-fields.css'
import type { ReactNode } from 'react'

/** Puts the fields of a filter side by side, as many as fit. */
export const FilterFields = ({ children }: { children: ReactNode }) => (
  <div className="filter">{children}</div>
)
