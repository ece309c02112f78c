import { memo } from 'react'
import type { MessageId } from '@/lib/mas/ids'
import { isOpen } from '@/lib/mas/statuses'
import type { ChatEntry, Run } from './fns/lines'
import { RequestLineRow, RunRow, SystemRow } from './Lines'
import { MessageCard } from './message/MessageCard'
import type { TaskWorld } from './useTaskWorld'

/** Whether a line holds an open request to the reader. */
export function asksMe(line: ChatEntry | Run, { me, requestsOf }: TaskWorld): boolean {
  const requests =
    line.kind === 'request'
      ? [line.request]
      : line.kind === 'bubble'
        ? line.messages.flatMap(({ id }) => requestsOf.get(id) ?? [])
        : []
  return requests.some((one) => isOpen(one) && one.asked.includes(me))
}

/** Memoised: scrolling the list draws no line again. */
export const ConversationLine = memo(function ConversationLine({
  line,
  task,
  flashed,
  isRunOpen,
  onToggle,
  onReply,
}: {
  line: ChatEntry | Run
  task: TaskWorld
  flashed: string | null
  isRunOpen: boolean
  onToggle: (key: string) => void
  onReply: (task: TaskWorld, message: MessageId) => void
}) {
  const isHere = (ids: readonly string[]): boolean => flashed !== null && ids.includes(flashed)
  switch (line.kind) {
    case 'run':
      return <RunRow run={line} task={task} isOpen={isRunOpen} onToggle={() => onToggle(line.key)} />
    case 'system':
      return <SystemRow entry={line} isFlashed={isHere(line.messages.map(({ id }) => id))} />
    case 'request':
      return (
        <RequestLineRow
          entry={line}
          task={task}
          isFlashed={isHere([line.request.id, line.request.message ?? line.request.id])}
        />
      )
    case 'bubble':
      return (
        <MessageCard
          bubble={line}
          task={task}
          isFlashed={isHere(line.messages.map(({ id }) => id))}
          onReply={onReply}
        />
      )
  }
})
