import { createContext, type ReactNode, useContext, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Diff } from '@/components/ui/lazy'
import { Segmented } from '@/components/ui/Tabs'
import { Markdown } from '@/components/ui/text/Markdown'
import { Scrolled } from '@/components/ui/text/Scrolled'

/** What a text can be compared with. label: of the choice; name: completes "Changes of …". */
export type Comparison = { value: string; label: string; name: string; before: string }

/** The comparisons of the field at this path. */
export const Comparisons = createContext<(place: string) => readonly Comparison[]>(() => [])

/** Shorter texts of one line have no views beside themselves. */
const LONG = 120
const isLong = (text: string): boolean => text.length > LONG || text.includes('\n')

type TextViewsProps = {
  label: string
  text: string
  place: string
  /** Of these views the first that is there at the first drawing is shown, otherwise the text; it stays: somebody may read it. */
  start?: readonly string[]
  /** The text itself names itself; the other views are headed by the label. */
  isNamed?: boolean
  /** The preview; left out: as Markdown, of a long text. */
  preview?: ReactNode
  children: ReactNode
}

export function TextViews({ label, text, place, start = [], isNamed = false, preview, children }: TextViewsProps) {
  const t = useTranslations('form')
  const compare = useContext(Comparisons)
  const comparisons = compare(place)
  const [chosen, setChosen] = useState<string | null>(null)
  const views: Record<string, string> = {
    text: t('view.text'),
    ...(isLong(text) || preview !== undefined ? { preview: t('view.preview') } : {}),
    ...Object.fromEntries(comparisons.map(({ value, label }) => [value, label])),
  }
  const isThere = (one: string): boolean => views[one] !== undefined
  const [first] = useState(start.find(isThere) ?? 'text')
  const wanted = chosen ?? first
  const view = isThere(wanted) ? wanted : 'text'
  const compared = comparisons.find(({ value }) => value === view)
  return (
    <div className="min-w-0">
      {isNamed && view !== 'text' ? <p className="mb-1 text-table font-medium">{label}</p> : null}
      {Object.keys(views).length > 1 ? (
        <Segmented
          label={t('view.of', { name: label })}
          segments={views}
          value={view}
          onChange={setChosen}
          className="mb-1.5 max-w-full flex-wrap"
        />
      ) : null}
      {view === 'preview' ? (
        <Scrolled
          label={t('view.previewOf', { name: label })}
          className="max-h-96 overflow-auto rounded-control border border-line bg-s2 px-3 py-2 max-md:max-h-60"
        >
          {preview ?? <Markdown text={text} headingLevel={4} />}
        </Scrolled>
      ) : compared ? (
        <div className="max-h-96 overflow-y-auto max-md:max-h-60">
          <Diff name={compared.name} before={compared.before} after={text} />
        </div>
      ) : (
        children
      )}
    </div>
  )
}
