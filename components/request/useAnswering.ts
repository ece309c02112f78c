/** Answering one request: its drafts and the sending. A draft is cleared only when the server has stored the answer. */
import { useEffect, useState } from 'react'
import { getPageClient } from '@/client'
import { useMe } from '@/client/account/session'
import type { CallRefused } from '@/client/api'
import { pageClock } from '@/client/clock'
import { type TextDraft, useDraft } from '@/client/drafts'
import { useSendOnce } from '@/client/sendOnce'
import type { RequestKind } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import { draftTextIn } from '@/lib/wire/drafts'
import { type AnswerInput, overIn, sendAnswer } from './commands'
import { pinCard, unpinCard } from './pinnedCards'
import { answerOf, isMyAnswer, type RequestShown } from './shown'

export type AnswerSending =
  | { state: 'idle' }
  | { state: 'sending' }
  /** Somebody was first; ms: by how much; null: before this answer was sent */
  | { state: 'lost'; by: string; how: string; ms: number | null }
  | { state: 'failed'; fault: CallRefused }

export type Answering = {
  text: string
  setText: (text: string) => void
  /** The text, and the fields `choice`, `number`, `way`. */
  draft: TextDraft
  /** The edited arguments of a confirmation, or the edited stages of a plan; empty: not edited. */
  edited: TextDraft
  /** What is not sent yet: text, and code (edited arguments, a form). */
  unsent: { text: string; code: string }
  sending: AnswerSending
  /** Why the reader answers for somebody else; null: they are asked themselves. */
  reason: { draft: TextDraft; setText: (text: string) => void; isMissing: boolean } | null
  submit: (answer: AnswerInput) => Promise<boolean>
  discard: () => void
}

const IDLE: AnswerSending = { state: 'idle' }

export const editedAt = (request: string): string => `request:${request}.arguments`

function unsentOf(kind: RequestKind, { text, more }: TextDraft, edited: TextDraft): Answering['unsent'] {
  switch (kind) {
    case 'answer':
      return { text: answerOf(draftTextIn(more, 'choice'), text), code: '' }
    case 'limit':
      return { text: text.trim() || (draftTextIn(more, 'number') ?? ''), code: '' }
    case 'tool':
      return { text: '', code: text }
    case 'confirm':
    case 'plan':
    case 'part':
    case 'judge':
      return { text: text.trim(), code: edited.text }
  }
}

/**
 * in      isForOthers: the reader is not asked, and must give a reason
 */
export function useAnswering(shown: RequestShown, onAnswered?: () => void, isForOthers = false): Answering {
  const { id, kind } = shown.request
  const draft = useDraft(`request:${id}`)
  const edited = useDraft(kind === 'confirm' || kind === 'plan' ? editedAt(id) : null)
  const reason = useDraft(isForOthers ? `request:${id}.reason` : null)
  const [sending, setSending] = useState<AnswerSending>(IDLE)
  const [isReasonMissing, setReasonMissing] = useState(false)
  const sendOnce = useSendOnce()
  const unsent = unsentOf(kind, draft, edited)
  const isKept = unsent.text !== '' || unsent.code !== '' || sending.state === 'lost'

  useEffect(() => {
    // Joins the inbox: a card with an unsent text outlives its row.
    if (isKept) pinCard(id)
    else unpinCard(id)
  }, [isKept, id])

  const me = useMe()?.person.agent_id ?? null
  const wasStored = sending.state !== 'sending' && me !== null && isMyAnswer(shown.request, me, unsent)
  useEffect(() => {
    // Joins the record: the server's answer was lost, but the stored answer is this text.
    if (wasStored) forget()
  })

  const forget = (): void => {
    for (const one of [draft, edited, reason]) one.clear()
    unpinCard(id)
    setSending(IDLE)
  }
  const say = (isWriting: boolean): void => getPageClient().live.sendDrafting(id, isWriting)

  const submit = async (input: AnswerInput): Promise<boolean> => {
    if (isForOthers && reason.text.trim() === '') {
      setReasonMissing(true)
      return false
    }
    const answer = isForOthers ? { ...input, reason: reason.text.trim() } : input
    setSending({ state: 'sending' })
    say(false)
    const outcome = await sendOnce(JSON.stringify(answer), (head) => sendAnswer(id, answer, head))
    if (outcome.ok) {
      forget()
      onAnswered?.()
      return true
    }
    const { fault } = outcome
    const over = overIn(fault)
    setSending(
      over === null
        ? { state: 'failed', fault }
        : { state: 'lost', by: over.by, how: over.how, ms: Math.max(0, pageClock.now() - over.at) },
    )
    return false
  }

  return {
    text: draft.text,
    setText: (text) => {
      draft.setText(text)
      if (isOpen(shown.request)) say(text.trim() !== '')
      if (sending.state === 'failed') setSending(IDLE)
    },
    draft,
    edited,
    unsent,
    sending,
    reason: isForOthers
      ? {
          draft: reason,
          setText: (text) => {
            reason.setText(text)
            setReasonMissing(false)
          },
          isMissing: isReasonMissing,
        }
      : null,
    submit,
    discard: () => {
      forget()
      say(false)
    },
  }
}
