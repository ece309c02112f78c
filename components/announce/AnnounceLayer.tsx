/** Announces new items of the inbox to a screen reader. Draws nothing. */
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useViewStatus } from '@/client'
import { useFailedMessages } from '@/client/outbox'
import { taskTitle } from '@/client/readersWords'
import { isAlertingRow, isOpenRow, itemOf, type OpenRow, rowSender, rowText } from '@/components/inbox/rows'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { firstWords } from '@/lib/format/plainText'
import { announcer } from './announcer'

const WORDS = 120

export default function AnnounceLayer() {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const rows = useRows('me')
  const { status } = useViewStatus('me')
  const failed = useFailedMessages()
  /** null: at the first rows, which are not announced. */
  const known = useRef<ReadonlySet<string> | null>(null)
  // Joins the announcer to the reader's language.
  useEffect(() => announcer.summarizeBy((count, forMe) => t('announce.several', { count, forMe })), [t])
  useEffect(() => {
    // Joins the announcer to the inbox.
    if (status !== 'open') return
    const open = rows.filter(isOpenRow)
    const before = known.current
    known.current = new Set([...(before ?? []), ...open.map(itemOf)])
    if (before === null) return
    for (const row of open) {
      const id = itemOf(row)
      if (before.has(id)) continue
      if (isAlertingRow(row)) announcer.urgent(id, sentenceOf(row, t))
      else announcer.message(id, sentenceOf(row, t))
    }
  }, [rows, status, t])
  useEffect(() => {
    for (const { localId, wish, fault } of failed)
      announcer.urgent(
        `${localId} failed`,
        t('announce.notSent', {
          text: firstWords(wish.text, 60),
          reason: fault === null ? t('error.textKept') : faultWords(fault, t('error.textKept')),
        }),
      )
  }, [failed, t, faultWords])
  return null
}

type T = ReturnType<typeof useTranslations<never>>

function sentenceOf(row: OpenRow, t: T): string {
  const sender = rowSender(row)
  const who = sender.kind === 'system' ? taskTitle(row.taskName) : sender.name
  const text = firstWords(rowText(row), WORDS)
  const type = t(`type.${row.kind === 'message' ? row.message.type : row.request.type}`)
  return t('announce.message', { type, who, text })
}
