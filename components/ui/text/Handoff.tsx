/** A handoff packet in a text: what was done, what is handed over, what comes next; its JSON on request. */
import { Forward } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type HandoffItem, type HandoffPacket, handoffItems, partsWithHandoff } from '@/lib/protocols/harmony/handoff'
import { Button } from '../Button'
import { PathText } from './FileLink'
import { Scrolled } from './Scrolled'

/** Draws the words of a text by `children`, and each packet in it as a card. */
export function WithHandoff({ text, children }: { text: string; children: (words: string) => ReactNode }) {
  const parts = partsWithHandoff(text)
  if (parts.length === 1 && parts[0] && 'words' in parts[0]) return children(text)
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a stored text does not change
    <Fragment key={at}>{'words' in part ? children(part.words.trim()) : <HandoffCard {...part} />}</Fragment>
  ))
}

/** States of work and of files that packets usually name; others are shown as they are written. */
const STATES = ['in_progress', 'blocked', 'completed', 'read', 'partly', 'missing', 'unreadable', 'failed'] as const

function useStateWord(): (state: string) => string {
  const t = useTranslations('handoff')
  return (state) => {
    const known = STATES.find((one) => one === state)
    return known === undefined ? state : t(`state.${known}`)
  }
}

function HandoffCard({ packet, json }: { packet: HandoffPacket; json: string }) {
  const t = useTranslations('handoff')
  const stateWord = useStateWord()
  const [isRaw, setRaw] = useState(false)
  const { context, meta, history_summary: summary = '' } = packet
  const title = t('title', { who: meta.target_agent })
  return (
    <section
      aria-label={title}
      data-kind="handoff"
      className="my-1.5 max-w-[68ch] min-w-0 rounded-card border border-line bg-s1 px-3.5 py-2.5 text-table"
    >
      <p className="flex items-center gap-2">
        <Forward className="size-4 shrink-0 text-t3" />
        <b className="cut font-medium">{title}</b>
        <span className="ml-auto shrink-0 text-meta text-t2">{stateWord(context.status)}</span>
      </p>
      <dl className="mt-1.5 flex flex-col gap-1.5 break-words">
        <Part name={t('objective')}>{context.primary_objective}</Part>
        <Part name={t('done')}>{lines(context.completed_steps)}</Part>
        <Part name={t('items')}>{lines(handoffItems(packet).map((item) => <Item key={item.name} {...item} />))}</Part>
        <Part name={t('next')}>{context.next_immediate_step}</Part>
        <Part name={t('constraints')}>{lines(context.constraints)}</Part>
        <Part name={t('summary')}>{summary}</Part>
      </dl>
      <Button look="quiet" className="mt-1 -ml-2.5" aria-expanded={isRaw} onClick={() => setRaw(!isRaw)}>
        {t('raw')}
      </Button>
      {isRaw ? (
        <Scrolled label={t('raw')} className="max-h-64">
          <pre className="font-mono text-meta break-words whitespace-pre-wrap">{json}</pre>
        </Scrolled>
      ) : null}
    </section>
  )
}

/** Nothing where the packet says nothing. */
function Part({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === '') return null
  return (
    <div>
      <dt className="text-meta text-t3">{name}</dt>
      <dd className="whitespace-pre-wrap">{typeof children === 'string' ? <PathText text={children} /> : children}</dd>
    </div>
  )
}

function lines(all: readonly ReactNode[]): ReactNode {
  if (all.length === 0) return null
  return (
    <ul className="list-disc pl-5">
      {all.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stored packet does not change
        <li key={at}>{typeof line === 'string' ? <PathText text={line} /> : line}</li>
      ))}
    </ul>
  )
}

function Item({ name, value, state, count }: HandoffItem) {
  const t = useTranslations('handoff')
  const stateWord = useStateWord()
  return (
    <>
      <PathText text={name} />
      {value === null ? null : (
        <>
          {': '}
          <PathText text={value} />
        </>
      )}
      {state === null ? null : <span className="text-t2"> · {stateWord(state)}</span>}
      {count === null ? null : <span className="text-t2"> · {t('entries', { count })}</span>}
    </>
  )
}
