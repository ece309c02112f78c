/** Answering for a model, for operators and developers: the waiting calls, and one with its prompt and answer. */
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { call as request, useDraft } from '@/client'
import { useApiQuery } from '@/client/queries'
import { taskTitle } from '@/client/readersWords'
import { HelpLink } from '@/components/help/HelpLink'
import { useSendAct } from '@/components/operate/useSendAct'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { Elapsed } from '@/components/ui/marks/Time'
import { ConfirmDialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { EmptyState, FaultState, Skeleton } from '@/components/ui/States'
import { Scrolled } from '@/components/ui/text/Scrolled'
import type { ByHandAnswer, ByHandCall, PostByHand } from '@/lib/wire'

const EVERY_MS = 3_000

export function ByHandPart() {
  const t = useTranslations('byHand')
  // The calls end with the process, so no view holds them.
  const { data, error, refetch } = useApiQuery<ByHandAnswer>('/api/by_hand', { everyMs: EVERY_MS })
  const [chosen, setChosen] = useState<string | null>(null)
  if (error !== null) return <FaultState title={t('failed')} fault={error} onRetry={refetch} />
  if (data === undefined) return <Skeleton lines={4} />
  const { calls } = data
  const open = calls.find(({ id }) => id === chosen) ?? calls[0]
  return (
    <section aria-label={t('title')}>
      <h2 className="text-question font-bold">{t('title')}</h2>
      <p className="mb-3 text-t2">{t('why')}</p>
      {open === undefined ? (
        <EmptyState title={t('none')} icon={<Wrench />} action={<HelpLink part="docs" />}>
          {t('noneWhy')}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-4">
          <ul aria-label={t('waiting')} className="border-y border-line">
            {calls.map((call) => (
              <li key={call.id}>
                <CallButton call={call} isOpen={call.id === open.id} onOpen={() => setChosen(call.id)} />
              </li>
            ))}
          </ul>
          <OpenCallForm key={open.id} call={open} />
        </div>
      )}
    </section>
  )
}

function CallButton({ call, isOpen, onOpen }: { call: ByHandCall; isOpen: boolean; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      onClick={onOpen}
      className={cx(
        'flex h-row w-full items-center gap-2 px-2 text-left text-table touch:h-13',
        isOpen ? 'bg-hover font-medium' : 'hover:bg-hover',
      )}
    >
      <span className="cut min-w-0">{[call.agent, call.skill].filter((part) => part !== '').join(' · ')}</span>
      <span className="cut min-w-0 grow text-t3">{call.task ? taskTitle(call.task.name) : null}</span>
      <Elapsed since={call.since} className="shrink-0 text-meta text-t3" />
    </button>
  )
}

/** The section with the instruction; only this one is open at first. */
const FIRST = 'current_step'

/** One call: the prompt for the model, and the answer that a person writes in its place. */
function OpenCallForm({ call }: { call: ByHandCall }) {
  const t = useTranslations('byHand')
  const draft = useDraft(`by_hand:${call.id}`)
  const refusal = useDraft(`by_hand:${call.id}.refusal`)
  const [isRefusing, setRefusing] = useState(false)
  const { failure, isSending, forget, send } = useSendAct()
  const answer = async (body: PostByHand): Promise<void> => {
    const path = `/api/by_hand/${encodeURIComponent(call.id)}`
    if (!(await send(JSON.stringify(body), () => request('POST', path, body)))) return
    draft.clear()
    refusal.clear()
    setRefusing(false)
    showToast('done', t('answer' in body ? 'sent' : 'refused'))
  }

  return (
    <form
      aria-label={t('callOf', { agent: call.agent, skill: call.skill })}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void answer({ answer: draft.text })
      }}
    >
      <Prompt parts={call.parts} />
      <DraftArea
        draft={draft}
        label={t('answer')}
        hint={t('answerHint')}
        minLines={6}
        maxLines={24}
        spellCheck={false}
        error={isRefusing ? null : failure}
        className="font-mono"
        onText={(text) => {
          forget()
          draft.setText(text)
        }}
      />
      <div className="flex gap-2">
        <ServerButton
          type="submit"
          look="primary"
          isDisabled={isSending || draft.text.trim() === ''}
          reason={draft.text.trim() === '' ? t('writeFirst') : undefined}
        >
          {t('send')}
        </ServerButton>
        <Button
          onClick={() => {
            forget()
            setRefusing(true)
          }}
        >
          {t('refuse')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isRefusing}
        onOpenChange={setRefusing}
        title={t('refuseTitle')}
        action={t('refuse')}
        reasonLabel={t('reason')}
        isReasonNeeded
        draft={refusal}
        failure={failure}
        onConfirm={(reason) => answer({ refuse: reason })}
      >
        {t('refuseWhy')}
      </ConfirmDialog>
    </form>
  )
}

function Prompt({ parts }: Pick<ByHandCall, 'parts'>) {
  const t = useTranslations('byHand')
  return (
    <div className="flex flex-col border border-line rounded-control">
      {parts.map((part, index) => (
        <details
          // biome-ignore lint/suspicious/noArrayIndexKey: a call's prompt never changes
          key={index}
          open={part.name === FIRST || part.role === 'assistant'}
          className="border-b border-line last:border-b-0"
        >
          <summary className="cursor-pointer px-3 py-1.5 text-table font-medium">
            <code className="font-mono">{part.name}</code>{' '}
            <span className="text-meta text-t3">{t(`role.${part.role}`)}</span>
          </summary>
          <Scrolled
            as="pre"
            className="max-h-96 overflow-auto border-t border-line px-3 py-2 font-mono text-meta break-words whitespace-pre-wrap"
          >
            {part.text}
          </Scrolled>
        </details>
      ))}
    </div>
  )
}
