/** A line with the words of a wish marked in it. It is text and nothing else. */
import { Fragment } from 'react'
import { matchRanges } from '@/lib/format/searchWords'

export function Highlighted({ text, wish }: { text: string; wish: string }) {
  const places = matchRanges(text, wish)
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
