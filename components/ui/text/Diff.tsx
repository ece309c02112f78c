/** Two texts compared by lines: what was taken out, what was put in. Its comparison is a lazy file. */
import { diffBody } from '../lazy'
import { useLazyPart } from '../lazyFile'
import { Skeleton } from '../States'

/** `name` completes "Changes of …". */
export function Diff({ before, after, name }: { before: string; after: string; name: string }) {
  const DiffBody = useLazyPart(diffBody)
  return DiffBody ? <DiffBody before={before} after={after} name={name} /> : <Skeleton lines={6} className="px-0!" />
}
