import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ApiResult } from '@/client/api'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { useList } from '@/components/ui/useList'
import { useShown } from '@/components/ui/useShown'
import type { TriedAnswer } from '@/lib/wire'

type Found = TriedAnswer & { tools?: readonly string[] }
/** null: nothing was tried as the form is now. problem: why it could not be, as text */
type State = { tried: Found | 'trying' | null; problem: string | null }
const NOTHING: State = { tried: null, problem: null }

type TrialOptions = {
  /** null: it cannot be tried, and has no button. */
  run: (() => Promise<ApiResult<Found>>) | null
  /** Of something that is configured, one of several: it names the button, and a refusal counts as not working. */
  name?: string
  /** The values of a form as text; what was found counts for them alone. */
  form?: string
  /** What is not valid yet; null: nothing. */
  missing?: string | null
}

/** The test of a form, or of something that is configured. out: its button, what was found as a line, and as values */
export function useTrial({ run, name, form = '', missing = null }: TrialOptions) {
  const t = useTranslations('setup')
  const faultWords = useFaultWords()
  const [last, setLast] = useState({ form, ...NOTHING })
  const { tried, problem } = last.form === form ? last : NOTHING
  const refused = (words: string): State =>
    name === undefined ? { tried: null, problem: words } : { tried: { ok: false, words, hint: null }, problem: null }
  const start = async (ask: NonNullable<typeof run>): Promise<void> => {
    setLast({ form, tried: missing === null ? 'trying' : null, problem: missing })
    if (missing !== null) return
    const answer = await ask()
    const found = answer.ok ? { tried: answer.value, problem: null } : refused(faultWords(answer.fault))
    // A form that was changed meanwhile may be tried again already.
    setLast((now) => (now.form === form ? { form, ...found } : now))
  }
  const isTrying = tried === 'trying'
  return {
    found: isTrying ? null : tried,
    button: run && (
      <ServerButton
        isDisabled={isTrying}
        aria-label={name === undefined ? undefined : t('testNamed', { name })}
        onClick={() => void start(run)}
      >
        {t(isTrying ? 'testing' : 'test')}
      </ServerButton>
    ),
    line: <TriedLine tried={tried} problem={problem} />,
  }
}

/** What a try found; a live region, so that it is read out when it comes. */
/** The result is the last line of a form, whose buttons lie over its end. */
const intoView = (line: HTMLElement | null): void => line?.scrollIntoView?.({ block: 'nearest' })

function TriedLine({ tried, problem }: State) {
  const t = useTranslations('setup')
  const listOf = useList()
  const part = useShown<HTMLDivElement>(problem ?? tried)
  return (
    <div ref={part} className="scroll-my-4 empty:hidden">
      <AlertText text={problem} />
      <div role="status" className="text-table">
        {tried === null ? null : tried === 'trying' ? (
          t('testing')
        ) : (
          <span className="flex gap-2" ref={intoView}>
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
    </div>
  )
}
