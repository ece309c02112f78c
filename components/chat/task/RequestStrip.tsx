/** The open requests of this task to me, one at a time, always in view. It is filled while their card is not. */
import { ChevronLeft, ChevronRight, Hourglass } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { navigate, pathTo, useHrefHere } from '@/client/nav'
import { type CardSight, sightOnPage, useSight, useSightRef } from '@/client/onScreen'
import { questionText, taskTitle } from '@/client/readersWords'
import { stripOrder, whoInWorld } from '@/components/request'
import { Button, IconButton, LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { Elapsed } from '@/components/ui/marks/Time'
import { useList } from '@/components/ui/useList'
import { firstWords } from '@/lib/format/plainText'
import { aboutOfRequest } from '@/lib/mas/asks/requestAbout'
import { selectAwaitingAsker } from '@/lib/mas/asks/requests'
import type { RequestRecord } from '@/lib/mas/records'
import { placeInPlan } from '@/lib/mas/stages/plan'
import type { TaskWorld } from '../useTaskWorld'

/** The card is in view: the strip itself is none. */
const isCard = (sight: CardSight | null): boolean => sight?.kind === 'card'

const hrefOf = (request: RequestRecord): string =>
  pathTo('message', { taskId: request.task, messageId: request.message ?? request.id })

/** What this task waits for in another one, where nothing here can be answered. */
export function HeldStrip({ task }: { task: TaskWorld }) {
  const t = useTranslations('chat')
  const listOf = useList()
  const row = useRow('overview', task.id)
  const stuck = row?.stuck ?? null
  const elsewhere = stuck?.elsewhere ?? null
  if (stuck === null || elsewhere === null) return null
  const isMine = stuck.request !== null && stuck.on.some(({ id }) => id === task.me)
  const href =
    isMine && stuck.request !== null
      ? pathTo('request', { requestId: stuck.request })
      : pathTo('task', { taskId: elsewhere.task })
  const names = listOf(stuck.on.map(({ id, name }) => (id === task.me ? t('you') : name)))
  return (
    <section
      aria-label={t('heldStrip')}
      data-kind="held"
      className="mt-2 flex min-h-10 items-center gap-2.5 rounded-control border border-dashed border-wait-line px-3 max-md:min-h-12"
    >
      <Hourglass className="size-4 text-waiting" />
      <Avatar who={elsewhere.who} size={24} className="max-md:hidden" />
      <span className="cut grow">
        <b>{t('heldBy', { who: elsewhere.who.name, names, task: taskTitle(elsewhere.taskName) })}</b> ·{' '}
        <Elapsed since={stuck.since} />
      </span>
      <LinkButton href={href} look={isMine ? 'primary' : 'plain'}>
        {t(isMine ? 'answerThere' : 'openThere')}
      </LinkButton>
    </section>
  )
}

export function RequestStrip({ task, isChat }: { task: TaskWorld; isChat: boolean }) {
  const t = useTranslations('chat')
  const hrefHere = useHrefHere()
  const [at, setAt] = useState(0)
  const open = stripOrder(task.requests, task.me)
  const place = Math.min(at, Math.max(0, open.length - 1))
  const request = open[place] ?? null
  const isSeen = useSight(request?.id ?? null, isCard) && isChat
  const strip = useSightRef(request?.id ?? null, 'strip')
  if (request === null || task.task === null) return null
  const asker = whoInWorld(task.world, request.asker)
  const stageNumber = request.stage === null ? 0 : placeInPlan(task.stages, request.stage).number
  const what =
    request.kind === 'part'
      ? t('stripPart', { number: stageNumber })
      : request.kind === 'judge'
        ? firstWords(questionText(request))
        : t('stripWaits', { who: asker.kind === 'system' ? t('theTask') : asker.name })
  const about = aboutOfRequest(task.world, request)
  // A judgement's question is said already.
  const subject = about?.text ?? (request.kind === 'judge' ? '' : firstWords(questionText(request)))
  const word = t(request.kind === 'judge' ? 'decide' : 'answer')
  const answer = (): void => {
    const sight = isChat ? sightOnPage(request.id) : null
    const box = isCard(sight) ? sight?.element.querySelector<HTMLElement>('[data-act=reply], textarea, button') : null
    if (box) box.focus()
    else navigate(hrefHere(hrefOf(request)))
  }
  return (
    <section
      ref={strip}
      aria-label={t('strip')}
      data-needs-me=""
      tabIndex={-1}
      data-id={request.id}
      data-kind="strip"
      className={cx(
        'mt-2 flex min-h-10 items-center gap-2.5 rounded-control border border-dashed border-wait-line px-3 max-md:min-h-12',
        !isSeen && 'bg-waiting-b',
      )}
    >
      <Hourglass className="size-4 text-waiting" />
      <Avatar who={asker} size={24} className="max-md:hidden" />
      <button type="button" onClick={answer} className="cut grow text-left max-md:min-h-11">
        <b>{what}</b> · <Elapsed since={request.openedAt} />
        {subject === '' ? null : <span className="text-t2"> · {subject}</span>}
        {selectAwaitingAsker(request) !== null && stageNumber > 0 ? (
          <span className="text-waiting max-md:hidden"> · {t('standsStill', { number: stageNumber })}</span>
        ) : null}
      </button>
      <span className="max-md:hidden">
        {isSeen ? (
          <Button onClick={answer}>{word}</Button>
        ) : (
          <LinkButton href={hrefOf(request)} look="primary">
            {word}
          </LinkButton>
        )}
      </span>
      {open.length > 1 ? (
        <>
          <span className="shrink-0 text-meta text-waiting">{t('nOf', { n: place + 1, of: open.length })}</span>
          <IconButton
            className="max-md:hidden"
            icon={<ChevronLeft />}
            label={t('previousRequest')}
            onClick={() => setAt((place - 1 + open.length) % open.length)}
          />
          <IconButton
            icon={<ChevronRight />}
            label={t('nextRequest')}
            onClick={() => setAt((place + 1) % open.length)}
          />
        </>
      ) : null}
    </section>
  )
}
