import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import type { ActionId, ActionPlace } from '@/client/actions/actionTable'
import { useBoundActions } from '@/client/actions/keyboard'
import { CHANGEABLE } from '@/client/actions/ownKeys'
import { KeyChord } from '@/components/ui/marks/KeyChord'

/** The keys of this page, then those of other pages. */
export function KeysTable() {
  const t = useTranslations('keys')
  const lookOf = useActionLook()
  const bound = useBoundActions()
  const here = new Set(bound.map(({ id }) => id))
  const rowOf = (id: ActionId, at: ActionPlace | null, label?: string, className?: string) => {
    const look = lookOf(id, at)
    return look.key === '' ? null : (
      <tr key={id} className={className}>
        <td className="border-b border-line py-1.5 pr-3">
          <KeyChord chord={look.key} />
        </td>
        <td className="border-b border-line py-1.5">{label ?? look.label}</td>
      </tr>
    )
  }
  return (
    <table className="w-full border-collapse text-table">
      <thead>
        <tr className="text-left text-meta text-t3">
          <th className="w-36 border-b border-line py-1.5 pr-3 font-medium">{t('key')}</th>
          <th className="border-b border-line py-1.5 font-medium">{t('does')}</th>
        </tr>
      </thead>
      <tbody>
        {bound.map(({ id, at, label }) => rowOf(id, at, label))}
        {rowOf('toasts', 'page', undefined, '[&>td]:border-0')}
        <tr>
          <th
            colSpan={2}
            scope="colgroup"
            className="border-b border-line pt-4 pb-1.5 text-left text-meta font-medium text-t3"
          >
            {t('elsewhere')}
          </th>
        </tr>
        {CHANGEABLE.filter((id) => !here.has(id)).map((id) => rowOf(id, null, undefined, 'text-t2'))}
      </tbody>
    </table>
  )
}
