/** The urgent layer: a dialog over the page, or the red bar it folds to. */
import { Siren } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { Press } from '@/client/notify/attention'
import { NoticeBar } from '@/components/shell/NoticeBar'
import { Button } from '@/components/ui/Button'
import { firstWords } from '@/lib/format/plainText'
import { UrgentDialog } from '../lazy'
import { itemOf, type OpenRow, rowSender, rowSince, rowText } from '../rows'

type UrgentLayerProps = {
  /** All that alert now. */
  alerting: readonly OpenRow[]
  /** The one in the dialog. */
  open: OpenRow | null
  hasBar: boolean
  onPress: (press: Press) => void
}

export function UrgentLayer({ alerting, open, hasBar, onPress }: UrgentLayerProps) {
  const oldest = [...alerting].sort((a, b) => rowSince(a) - rowSince(b))[0]
  return (
    <>
      {hasBar && oldest ? (
        <UrgentBar row={oldest} count={alerting.length} onShow={() => onPress({ do: 'show', item: itemOf(oldest) })} />
      ) : null}
      {open ? (
        <UrgentDialog
          key={itemOf(open)}
          row={open}
          place={alerting.indexOf(open) + 1}
          of={alerting.length}
          onFold={() => onPress({ do: 'fold' })}
          onSnoozed={(minutes) => onPress({ do: 'snooze', item: itemOf(open), minutes })}
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
