import './thumbnail.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ScoreDetails } from '../../../../src/contract/scores.ts'
import { thumbnailQuery } from './queries.ts'

/** The upper part of the first page of a score. Without a picture it shows empty staves. */
export function Thumbnail({ score }: { score: ScoreDetails }) {
  const { data } = useQuery(thumbnailQuery(score.id, score.modificationDate ?? score.creationDate))
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data) return
    const created = URL.createObjectURL(data)
    setAddress(created)
    return () => URL.revokeObjectURL(created)
  }, [data])
  return (
    <span className={address ? 'thumbnail' : 'thumbnail blank'}>
      {address && <img src={address} alt="" draggable={false} width="472" height="354" />}
    </span>
  )
}
