/**
 * The address of one step or stage (/tasks/<id>/steps/<stepId>?tab=) shows it in its tree, with the inspector on it.
 */
import { useEffect } from 'react'
import { navigate, pathTo, useLocation } from '@/client/nav'

export function useDeepLink(taskId: string, isOn: boolean): void {
  const place = useLocation()
  const { stepId, stageId } = place?.params ?? {}
  const stateId = stepId ? `StepState_${stepId}` : stageId ? `StageState_${stageId}` : null
  const search = place?.search.toString() ?? ''
  // Joins the address bar: a link that people copied becomes the place it means, without a step back to it.
  useEffect(() => {
    if (!isOn || stateId === null) return
    const next = new URLSearchParams(search)
    if (!next.has('inspect')) next.set('inspect', stateId)
    navigate(`${pathTo('tree', { taskId })}?${next}`, { replace: true })
  }, [isOn, stateId, search, taskId])
}
