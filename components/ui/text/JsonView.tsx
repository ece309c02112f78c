import { jsonBody } from '../lazy'
import { Lazy } from '../lazyFile'
import { Skeleton } from '../States'
import type { ShownJson } from './writtenJson'

/** JSON with a switch Tree / Raw and "Copy"; long texts are cut. `name` completes "JSON of …". */
export const JsonView = (props: ShownJson & { name: string }) => (
  <Lazy file={jsonBody} partProps={props} fallback={<Skeleton lines={4} className="px-0!" />} />
)
