/** The model of a call with a prompt that the reader changed: its answer beside the old one. Nothing in the task changes. */
import { FlaskConical, RotateCcw, Send } from 'lucide-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useMe } from '@/client/account/session'
import { call as callServer } from '@/client/api'
import { useApiQuery } from '@/client/queries'
import { useActForm } from '@/components/operate/useActForm'
import { useSendAct } from '@/components/operate/useSendAct'
import { Button } from '@/components/ui/Button'
import { TextArea } from '@/components/ui/fields/TextField'
import { Diff } from '@/components/ui/lazy'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { formatCost, formatDuration, formatTokens } from '@/lib/format'
import type { ModelCall, StepRecord } from '@/lib/mas/records'
import type { PostTriedCall, PromptAnswer, ResponseAnswer, TriedCall } from '@/lib/wire'
import { textOfPart } from './attempts'
import { Fetched } from './parts'

const changes = z.object({ texts: z.record(z.string(), z.string()) })

type TryProps = { step: StepRecord; call: ModelCall; sections: PromptAnswer['sections'] }

/** The button that begins it, for those who see every task. */
export function TryPrompt(props: TryProps) {
  const t = useTranslations('inspector')
  const access = useMe()?.person.access
  const [isOpen, setOpen] = useState(false)
  if (access !== 'operator' && access !== 'developer') return null
  return isOpen ? (
    <TryForm {...props} onClose={() => setOpen(false)} />
  ) : (
    <Button icon={<FlaskConical />} className="self-start" onClick={() => setOpen(true)}>
      {t('try')}
    </Button>
  )
}

function TryForm({ step, call, sections, onClose }: TryProps & { onClose: () => void }) {
  const t = useTranslations('inspector')
  const locale = useLocale()
  const { values, set } = useActForm(`act:try.${call.id}`, changes, { texts: {} })
  const { failure, isSending, send } = useSendAct()
  const [tried, setTried] = useState<TriedCall | null>(null)
  const textAt = (at: number): string => values.texts[at] ?? sections[at]?.text ?? ''
  const isChanged = sections.some(({ text }, at) => textAt(at) !== text)
  const run = async (): Promise<void> => {
    const body: Omit<PostTriedCall, 'id'> = {
      call: call.id,
      // A result of a function is tried as what the user says.
      sections: sections.map(({ name, role }, at) => ({
        name,
        role: role === 'tool' ? 'user' : role,
        text: textAt(at),
      })),
    }
    await send(JSON.stringify(body), async ({ id }) => {
      const answer = await callServer<TriedCall>('POST', `/api/steps/${step.id}/try`, { id, ...body })
      if (answer.ok) setTried(answer.value)
      return answer
    })
  }
  return (
    <section aria-label={t('try')} className="flex flex-col gap-3 rounded-card border border-line p-3">
      <p className="text-table text-t2">{t('tryWhy', { model: call.model })}</p>
      {sections.map(({ name, role }, at) => (
        <TextArea
          // biome-ignore lint/suspicious/noArrayIndexKey: sections of one prompt never change places.
          key={at}
          label={`${name}, ${t(`role.${role}`)}`}
          value={textAt(at)}
          className="font-mono text-meta"
          onChange={(event) => set({ texts: { ...values.texts, [at]: event.target.value } })}
        />
      ))}
      <AlertText text={failure} />
      <div className="flex flex-wrap gap-2">
        <ServerButton
          look="primary"
          icon={<Send />}
          isDisabled={isSending}
          reason={t('trying')}
          onClick={() => void run()}
        >
          {isSending ? t('trying') : t('trySend')}
        </ServerButton>
        {isChanged ? (
          <Button icon={<RotateCcw />} onClick={() => set({ texts: {} })}>
            {t('tryReset')}
          </Button>
        ) : null}
        <Button look="quiet" onClick={onClose}>
          {t('tryClose')}
        </Button>
      </div>
      {tried === null ? null : (
        <div role="status" className="flex flex-col gap-2">
          <p className="text-meta text-t2">
            {[
              t(`outcome.${tried.call.outcome}`),
              formatDuration(tried.call.totalMs, locale),
              t('tokens', {
                tokens: formatTokens((tried.call.promptTokens ?? 0) + (tried.call.completionTokens ?? 0), locale),
              }),
              formatCost(tried.call.costUsd),
            ].join(' · ')}
          </p>
          <AlertText text={tried.call.error} />
          <Answers step={step} call={call} text={tried.text} />
        </div>
      )}
    </section>
  )
}

/** The old answer and the new one, by lines. */
function Answers({ step, call, text }: Pick<TryProps, 'step' | 'call'> & { text: string }) {
  const t = useTranslations('inspector')
  const path = `/api/steps/${step.id}/response?call=${encodeURIComponent(call.id)}`
  const query = useApiQuery<ResponseAnswer>(path)
  return (
    <Fetched query={query} goneText={t('noResponse')}>
      {(before) => <Diff before={textOfPart(before)} after={text} name={t('tab.response')} />}
    </Fetched>
  )
}
