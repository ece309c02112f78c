/** The urgent layer, which the frame draws above the top bar: a dialog over the page, or the red bar it folds to. */
import { Siren } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { NoticeBar } from '@/components/shell/NoticeBar'
import type { EverywhereProps } from '@/components/shell/screenTypes'
import { Button } from '@/components/ui/Button'
import { Lazy } from '@/components/ui/lazyFile'
import { firstWords } from '@/lib/format/plainText'
import { urgentDialog } from '../lazy'
import { itemOf, type OpenRow, rowSender, rowSince, rowText } from '../rows'
import { useUrgent } from './useUrgent'

export function UrgentLayer({ person }: EverywhereProps) {
  const { alerting, open, hasBar, fold, unfold, snoozed } = useUrgent(person.agent_id)
  const oldest = [...alerting].sort((a, b) => rowSince(a) - rowSince(b))[0]
  return (
    <>
      {hasBar && oldest ? <UrgentBar row={oldest} count={alerting.length} onShow={() => unfold(oldest)} /> : null}
      {open ? (
        <Lazy
          key={itemOf(open)}
          file={urgentDialog}
          partProps={{
            row: open,
            place: alerting.indexOf(open) + 1,
            of: alerting.length,
            onFold: fold,
            onSnoozed: (minutes) => snoozed(open, minutes),
          }}
        />
      ) : null}
    </>
  )
}

function UrgentBar({ row, count, onShow }: { row: OpenRow; count: number; onShow: () => void }) {
  const t = useTranslations()
  return (
    <NoticeBar
      rank="urgent"
      label={t('inbox.urgentBar')}
      icon={<Siren />}
      action={
        <>
          {count > 1 ? <span>{count}</span> : null}
          <Button className="border-on-urgent! bg-transparent! text-on-urgent!" onClick={onShow}>
            {t('common.show')}
          </Button>
        </>
      }
    >
      <b className="max-md:sr-only">{t('inbox.urgentBar')} · </b>
      {rowSender(row).name} · {firstWords(rowText(row), 160)}
      {row.kind === 'request' && row.about ? ` · ${t('request.about', { text: row.about.text })}` : ''}
    </NoticeBar>
  )
}
