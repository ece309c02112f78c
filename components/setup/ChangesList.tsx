import { useTranslations } from 'use-intl'
import { useActNow } from '@/components/operate/useSendAct'
import { TimeText } from '@/components/ui/marks/Time'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { useList } from '@/components/ui/useList'
import { changedNames, type SetupChange, type SetupField, type SetupRecordShown, undoSetupAct } from './setupCalls'

type ChangesListProps = { kind: SetupChange['kind']; record: SetupRecordShown; value: unknown; onUndone?: () => void }

/** value: what counts now */
export function ChangesList({ kind, record, value, onUndone }: ChangesListProps) {
  const t = useTranslations('setup')
  const listOf = useList()
  const act = useActNow()
  const fieldWord = (name: string): string => {
    const key = `field.${name as SetupField}` as const
    // Another version may have had other fields.
    return t.has(key) ? t(key) : name
  }
  const undo = async (change: number): Promise<void> => {
    if (await act(undoSetupAct(kind, record.id, change), t('undone', { name: record.id }))) onUndone?.()
  }
  if (record.changes.length === 0) return null
  // A change led to what the next one found, the newest to the current value.
  const rows = record.changes.map((change, at, { length }) => ({
    change,
    after: at === length - 1 ? value : record.changes[at + 1]?.before,
  }))
  return (
    <section aria-label={t('changes')}>
      <h3 className="mb-1 text-meta font-medium text-t3">{t('changes')}</h3>
      <ol className="border-y border-line text-table">
        {rows.toReversed().map(({ change, after }) => (
          <li
            key={change.seq}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5 last:border-b-0"
          >
            <span className="min-w-0 grow break-words">
              {change.by === null
                ? t('byFile')
                : change.before === null
                  ? t('made', { who: change.by })
                  : after === null
                    ? t('tookOut', { who: change.by })
                    : t('changedFields', {
                        who: change.by,
                        fields: listOf(changedNames(change.before, after).map(fieldWord)),
                      })}
            </span>
            <span className="text-meta text-t3">
              <TimeText at={change.at} />
            </span>
            <ServerButton look="quiet" onClick={() => void undo(change.seq)}>
              {t('undo')}
            </ServerButton>
          </li>
        ))}
      </ol>
    </section>
  )
}

export function ChangesDialog({ onClose, ...list }: ChangesListProps & { onClose: () => void }) {
  const t = useTranslations('setup')
  return (
    <Dialog isOpen onOpenChange={onClose} title={t('changesOf', { name: list.record.id })}>
      {list.record.changes.length === 0 ? <p>{t('noChanges')}</p> : <ChangesList {...list} />}
    </Dialog>
  )
}
