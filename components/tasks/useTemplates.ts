import { useFetched } from '@/client/useFetched'
import type { TemplateList } from '@/lib/wire'

type TemplatesState = {
  list: TemplateList['templates']
  problem: string | null
  isLoaded: boolean
  reload: () => void
}

/** in: isWanted: fetch now; out: the list, removed ones too for operators; problem: why it could not be fetched */
export function useTemplates(isWanted: boolean): TemplatesState {
  const { answer, reload } = useFetched<TemplateList>(isWanted ? '/api/templates' : null)
  return {
    list: answer?.ok ? answer.value.templates : [],
    problem: answer?.ok === false ? answer.fault.message : null,
    isLoaded: answer !== null,
    reload,
  }
}
