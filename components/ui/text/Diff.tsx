import { diffBody } from '../lazy'
import { Lazy } from '../lazyFile'
import { Skeleton } from '../States'

/** Two texts compared by lines: what was taken out, what was put in. `name` completes "Changes of …". */
export const Diff = (props: { before: string; after: string; name: string }) => (
  <Lazy file={diffBody} partProps={props} fallback={<Skeleton lines={6} className="px-0!" />} />
)
