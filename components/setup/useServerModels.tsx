/** The models of the server that a form names. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ApiResult } from '@/client/api'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { SetupModels } from '@/lib/wire'

export type ServerModel = Extract<SetupModels, { ok: true }>['models'][number]
type State = { models: readonly ServerModel[] | 'asking'; problem: string | null }
const NOTHING: State = { models: [], problem: null }

type ServerModelsOptions = {
  run: () => Promise<ApiResult<SetupModels>>
  /** Address, API type and key as text: a list counts for them alone. */
  form: string
  /** What is not valid yet; null: nothing. */
  missing: string | null
  onList: (models: readonly ServerModel[]) => void
}

/** out: the list, empty before it came; the button that asks for it, and why there is none */
export function useServerModels({ run, form, missing, onList }: ServerModelsOptions) {
  const t = useTranslations('setup')
  const faultWords = useFaultWords()
  const [last, setLast] = useState({ form, ...NOTHING })
  const { models, problem } = last.form === form ? last : NOTHING
  const start = async (): Promise<void> => {
    setLast({ form, models: missing === null ? 'asking' : [], problem: missing })
    if (missing !== null) return
    const answer = await run()
    const found: State = !answer.ok
      ? { models: [], problem: faultWords(answer.fault) }
      : answer.value.ok
        ? { models: answer.value.models, problem: null }
        : { models: [], problem: `${answer.value.words} ${answer.value.hint}` }
    setLast((now) => (now.form === form ? { form, ...found } : now))
    if (found.models !== 'asking') onList(found.models)
  }
  const isAsking = models === 'asking'
  return {
    models: isAsking ? [] : models,
    button: (
      <ServerButton isDisabled={isAsking} onClick={() => void start()}>
        {t(isAsking ? 'model.listing' : 'model.listModels')}
      </ServerButton>
    ),
    problem: <AlertText text={problem} />,
  }
}
