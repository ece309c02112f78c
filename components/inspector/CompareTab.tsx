/** Two attempts of a step beside each other: what of the prompt, of the answer and of the arguments is another. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useApiQuery } from '@/client/queries'
import { Select } from '@/components/ui/fields/Choice'
import { Diff } from '@/components/ui/lazy'
import { chipStateOf } from '@/components/ui/marks/StatusChip'
import { Segmented } from '@/components/ui/Tabs'
import type { StepRecord } from '@/lib/mas/records'
import { type Attempt, type AttemptPart, textOfPart, useAttempts } from './attempts'
import { Fetched } from './parts'

type Part = 'prompt' | 'response' | 'arguments'

export function CompareTab({ step, asked }: { step: StepRecord; asked: StepRecord }) {
  const t = useTranslations('inspector')
  const query = useAttempts(step, asked)
  return (
    <Fetched query={query}>
      {(attempts) =>
        attempts.length < 2 ? (
          <p className="text-table text-t3">{t('oneAttempt')}</p>
        ) : (
          <Compared key={attempts.length} attempts={attempts} />
        )
      }
    </Fetched>
  )
}

function Compared({ attempts }: { attempts: readonly Attempt[] }) {
  const t = useTranslations('inspector')
  const state = useTranslations('state')
  const [part, choose] = useState<Part>('response')
  const [places, setPlaces] = useState({ before: attempts.length - 2, after: attempts.length - 1 })
  const isTool = attempts.some(({ step }) => step.type === 'tool')
  const [before, after] = [attempts[places.before], attempts[places.after]]
  const options = attempts.map(({ call, step }, at) => ({
    value: `${at}`,
    label: t('attemptOf', {
      number: at + 1,
      count: attempts.length,
      outcome: call === null ? state(chipStateOf(step.state)) : t(`outcome.${call.outcome}`),
    }),
  }))
  const picker = (of: 'before' | 'after') => (
    <Select
      label={t(of)}
      value={`${places[of]}`}
      onChange={(value) => setPlaces({ ...places, [of]: Number(value) })}
      options={options}
    />
  )
  const look = { label: t('compared'), className: 'self-start' }
  const ofModel = { response: t('tab.response'), prompt: t('tab.prompt') }
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        {picker('before')}
        {picker('after')}
      </div>
      {isTool ? (
        <Segmented {...look} segments={{ ...ofModel, arguments: t('arguments') }} value={part} onChange={choose} />
      ) : (
        <Segmented {...look} segments={ofModel} value={part === 'arguments' ? 'response' : part} onChange={choose} />
      )}
      {before && after ? <Difference key={part} part={part} before={before} after={after} /> : null}
    </>
  )
}

function Difference({ part, before, after }: { part: Part; before: Attempt; after: Attempt }) {
  const t = useTranslations('inspector')
  const name = part === 'arguments' ? t('arguments') : t(`tab.${part}`)
  const [from, to] = [pathOf(part, before), pathOf(part, after)]
  const [left, right] = [useApiQuery<AttemptPart>(from), useApiQuery<AttemptPart>(to)]
  const missing = from === null ? 'before' : to === null ? 'after' : null
  if (missing !== null) return <NotThere which={missing} />
  return (
    <Fetched query={left} goneText={t('notThere', { which: t('before') })}>
      {(was) => (
        <Fetched query={right} goneText={t('notThere', { which: t('after') })}>
          {(is) => <Diff before={textOfPart(was)} after={textOfPart(is)} name={name} />}
        </Fetched>
      )}
    </Fetched>
  )
}

function NotThere({ which }: { which: 'before' | 'after' }) {
  const t = useTranslations('inspector')
  return <p className="text-table text-t3">{t('notThere', { which: t(which) })}</p>
}

/** null: its model was not called. */
function pathOf(part: Part, { step, asked, call }: Attempt): string | null {
  if (part === 'arguments') return `/api/steps/${step.id}/tool`
  return call === null ? null : `/api/steps/${asked.id}/${part}?call=${encodeURIComponent(call.id)}`
}
