/**
 * JSON with a switch Tree / Raw and "Copy"; long texts cut at 2,000 characters.
 *
 * Owns: fetching the part that draws it, for few pages open any. Not here: the tree (JsonBody.tsx), fetching a body (the caller).
 */
import { lazy, Suspense } from 'react'
import { loadJsonBody } from './loaders'
import { Skeleton } from './States'

export { CUT_AT, LongText } from './LongText'

const JsonBody = lazy(loadJsonBody)

/** `name` completes "JSON of …". */
export function JsonView({ value, name }: { value: unknown; name: string }) {
  return (
    <Suspense fallback={<Skeleton lines={4} className="px-0!" />}>
      <JsonBody value={value} name={name} />
    </Suspense>
  )
}
