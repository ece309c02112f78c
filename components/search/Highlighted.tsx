import { Fragment } from 'react'
import { matchRanges } from '@/lib/format/searchWords'

export function Highlighted({ text, query }: { text: string; query: string }) {
  const places = matchRanges(text, query)
  return (
    <>
      {places.map(([from, to], at) => (
        <Fragment key={from}>
          {text.slice(places[at - 1]?.[1] ?? 0, from)}
          <mark className="rounded-[2px] bg-sel text-t1">{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(places.at(-1)?.[1] ?? 0)}
    </>
  )
}
