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

/** The result of testing a form; problem: why it could not be tested, as text. */
export function useSetupTry() {
  const faultWords = useFaultWords()
  const [problem, setProblem] = useState<string | null>(null)
  const [tried, setTried] = useState<Tried>(null)
  return {
    problem,
    tried,
    /** The form says something else now. */
    forget: () => setTried(null),
    /** in: missing: what is not valid yet; valueNow: the value of the form; wishOf: how it is tried */
    async test<Value>(
      missing: string | null,
      valueNow: () => Promise<ApiResult<Value>>,
      wishOf: (value: Value) => PostSetupTry,
    ): Promise<void> {
      setProblem(missing)
      if (missing !== null) return
      setTried('trying')
      const made = await valueNow()
      const answer = made.ok ? await trySetup(wishOf(made.value)) : made
      if (answer.ok) return setTried(answer.value)
      setTried(null)
      setProblem(faultWords(answer.fault))
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
