import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { Checkbox, OptionalSelect } from '@/components/ui/fields/Choice'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentRecord, RequestRecord, StageRecord, TaskRecord } from '@/lib/mas/records'
import type { Who } from '@/lib/wire'
import { addParticipantsAct, removeParticipantsAct } from './acts'
import { FormDialog } from './FormDialog'
import type { Shown } from './TaskDialogs'
import { openOf } from './taskActs'
import { agentIdShape, useActForm } from './useActForm'

const addingShape = z.object({ who: z.array(agentIdShape) })
const leavingShape = z.object({ who: z.array(agentIdShape), handTo: z.nullable(agentIdShape) })

export const memberOptions = <Id extends string>(members: readonly { id: Id; name: string; role: string }[]) =>
  members.map(({ id, name, role }) => ({ value: id, label: role ? `${name} · ${role}` : name }))

/** Members of the team who are not in the task; known to those who see all tasks. */
export function useOthers(task: TaskRecord): Who[] {
  return useTeam().filter((who) => !task.group.some((id) => id === who.id))
}

/** The whole team, for those who see all tasks; for others it is empty. */
export function useTeam(): Who[] {
  const access = useMe()?.person.access
  const rows = useRows(access === 'operator' || access === 'developer' ? 'agents' : null)
  return rows.map((row) => row.who)
}

type Choosable = { id: string; name: string; role: string }

type ChooseMembersProps<Member> = {
  label: string
  members: readonly Member[]
  /** Beside the name; without it the role. */
  aboutOf?: (member: Member) => string
  /** Why this one cannot be chosen; null: they can. */
  offOf?: (member: Member) => string | null
  chosen: readonly AgentId[]
  onChange: (chosen: AgentId[]) => void
}

/** Some of these, by check box. */
export function ChooseMembers<Member extends Choosable>(props: ChooseMembersProps<Member>) {
  const { label, members, aboutOf = ({ role }) => role, offOf = () => null, chosen, onChange } = props
  return (
    <ul aria-label={label} className="flex flex-col gap-1.5">
      {members.map((member) => {
        const id = asId<AgentId>(member.id)
        const off = offOf(member)
        return (
          <li key={id} className="flex min-w-0 items-center gap-2">
            <Checkbox
              label={member.name}
              isChecked={chosen.includes(id)}
              isDisabled={off !== null}
              onChange={(next) => onChange(next ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
            <span className="min-w-0 text-meta text-t3">{off ?? aboutOf(member)}</span>
          </li>
        )
      })}
    </ul>
  )
}

export function AddPeople({ task, onClose }: Shown) {
  const t = useTranslations('operate')
  const others = useOthers(task)
  const { values, set } = useActForm(addParticipantsAct(task.id, []).place, addingShape, { who: [] })
  return (
    <FormDialog
      title={t('act.addPeople')}
      action={t('do.addPeople')}
      missing={values.who.length === 0 ? t('missing.people') : null}
      act={addParticipantsAct(task.id, values.who)}
      done={t('done.addPeople')}
      onClose={onClose}
    >
      <p>{others.length === 0 ? t('allAreIn') : t('what.addPeople')}</p>
      <ChooseMembers label={t('team')} members={others} chosen={values.who} onChange={(who) => set({ who })} />
    </FormDialog>
  )
}

export function RemovePeople({ task, stages, requests, members, onClose }: Shown) {
  const t = useTranslations('operate')
  const about = useOpenWords(stages, requests)
  const { place } = removeParticipantsAct(task.id, [], null)
  const { values, set } = useActForm(place, leavingShape, { who: [], handTo: null })
  const { who, handTo } = values
  const stays = (id: string): boolean => !who.some((one) => one === id)
  const isAsked = members.some(({ id, kind }) => kind === 'human' && !stays(id) && openOf(id, stages, requests).isAny)
  const others = useOthers(task).flatMap((other) => (other.kind === 'human' ? [other] : []))
  const people = [...members.filter(({ id, kind }) => kind === 'human' && stays(id)), ...others]
  const to = isAsked && people.some(({ id }) => id === handTo) ? handTo : null
  return (
    <FormDialog
      title={t('act.removePeople')}
      action={t('do.removePeople')}
      takesAway
      missing={who.length === 0 ? t('missing.people') : null}
      act={removeParticipantsAct(task.id, who, to)}
      done={t('done.removePeople')}
      onClose={onClose}
    >
      <p>{t('what.removePeople')}</p>
      <ChooseMembers
        label={t('membersNow')}
        members={members}
        aboutOf={about}
        offOf={({ id }) => (id === task.manager ? t('off.manages') : null)}
        chosen={who}
        onChange={(who) => set({ who })}
      />
      {isAsked ? (
        <OptionalSelect
          label={t('handTo')}
          none={t('handToNobody')}
          value={to}
          onChange={(id) => set({ handTo: id && asId<AgentId>(id) })}
          options={memberOptions(people)}
        />
      ) : null}
    </FormDialog>
  )
}

function useOpenWords(
  stages: readonly StageRecord[],
  requests: readonly RequestRecord[],
): (member: AgentRecord) => string {
  const t = useTranslations('operate')
  return ({ id, role }) => {
    const { asked, parts } = openOf(id, stages, requests)
    const open = [
      ...(asked > 0 ? [t('openAsked', { count: asked })] : []),
      ...parts.map((number) => t('openPart', { number })),
    ]
    return open.length === 0 ? role : open.join(' · ')
  }
}
