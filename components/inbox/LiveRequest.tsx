/** A request whose row has left `me`, as its task's log has it; what was last shown while the log is not loaded. */
import { useMemo } from 'react'
import { useRecords } from '@/client'
import { RequestCard, type RequestCardProps, type RequestShown, shownFromWorld } from '@/components/request'
import type { AgentId } from '@/lib/mas/ids'

export function useLiveRequest(last: RequestShown | null, me: AgentId): RequestShown | null {
  const task = last?.request.task ?? null
  const id = last?.request.id ?? null
  const world = useRecords(task === null ? null : `task:${task}`, (whole) => whole)
  return useMemo(() => {
    const request = task !== null && id !== null ? world.requests[task]?.[id] : undefined
    return request ? shownFromWorld(world, request, me) : last
  }, [world, task, id, me, last])
}

export function LiveRequest({ me, ...card }: RequestCardProps & { me: AgentId }) {
  const shown = useLiveRequest(card.shown, me) ?? card.shown
  return <RequestCard {...card} shown={shown} />
}
