import './thumbnail.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callFile } from '../app/client.ts'

const thumbnailQuery = (score: string, changedAt: string) =>
  queryOptions({
    queryKey: ['thumbnails', score, changedAt],
    queryFn: async ({ signal }) => {
      const params = { score, revision: 'last', format: 'thumbnail.png' } as const
      const { file } = await callFile('getScoreRevisionData', { params, signal })
      return file
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10 * 60_000,
  })

interface Props {
  /** The id of the score. */
  score: string
  /** Another value gets a new picture. */
  changedAt: string
  /** The picture is requested only while this is true. */
  isWanted?: boolean
}

/** The upper part of the first page of a score. Without a picture it shows empty staves. */
export function Thumbnail({ score, changedAt, isWanted = true }: Props) {
  const { data } = useQuery({ ...thumbnailQuery(score, changedAt), enabled: isWanted })
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
