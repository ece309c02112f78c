/** Small marks: states, avatars, names, types, times, waits. */
import { Avatar, AvatarRow, CapsuleRemoveButton, NameCapsule } from '@/components/ui/marks/Avatar'
import { Badge, Kbd, TypeBadge } from '@/components/ui/marks/Badges'
import { type ChipState, StatusChip } from '@/components/ui/marks/StatusChip'
import { StepIcon } from '@/components/ui/marks/StepIcon'
import { Duration, Elapsed, TimeText } from '@/components/ui/marks/Time'
import { WaitLine } from '@/components/ui/marks/WaitLine'
import { AGENTS, ANA, ago, BEN, CODER, fixtureWho, GALLERY_LEE, MANAGER, PLANNER, TEAM } from '../fixtures/people'
import { Specimen, SpecimenRow } from '../Specimen'

const STATES: readonly ChipState[] = ['idle', 'running', 'waiting', 'blocked', 'done', 'failed']
const DETAIL: Partial<Record<ChipState, string>> = { running: 'think', blocked: 'db.write', failed: 'time limit' }
const STEPS = ['planning', 'reflection', 'summary', 'instruction_generation', 'think', 'quick_think', 'send_message']
const MORE_STEPS = ['process_message', 'task_manager', 'agent_manager', 'ask_info', 'tool_decision', 'decision', 'tool']

const chipOf = (state: ChipState, isNarrow: boolean) => (
  <StatusChip
    key={state}
    state={state}
    raw={state}
    isNarrow={isNarrow}
    on={state === 'waiting' ? 'Ana' : undefined}
    detail={isNarrow ? undefined : DETAIL[state]}
    since={state === 'running' || state === 'waiting' || state === 'blocked' ? ago(12) : null}
    ms={state === 'done' ? 124_000 : null}
  />
)

export default function MarksFamily() {
  const everybody = TEAM.map(fixtureWho)
  return (
    <>
      <Specimen name="StatusChip" isWide>
        <SpecimenRow>{STATES.map((state) => chipOf(state, false))}</SpecimenRow>
      </Specimen>
      <Specimen name="StatusChip · narrow">
        <SpecimenRow>{STATES.map((state) => chipOf(state, true))}</SpecimenRow>
      </Specimen>
      <Specimen name="StatusChip · stale">
        <StatusChip state="running" raw="running" detail="think" silentSince={ago(1)} />
      </Specimen>
      <Specimen name="Avatar · 28, 24, 20">
        <SpecimenRow>
          {([28, 24, 20] as const).map((size) => (
            <AvatarRow key={size} people={everybody.slice(0, 5)} size={size} />
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen name="Avatar · presence, outside, the task">
        <SpecimenRow>
          <Avatar who={fixtureWho(ANA)} presence="online" />
          <Avatar who={fixtureWho(BEN)} presence="away" />
          <Avatar who={fixtureWho(GALLERY_LEE)} presence="quiet" />
          <Avatar who={fixtureWho(PLANNER)} />
          <Avatar who={{ id: 'system:task', name: '', kind: 'system' }} />
        </SpecimenRow>
      </Specimen>
      <Specimen name="AvatarRow · more than fit">
        <AvatarRow people={everybody} max={5} />
      </Specimen>
      <Specimen name="NameCapsule · me, person, agent, outside, everyone, removable">
        <SpecimenRow>
          <NameCapsule who={fixtureWho(ANA)} isMe />
          <NameCapsule who={fixtureWho(BEN)} />
          <NameCapsule who={fixtureWho(CODER)} />
          <NameCapsule who={fixtureWho(PLANNER)} />
          <NameCapsule who={null} />
          <NameCapsule
            who={fixtureWho(MANAGER)}
            removeButton={<CapsuleRemoveButton label={`− ${AGENTS[MANAGER.id]?.name ?? ''}`} onClick={() => {}} />}
          />
        </SpecimenRow>
      </Specimen>
      <Specimen name="TypeBadge · FYI, Action, Urgent, Urgent unacknowledged">
        <SpecimenRow>
          <TypeBadge type="fyi" />
          <TypeBadge type="action" />
          <TypeBadge type="urgent" />
          <TypeBadge type="urgent" isOpen />
        </SpecimenRow>
      </Specimen>
      <Specimen name="Badge · accent, urgent, soft, blocked, 99+; Kbd">
        <SpecimenRow>
          <Badge count={3} />
          <Badge count={1} look="urgent" />
          <Badge count={2} look="soft" />
          <Badge count={1} look="blocked" />
          <Badge count={120} />
          <Kbd>⌘K</Kbd>
        </SpecimenRow>
      </Specimen>
      <Specimen name="WaitLine · short, normal, full">
        <WaitLine reach="short">Ana · 12 m</WaitLine>
        <WaitLine>Ana · 12 m</WaitLine>
        <WaitLine reach="full">Ana · 12 m</WaitLine>
      </Specimen>
      <Specimen name="Elapsed, Duration, TimeText">
        <SpecimenRow>
          <Elapsed since={ago(0.2)} />
          <Elapsed since={ago(12)} />
          <Elapsed since={ago(200)} />
          <Duration ms={840} />
          <Duration ms={3_200} />
          <Duration ms={250_000} />
          <Duration ms={null} />
          <TimeText at={ago(12)} isClock />
          <TimeText at={ago(3_000)} isClock />
          <TimeText at={ago(30_000)} isClock />
        </SpecimenRow>
      </Specimen>
      <Specimen name="StepIcon" isWide>
        <SpecimenRow>
          {[...STEPS, ...MORE_STEPS, 'by_hand'].map((skill) => (
            <StepIcon key={skill} skill={skill} className="size-4 text-t2" />
          ))}
        </SpecimenRow>
      </Specimen>
    </>
  )
}
