/** The templates of requests, fetched when they are shown. */
import { useCallback, useEffect, useState } from 'react'
import { type ApiResult, call } from '@/client'
import type { TemplateList } from '@/lib/wire'

export type TemplatesState = {
  list: TemplateList['templates']
  problem: string | null
  isLoaded: boolean
  reload: () => void
}

/** in: isWanted: fetch now; out: the list, removed ones too for operators; problem: why it could not be fetched */
export function useTemplates(isWanted: boolean): TemplatesState {
  const [answer, setAnswer] = useState<ApiResult<TemplateList> | null>(null)
  const reload = useCallback((): void => void call<TemplateList>('GET', '/api/templates').then(setAnswer), [])
  // Joins the server: templates are in no view.
  useEffect(() => {
    if (isWanted) reload()
  }, [isWanted, reload])
  return {
    list: answer?.ok ? answer.value.templates : [],
    problem: answer === null || answer.ok ? null : answer.fault.message,
    isLoaded: answer !== null,
    reload,
  }
}
