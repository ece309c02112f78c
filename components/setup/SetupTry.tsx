import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ApiResult } from '@/client/api'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { useList } from '@/components/ui/useList'
import type { PostSetupTry, TriedAnswer } from '@/lib/wire'
import { trySetup } from './setupCalls'

/** null: nothing was tried as the form is now. */
type Tried = (TriedAnswer & { tools?: readonly string[] }) | 'trying' | null

type Trial = { tried: Tried; problem: string | null }
const NO_TRIAL: Trial = { tried: null, problem: null }

/**
 * The test of a form.
 *
 * in      form: its values as text; what was found counts for them alone
 * out     tried: what was found; problem: why the form could not be tested, as text
 */
export function useSetupTry(form: string) {
  const faultWords = useFaultWords()
  const [last, setLast] = useState({ form, ...NO_TRIAL })
  const { tried, problem } = last.form === form ? last : NO_TRIAL
  return {
    tried,
    problem,
    /** in: missing: what is not valid yet; valueNow: the value of the form; wishOf: how it is tried */
    async test<Value>(
      missing: string | null,
      valueNow: () => Promise<ApiResult<Value>>,
      wishOf: (value: Value) => PostSetupTry,
    ): Promise<void> {
      setLast({ form, tried: missing === null ? 'trying' : null, problem: missing })
      if (missing !== null) return
      const made = await valueNow()
      const answer = made.ok ? await trySetup(wishOf(made.value)) : made
      const found = answer.ok
        ? { form, tried: answer.value, problem: null }
        : { form, tried: null, problem: faultWords(answer.fault) }
      // A form that was changed meanwhile may be tried again already.
      setLast((now) => (now.form === form ? found : now))
    },
  }
}

type TryButtonProps = { tried: Tried; onTry: () => Promise<void>; label?: string }

export function TryButton({ tried, onTry, label }: TryButtonProps) {
  const t = useTranslations('setup')
  return (
    <ServerButton isDisabled={tried === 'trying'} aria-label={label} onClick={() => void onTry()}>
      {t(tried === 'trying' ? 'testing' : 'test')}
    </ServerButton>
  )
}

/**
 * Something that is configured and can be tried; a refusal counts as not working.
 *
 * in      run: null: it cannot be tried, and has no button
 * out     its button, and what was found
 */
export function useTrial(
  name: string,
  run: (() => Promise<ApiResult<NonNullable<Exclude<Tried, 'trying'>>>>) | null,
): { button: ReactNode; line: ReactNode } {
  const t = useTranslations('setup')
  const faultWords = useFaultWords()
  const [tried, setTried] = useState<Tried>(null)
  const start = async (ask: NonNullable<typeof run>): Promise<void> => {
    setTried('trying')
    const answer = await ask()
    setTried(answer.ok ? answer.value : { ok: false, words: faultWords(answer.fault), hint: null })
  }
  return {
    button: run && <TryButton tried={tried} onTry={() => start(run)} label={t('testNamed', { name })} />,
    line: <TriedLine tried={tried} />,
  }
}

/** What a try found; a live region, so that it is read out when it comes. */
export function TriedLine({ tried, problem = null }: { tried: Tried; problem?: string | null }) {
  const t = useTranslations('setup')
  const listOf = useList()
  return (
    <>
      <AlertText text={problem} />
      <div role="status" className="text-table">
        {tried === null ? null : tried === 'trying' ? (
          t('testing')
        ) : (
          <span className="flex gap-2">
            {tried.ok ? (
              <CircleCheck className="mt-0.5 size-4 shrink-0 text-done" />
            ) : (
              <CircleX className="mt-0.5 size-4 shrink-0 text-failed" />
            )}
            <span className="min-w-0 break-words">
              <strong className="font-medium">{t(tried.ok ? 'works' : 'worksNot')}</strong> {tried.words}
              {tried.hint === null ? null : <span className="block text-t2">{tried.hint}</span>}
              {(tried.tools ?? []).length === 0 ? null : (
                <span className="block text-t2">{listOf(tried.tools ?? [])}</span>
              )}
            </span>
          </span>
        )}
      </div>
    </>
  )
}
