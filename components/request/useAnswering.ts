/**
 * Answering one request: the text that is kept, the sending, and what came of it.
 *
 * What was written or chosen leaves the draft only after the server has stored the answer.
 */
import { useEffect, useRef, useState } from 'react'
import { getPageClient } from '@/client'
import { useMe } from '@/client/account/session'
import { commandDeadline, newId } from '@/client/api'
import { pageClock } from '@/client/clock'
import { type TextDraft, useDraft } from '@/client/drafts'
import type { RequestKind } from '@/lib/mas/records'
import type { CommandHead } from '@/lib/wire'
import { draftTextIn } from '@/lib/wire/drafts'
import { type AnswerInput, type AnswerRefusal, sendAnswer } from './commands'
import { pinCard, unpinCard } from './pinnedCards'
import { answerOf, displayStateOf, isMyAnswer, type RequestShown } from './shown'

export type AnswerSending =
  | { state: 'idle' }
  | { state: 'sending' }
  /** Somebody was first; `ms`: how long before this answer arrived; null: before it was sent. */
  | { state: 'lost'; by: string; how: string; ms: number | null }
  | { state: 'failed'; refusal: Exclude<AnswerRefusal, { kind: 'over' }> }

export type Answering = {
  text: string
  setText: (text: string) => void
  /** The text, with what was chosen or filled in beside it: `choice`, `number`, `way`. */
  draft: TextDraft
  /** Of a confirmation: the arguments as they were edited; no text: they were not. */
  edited: TextDraft
  /** What would be lost: as an answer, and what is no sentence (edited arguments, a form). */
  unsent: { text: string; code: string }
  sending: AnswerSending
  /** Why I answer for somebody else; null when I was asked myself. */
  reason: { draft: TextDraft; setText: (text: string) => void; isMissing: boolean } | null
  /** True when the server stored it. */
  submit: (wish: AnswerInput) => Promise<boolean>
  /** Forget the text and what came of it. */
  discard: () => void
}

const IDLE: AnswerSending = { state: 'idle' }

/** Where the edited arguments of a confirmation are kept. */
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
    case 'part':
    case 'judge':
      return { text: text.trim(), code: edited.text }
  }
}

/**
 * One card's text and sending.
 *
 * in      isForOthers: whoever answers was not asked, and must say why
 */
export function useAnswering(shown: RequestShown, onAnswered?: () => void, isForOthers = false): Answering {
  const { id, kind } = shown.request
  const draft = useDraft(`request:${id}`)
  const edited = useDraft(kind === 'confirm' ? editedAt(id) : null)
  const reason = useDraft(isForOthers ? `request:${id}.reason` : null)
  const [sending, setSending] = useState<AnswerSending>(IDLE)
  const [isReasonMissing, setReasonMissing] = useState(false)
  /** The same act keeps its head until the server has said something about it. */
  const act = useRef<{ head: CommandHead; wish: string } | null>(null)
  const unsent = unsentOf(kind, draft, edited)
  const isKept = unsent.text !== '' || unsent.code !== '' || sending.state === 'lost'
  const isOpen = displayStateOf(shown.request) === 'open'

  useEffect(() => {
    // Joins the inbox: a card with a text in it outlives its row.
    if (isKept) pinCard(id)
    else unpinCard(id)
  }, [isKept, id])

  const me = useMe()?.person.agent_id ?? null
  const wasStored = sending.state !== 'sending' && me !== null && isMyAnswer(shown.request, me, unsent)
  useEffect(() => {
    // Joins the record: the server's word was lost with the line or the page, yet this text is the answer that stands there.
    if (wasStored) forget()
  })

  const forget = (): void => {
    for (const one of [draft, edited, reason]) one.clear()
    unpinCard(id)
    setSending(IDLE)
  }
  const say = (isWriting: boolean): void => getPageClient().live.sendDrafting(id, isWriting)

  const submit = async (answer: AnswerInput): Promise<boolean> => {
    if (isForOthers && reason.text.trim() === '') {
      setReasonMissing(true)
      return false
    }
    const wish = isForOthers ? { ...answer, reason: reason.text.trim() } : answer
    const same = JSON.stringify(wish)
    if (act.current?.wish !== same) act.current = { head: { id: newId(), until: commandDeadline() }, wish: same }
    setSending({ state: 'sending' })
    say(false)
    const came = await sendAnswer(id, wish, act.current.head)
    if (came.ok) {
      forget()
      onAnswered?.()
      return true
    }
    // A repeat of what nobody answered is the same act, until its time has run out.
    if (came.refusal.kind !== 'unreachable' || act.current.head.until < pageClock.now()) act.current = null
    setSending(
      came.refusal.kind === 'over'
        ? {
            state: 'lost',
            by: came.refusal.by,
            how: came.refusal.how,
            ms: Math.max(0, pageClock.now() - came.refusal.at),
          }
        : { state: 'failed', refusal: came.refusal },
    )
    return false
  }

  return {
    text: draft.text,
    setText: (text) => {
      draft.setText(text)
      if (isOpen) say(text.trim() !== '')
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
