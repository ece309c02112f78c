/**
 * Answering one request: the text that is kept, the sending, and what came of it.
 *
 * Owns: that state for one card. A text leaves the draft only after the server has stored the answer.
 * Not here: drawing (the cards), the calls (commands.ts), where drafts live (client/).
 */
import { useEffect, useRef, useState } from 'react'
import { thePage } from '@/client'
import { useMe } from '@/client/account/session'
import { newId, untilNow } from '@/client/api'
import { pageClock } from '@/client/clock'
import { useDraft } from '@/client/drafts'
import type { CommandHead } from '@/lib/wire'
import { answerRequest, type Deciding, type Refusal } from './commands'
import { holdCard, letGoOfCard } from './heldCards'
import { faceOf, isMyAnswer, type RequestShown } from './shown'

export type Sending =
  | { state: 'idle' }
  | { state: 'sending' }
  /** Somebody was first; `ms`: how long before this answer arrived. */
  | { state: 'lost'; by: string; how: string; ms: number }
  | { state: 'failed'; refusal: Exclude<Refusal, { kind: 'over' }> }

export type Answering = {
  text: string
  setText: (text: string) => void
  sending: Sending
  /** Why I answer for somebody else; null when I was asked myself. */
  reason: { text: string; setText: (text: string) => void; isMissing: boolean } | null
  /** True when the server stored it. */
  submit: (wish: Deciding) => Promise<boolean>
  /** Forget the text and what came of it. */
  discard: () => void
}

/**
 * One card's text and sending.
 *
 * in      isForOthers: whoever answers was not asked, and must say why
 */
export function useAnswering(shown: RequestShown, onAnswered?: () => void, isForOthers = false): Answering {
  const { id } = shown.request
  const draft = useDraft(`request:${id}`)
  const [sending, setSending] = useState<Sending>({ state: 'idle' })
  const [reason, setReason] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  /** The same act keeps its head until the server has said something about it. */
  const act = useRef<{ head: CommandHead; wish: string } | null>(null)
  const isKept = draft.text.trim() !== '' || sending.state === 'lost'
  const isOpen = faceOf(shown.request) === 'open'

  useEffect(() => {
    // Joins the inbox: a card with a text in it outlives its row.
    if (isKept) holdCard(id)
    else letGoOfCard(id)
  }, [isKept, id])

  const me = useMe()?.person.agent_id ?? null
  const wasStored = sending.state !== 'sending' && me !== null && isMyAnswer(shown.request, me, draft.text)
  useEffect(() => {
    // Joins the record: the server's word was lost with the line or the page, yet this text is the answer that stands there.
    if (!wasStored) return
    draft.clear()
    letGoOfCard(id)
    setSending({ state: 'idle' })
  }, [wasStored, draft, id])

  const say = (isWriting: boolean): void => thePage().live.sayDrafting(id, isWriting)

  const submit = async (answer: Deciding): Promise<boolean> => {
    if (isForOthers && reason.trim() === '') {
      setReasonMissing(true)
      return false
    }
    const wish = isForOthers ? { ...answer, reason: reason.trim() } : answer
    const same = JSON.stringify(wish)
    if (act.current?.wish !== same) act.current = { head: { id: newId(), until: untilNow() }, wish: same }
    setSending({ state: 'sending' })
    say(false)
    const came = await answerRequest(id, wish, act.current.head)
    if (came.ok) {
      draft.clear()
      letGoOfCard(id)
      setSending({ state: 'idle' })
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
      if (sending.state === 'failed') setSending({ state: 'idle' })
    },
    sending,
    reason: isForOthers
      ? {
          text: reason,
          setText: (text) => {
            setReason(text)
            setReasonMissing(false)
          },
          isMissing: isReasonMissing,
        }
      : null,
    submit,
    discard: () => {
      draft.clear()
      letGoOfCard(id)
      setSending({ state: 'idle' })
      say(false)
    },
  }
}
