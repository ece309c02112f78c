/** The checkpoints of a task, by agent and stage. Only those who see other systems fetch them. */
import { createContext, useContext, useMemo } from 'react'
import { useMe } from '@/client/account/session'
import { useApiQuery } from '@/client/queries'
import type { CheckpointShown, DirectoryPage } from '@/lib/wire'
import { TASK_NODE, type Tree, type TreeNode } from './model/treeModel'

type Marks = ReadonlyMap<string, CheckpointShown>
const NONE: Marks = new Map()
const placeOf = (stage: string | null, agent: string | null): string => `${stage}/${agent}`

export const CheckpointsContext = createContext<Marks>(NONE)

/** in: isWanted false: nothing is fetched */
export function useCheckpoints(taskId: string, tree: Tree, isWanted: boolean): Marks {
  const access = useMe()?.person.access
  const isShown = isWanted && (access === 'operator' || access === 'developer')
  const ended = (tree.children.get(TASK_NODE) ?? []).filter(({ chip }) => chip === 'done').length
  const { data } = useApiQuery<DirectoryPage<CheckpointShown>>(
    isShown && ended > 0 ? `/api/directory/checkpoints?limit=500&task=${encodeURIComponent(taskId)}` : null,
    { version: ended },
  )
  return useMemo(
    () =>
      data
        ? new Map(
            data.rows.flatMap((one) =>
              one.stageNumber === null ? [] : [[placeOf(one.stage, one.agent.id), one] as const],
            ),
          )
        : NONE,
    [data],
  )
}

export function useMarkOf(node: TreeNode): CheckpointShown | null {
  const marks = useContext(CheckpointsContext)
  return node.kind === 'agent' ? (marks.get(placeOf(node.stage, node.agent)) ?? null) : null
}
