/** JSON with a switch Tree / Raw and "Copy"; long texts cut at 2,000 characters. */
import { jsonBody } from './loaders'
import { Skeleton } from './States'
import { useLazyPart } from './useLazyPart'

export { CUT_AT, LongText } from './LongText'

/** `name` completes "JSON of …". */
export function JsonView({ value, name }: { value: unknown; name: string }) {
  const JsonBody = useLazyPart(jsonBody)
  return JsonBody ? <JsonBody value={value} name={name} /> : <Skeleton lines={4} className="px-0!" />
}
