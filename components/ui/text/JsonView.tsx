/** JSON with a switch Tree / Raw and "Copy"; long texts cut at 2,000 characters. */
import { jsonBody } from '../lazy'
import { useLazyPart } from '../lazyFile'
import { Skeleton } from '../States'

/** `name` completes "JSON of …". */
export function JsonView({ value, name }: { value: unknown; name: string }) {
  const JsonBody = useLazyPart(jsonBody)
  return JsonBody ? <JsonBody value={value} name={name} /> : <Skeleton lines={4} className="px-0!" />
}
