/** Arguments to read: an object by its fields, with the line breaks of its texts; anything else as JSON. */
import type { ArgumentsAnswer } from '@/lib/wire'
import { prettyJson } from './jsonText'

export function ArgumentsView({ given: { json, text } }: { given: Pick<ArgumentsAnswer, 'json' | 'text'> }) {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return <pre className="font-mono text-table break-words whitespace-pre-wrap">{prettyJson(text)}</pre>
  }
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5 font-mono text-table max-md:grid-cols-1 max-md:gap-y-0.5">
      {Object.entries(json).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-t3">{name}</dt>
          <dd className="min-w-0 break-words whitespace-pre-wrap max-md:mb-1.5">
            {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
