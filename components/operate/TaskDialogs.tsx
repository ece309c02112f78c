/** The dialogs of the menu “Task actions”: a person does what a manager does. */
import { type ComponentType, useState } from 'react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useRecords } from '@/client'
import { questionText, taskTitle } from '@/client/readersWords'
import { OptionalSelect, RadioChoice, Select } from '@/components/ui/fields/Choice'
import { TextArea } from '@/components/ui/fields/TextField'
import { Avatar } from '@/components/ui/marks/Avatar'
import { withNotesOf, withoutNotes } from '@/lib/mas/builtInNotes'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import type { AgentRecord, RequestRecord, StageRecord, TaskRecord } from '@/lib/mas/records'
import { placeInPlan, selectPlan } from '@/lib/mas/stages/plan'
import { isPartOver } from '@/lib/mas/statuses'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import { ActDialog } from './ActDialog'
import {
  addStageAct,
  allowMoreAct,
  finishStageAct,
  finishTaskAct,
  makeManagerAct,
  pauseTaskAct,
  retryStageAct,
} from './acts'
import { EraseTask } from './EraseTask'
import { FormDialog } from './FormDialog'
import { AddPeople, memberOptions, RemovePeople, useOthers } from './MemberDialogs'
import { Rename } from './Rename'
import { filledStage, NO_STAGE, type StageDraft, StageFields, stageShape, useMissingOfStage } from './StageFields'
import { ToolRulesDialog } from './ToolRules'
import { moreOf, openLimitRequest, retriableStages, shownRunningStage, type TaskActName, whyOff } from './taskActs'
import { useActForm } from './useActForm'

export type Shown = {
  task: TaskRecord
  stages: readonly StageRecord[]
  requests: readonly RequestRecord[]
  members: readonly AgentRecord[]
  /** Also of agents that are no members. */
  nameOf: (id: AgentId) => string
  onClose: () => void
}

type TaskDialogsProps = { act: TaskActName; taskId: TaskId; onClose: () => void }

/** The dialog of one act on a task; nothing while the task is not loaded or the act is not possible. */
export default function TaskDialogs({ act, taskId, onClose }: TaskDialogsProps) {
  const world = useRecords(`task:${taskId}`, ({ tasks, stages, requests, agents }) => ({
    tasks,
    stages,
    requests,
    agents,
  }))
  const task = world.tasks[taskId]
  const stages = selectPlan(world, taskId)
  if (!task || whyOff(act, task, stages) !== null) return null
  const shown: Shown = {
    task,
    stages,
    requests: Object.values(world.requests[taskId] ?? {}),
    members: task.group.flatMap((id) => world.agents[id] ?? []),
    nameOf: (id) => world.agents[id]?.name ?? id,
    onClose,
  }
  const Dialog = DIALOGS[act]
  return <Dialog {...shown} />
}

const endingShape = z.object({ state: z.enum(['finished', 'failed']), summary: z.string() })
const managerShape = z.object({ manager: z.string() })

function AddStage({ task, members, onClose }: Shown) {
  const t = useTranslations('operate')
  const missing = useMissingOfStage()
  const { values: draft, set } = useActForm(addStageAct(task.id, NO_STAGE).place, stageShape, NO_STAGE)
  return (
    <FormDialog
      title={t('act.addStage')}
      action={t('do.addStage')}
      missing={missing(draft)}
      act={addStageAct(task.id, filledStage(draft))}
      done={t('done.addStage')}
      onClose={onClose}
    >
      <p>{t('what.addStage')}</p>
      <StageFields draft={draft} members={members} onChange={set} />
    </FormDialog>
  )
}

function FinishStage({ stages, members, onClose }: Shown) {
  const t = useTranslations('operate')
  // The stage when the dialog opened: another may run when the button is pressed.
  const [stage] = useState(() => shownRunningStage(stages))
  if (stage === null) return null
  const open = members.filter((member) => {
    const part = (stage.parts as Partial<typeof stage.parts>)[member.id]
    return part !== undefined && !isPartOver(part)
  })
  return (
    <FormDialog
      title={t('act.finishStage')}
      action={t('do.finishStage')}
      takesAway
      missing={null}
      act={finishStageAct(stage.id)}
      done={t('done.finishStage', { number: placeInPlan(stages, stage.id).number })}
      onClose={onClose}
    >
      <p>
        <b>{t('stageNamed', { number: placeInPlan(stages, stage.id).number, name: stageName(stage) })}</b>
      </p>
      <p>{t('what.finishStage')}</p>
      {open.length === 0 ? null : (
        <p className="flex flex-wrap items-center gap-1.5 text-waiting">
          {t('openParts', { count: open.length })}
          {open.map((member) => (
            <Avatar key={member.id} who={member} size={20} isNamed />
          ))}
        </p>
      )}
    </FormDialog>
  )
}

function RetryStage({ stages, members, onClose }: Shown) {
  // The stages when the dialog opened: another may run when the button is pressed.
  const [able] = useState(() => retriableStages(stages))
  const [stage, setStage] = useState(() => shownRunningStage(able) ?? able.at(-1))
  return stage === undefined ? null : (
    <RetryOne
      key={stage.id}
      stages={stages}
      members={members}
      onClose={onClose}
      able={able}
      stage={stage}
      onChoose={setStage}
    />
  )
}

type RetryOneProps = Pick<Shown, 'stages' | 'members' | 'onClose'> & {
  able: readonly StageRecord[]
  stage: StageRecord
  onChoose: (stage: StageRecord | undefined) => void
}

function RetryOne({ stages, members, onClose, able, stage, onChoose }: RetryOneProps) {
  const t = useTranslations('operate')
  const missing = useMissingOfStage()
  const before = stageDraftOf(stage)
  const { values: draft, set } = useActForm(retryStageAct(stage.id, before).place, stageShape, before)
  return (
    <FormDialog
      title={t('act.retryStage')}
      action={t('do.retryStage')}
      takesAway
      missing={missing(draft)}
      act={retryStageAct(stage.id, withNotesOfStage(filledStage(draft), stage))}
      done={t('done.retryStage', { number: placeInPlan(stages, stage.id).number })}
      onClose={onClose}
    >
      {able.length === 1 ? null : (
        <Select
          label={t('stageToRetry')}
          value={stage.id}
          onChange={(id) => onChoose(able.find((one) => one.id === id))}
          options={able.map((one) => ({
            value: one.id,
            label: t('stageNamed', { number: placeInPlan(stages, one.id).number, name: stageName(one) }),
          }))}
        />
      )}
      <p>
        {t(stage.state === 'running' ? 'what.retryStage' : 'what.retryOver', {
          number: placeInPlan(stages, stage.id).number,
        })}
      </p>
      <StageFields draft={draft} members={members} onChange={set} />
    </FormDialog>
  )
}

const stageDraftOf = ({ intention, allocation }: StageRecord): StageDraft => ({
  intention,
  allocation: Object.fromEntries(Object.entries(allocation).map(([id, goal]) => [id, withoutNotes(goal)])),
})

/** What a person changed, with the notes that the built-in model reads in the goals. */
const withNotesOfStage = (draft: StageDraft, { allocation }: StageRecord): StageDraft => {
  const before: Partial<Record<string, string>> = allocation
  const goals = Object.entries(draft.allocation).map(([id, goal]) => [id, withNotesOf(goal, before[id] ?? '')])
  return { ...draft, allocation: Object.fromEntries(goals) }
}

function FinishTask({ task, onClose }: Shown) {
  const t = useTranslations('operate')
  const { place } = finishTaskAct(task.id, 'finished', '')
  const { values, set, text } = useActForm(place, endingShape, { state: 'finished', summary: '' })
  const { state, summary } = values
  return (
    <FormDialog
      title={t('act.finishTask')}
      action={t('do.finishTask')}
      takesAway
      missing={null}
      act={finishTaskAct(task.id, state, summary.trim())}
      done={t('done.finishTask')}
      onClose={onClose}
    >
      <p>{t('what.finishTask')}</p>
      <RadioChoice<'finished' | 'failed'>
        label={t('howEnded')}
        choices={[
          { value: 'finished', label: t('endedDone') },
          { value: 'failed', label: t('endedFailed') },
        ]}
        value={state}
        onChange={(state) => set({ state })}
      />
      <TextArea {...text('summary')} label={t('summary')} />
    </FormDialog>
  )
}

function MakeManager({ task, members, onClose }: Shown) {
  const t = useTranslations('operate')
  const others = useOthers(task)
  const able = [...members.filter((member) => member.id !== task.manager), ...others]
  const { place } = makeManagerAct(task.id, '' as AgentId)
  const { values, set } = useActForm(place, managerShape, { manager: '' })
  const chosen = able.find(({ id }) => id === values.manager)
  return (
    <FormDialog
      title={t('act.makeManager')}
      action={t('do.makeManager')}
      takesAway
      missing={chosen === undefined ? t('missing.manager') : null}
      act={makeManagerAct(task.id, asId<AgentId>(values.manager))}
      done={t('done.makeManager', { who: chosen?.name ?? '' })}
      onClose={onClose}
    >
      <p>{t('what.makeManager')}</p>
      <OptionalSelect
        label={t('manager')}
        none={t('choose')}
        value={chosen?.id ?? null}
        onChange={(manager) => set({ manager: manager ?? '' })}
        options={memberOptions(able)}
      />
    </FormDialog>
  )
}

function AllowMore({ requests, onClose }: Shown) {
  const t = useTranslations('operate')
  const [limit] = useState(() => openLimitRequest(requests))
  if (limit === null) return null
  return (
    <ActDialog
      asked={{
        title: t('allowTitle', { count: moreOf(limit) }),
        what: questionText(limit),
        action: t('do.allowMore'),
        act: allowMoreAct(limit.id, moreOf(limit)),
        done: t('done.allowMore'),
      }}
      onClose={onClose}
    />
  )
}

function PauseTask({ task, onClose }: Shown) {
  const t = useTranslations('operate')
  return (
    <ActDialog
      asked={{
        title: t('pauseTitle', { task: taskTitle(task.name) }),
        what: t('what.pauseTask'),
        action: t('do.pauseTask'),
        act: pauseTaskAct(task.id),
        done: t('done.pauseTask'),
      }}
      onClose={onClose}
    />
  )
}

const DIALOGS: Record<TaskActName, ComponentType<Shown>> = {
  addStage: AddStage,
  finishStage: FinishStage,
  retryStage: RetryStage,
  finishTask: FinishTask,
  addPeople: AddPeople,
  removePeople: RemovePeople,
  rename: Rename,
  makeManager: MakeManager,
  allowMore: AllowMore,
  toolRules: ({ task, onClose }) => <ToolRulesDialog task={task.id} of={null} onClose={onClose} />,
  pauseTask: PauseTask,
  eraseTask: EraseTask,
}
