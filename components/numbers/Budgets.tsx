/** The limits of tokens and money: what is used of them today, what has stopped at them; operators set them. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { useActNow, useSendAct } from '@/components/operate/useSendAct'
import { postSetupChange, undoSetupAct } from '@/components/setup/setupCalls'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { TextField } from '@/components/ui/fields/TextField'
import { TimeText } from '@/components/ui/marks/Time'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { FaultState, Loading } from '@/components/ui/States'
import { formatCost, formatCount } from '@/lib/format'
import { BUDGETS, WARN_AT } from '@/lib/mas/limits/budgets'
import type { BudgetsAnswer } from '@/lib/wire'
import { budgetIn, budgetText } from './budgetValues'
import { NUMBERS_EVERY_MS } from './range'

type Budget = BudgetsAnswer['budgets'][number]

const amountOf = ({ kind }: Pick<Budget, 'kind'>, value: number): string =>
  BUDGETS[kind].counts === 'cost' ? formatCost(value) : formatCount(value)

/** Costs come with each step. */
export function Budgets() {
  const t = useTranslations('budgets')
  const { data, error, refetch } = useApiQuery<BudgetsAnswer>('/api/budgets', { everyMs: NUMBERS_EVERY_MS })
  if (error !== null) return <FaultState title={t('failed')} fault={error} onRetry={refetch} />
  if (data === undefined) return <Loading lines={5} />
  const { budgets, mayChange, day } = data
  return (
    <section aria-label={t('title')}>
      <h2 className="text-question font-bold">{t('title')}</h2>
      <p className="mt-1 mb-3 max-w-prose text-table text-t2">
        {mayChange ? t('why') : t('whyRead')} {t('day', { day })}
      </p>
      <ul className="border-y border-line">
        {budgets.map((budget) => (
          <li
            key={budget.key}
            className="grid items-start gap-x-6 gap-y-2 border-b border-line py-3 last:border-b-0 md:grid-cols-[14rem_1fr]"
          >
            {mayChange ? <BudgetField budget={budget} /> : <BudgetHeight budget={budget} />}
            <div className="flex min-w-0 flex-col gap-1.5 text-table md:pt-1">
              <BudgetUse budget={budget} />
              <BudgetStops budget={budget} isOperator={mayChange} />
              <LastChange budget={budget} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function BudgetField({ budget }: { budget: Budget }) {
  const t = useTranslations('budgets')
  const { kind, key, limit, seen } = budget
  const { failure, isSending, forget, send } = useSendAct()
  // null: as the server says.
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const text = typed ?? budgetText(limit)
  const isChanged = typed !== null && typed.trim() !== budgetText(limit)
  const save = async (): Promise<void> => {
    const next = budgetIn(kind, text)
    if (!next.ok) {
      setProblem(t(`unfit.${next.why}`))
      return
    }
    const change = { kind: 'budget' as const, id: key, value: { limit: next.limit }, seen }
    const isKept = await send(JSON.stringify(change), (head) => postSetupChange([change], head))
    if (isKept) {
      setTyped(null)
      showToast('done', t('saved'), { id: 'budgets' })
    }
  }
  return (
    <form
      className="flex flex-col items-start gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="w-full">
        <TextField
          label={t(`name.${kind}`)}
          hint={<code className="font-mono">{key}</code>}
          inputMode={BUDGETS[kind].counts === 'cost' ? 'decimal' : 'numeric'}
          placeholder={t('none')}
          maxLength={20}
          error={problem ?? failure}
          value={text}
          onChange={({ target }) => {
            setProblem(null)
            forget()
            setTyped(target.value)
          }}
        />
      </div>
      {isChanged ? (
        <div className="flex gap-2">
          <ServerButton look="primary" type="submit" isDisabled={isSending}>
            {t('save')}
          </ServerButton>
          <Button
            look="quiet"
            type="button"
            onClick={() => {
              setProblem(null)
              forget()
              setTyped(null)
            }}
          >
            {t('cancel')}
          </Button>
        </div>
      ) : null}
    </form>
  )
}

function BudgetHeight({ budget }: { budget: Budget }) {
  const t = useTranslations('budgets')
  const { kind, limit } = budget
  return (
    <div className="text-table">
      <div className="font-medium">{t(`name.${kind}`)}</div>
      <div className="tabular-nums text-t2">{limit === null ? t('none') : amountOf(budget, limit)}</div>
    </div>
  )
}

/** The bar ends at the limit, with a mark where it is reported, from which it has another colour. */
function BudgetUse({ budget }: { budget: Budget }) {
  const t = useTranslations('budgets')
  const { kind, most } = budget
  if (most === null) return <p className="text-t3">{BUDGETS[kind].per === 'task' ? t('noTask') : t('nothing')}</p>
  const used = amountOf(budget, most.used)
  const who = most.name ?? t('allWork')
  const { limit } = most
  const isNear = limit !== null && most.used >= limit * WARN_AT
  return (
    <div>
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="min-w-0 break-words">{BUDGETS[kind].per === 'day' ? who : t('most', { who })}</span>
        <span className={cx('tabular-nums', isNear ? 'font-medium text-waiting' : 'text-t2')}>
          {limit === null ? used : t('of', { used, limit: amountOf(budget, limit) })}
        </span>
      </p>
      {limit === null ? null : (
        <div className="relative mt-0.5">
          {/* biome-ignore lint/a11y/useSemanticElements: the browser draws its own meter in colours of no theme. */}
          <div
            role="meter"
            aria-label={t(`name.${kind}`)}
            aria-valuemin={0}
            aria-valuemax={limit}
            aria-valuenow={Math.min(most.used, limit)}
            className="h-1.5 overflow-hidden rounded-control bg-s3"
          >
            <div
              className={cx('h-full', most.used >= limit ? 'bg-failed' : isNear ? 'bg-waiting' : 'bg-accent')}
              style={{ width: `${Math.min(1, most.used / limit) * 100}%` }}
            />
          </div>
          <span
            aria-hidden
            title={t('warnsHere')}
            className="absolute -top-0.5 h-2.5 w-px bg-t3"
            style={{ insetInlineStart: `${WARN_AT * 100}%` }}
          />
        </div>
      )}
    </div>
  )
}

function BudgetStops({ budget: { kind, stops }, isOperator }: { budget: Budget; isOperator: boolean }) {
  const t = useTranslations('budgets')
  if (stops.length === 0) return null
  return (
    <ul aria-label={t('stops', { budget: t(`name.${kind}`) })}>
      {stops.map(({ name, request }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two tasks may have one name.
        <li key={`${name}${at}`} className="flex flex-wrap items-center gap-x-3">
          <span className="min-w-0 font-medium break-words text-failed">
            {kind === 'personCost' ? t('stoppedFor', { who: name ?? '' }) : t('stopped', { who: name ?? t('allWork') })}
          </span>
          {request === null ? (
            <span className="text-t2">{isOperator ? t('untilNextDay') : t('untilAllowed')}</span>
          ) : (
            <Link href={pathTo('request', { requestId: request })} className="link">
              {t('decide')}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function LastChange({ budget }: { budget: Budget }) {
  const t = useTranslations('budgets')
  const act = useActNow()
  const { key, limit, change, seen } = budget
  if (change === null) return null
  const said = (value: number | null): string => (value === null ? t('none') : amountOf(budget, value))
  const values = { before: said(change.before), after: said(limit) }
  const undo = (): void => void act(undoSetupAct('budget', key, seen), t('undone'))
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-meta text-t3">
      <span className="min-w-0 break-words">
        {change.by === null ? t('setByFile', values) : t('setBy', { who: change.by, ...values })}{' '}
        <TimeText at={change.at} />
      </span>
      <ServerButton look="quiet" onClick={undo}>
        {t('undo')}
      </ServerButton>
    </p>
  )
}
