/** Small marks: states, faces, names, types, times, waits. */
import { Avatar, AvatarRow, NameCapsule } from '@/components/ui/Avatar'
import { Badge, Kbd, TypeBadge } from '@/components/ui/Badges'
import { type ChipState, StatusChip } from '@/components/ui/StatusChip'
import { StepIcon } from '@/components/ui/StepIcon'
import { Duration, Elapsed, TimeText } from '@/components/ui/Time'
import { WaitLine } from '@/components/ui/WaitLine'
import { AGENTS, ANA, ago, BEN, CODER, LEE, MANAGER, PLANNER, TEAM, whoOf } from '../fixtures/people'
import { Row, Specimen } from '../Specimen'

const STATES: readonly ChipState[] = ['idle', 'running', 'waiting', 'blocked', 'done', 'failed']
const DETAIL: Partial<Record<ChipState, string>> = { running: 'think', blocked: 'db.write', failed: 'time limit' }
const STEPS = ['planning', 'reflection', 'summary', 'instruction_generation', 'think', 'quick_think', 'send_message']
const MORE_STEPS = ['process_message', 'task_manager', 'agent_manager', 'ask_info', 'tool_decision', 'decision', 'tool']

const chipOf = (state: ChipState, look: 'auto' | 'filled' | 'narrow', size: 20 | 24 = 20) => (
  <StatusChip
    key={state}
    state={state}
    raw={state}
    look={look}
    size={size}
    on={state === 'waiting' ? 'Ana' : undefined}
    detail={look === 'narrow' ? undefined : DETAIL[state]}
    since={state === 'running' || state === 'waiting' || state === 'blocked' ? ago(12) : null}
    ms={state === 'done' ? 124_000 : null}
  />
)

export default function Marks() {
  const everybody = TEAM.map(whoOf)
  return (
    <>
      <Specimen name="StatusChip · auto, 20" isWide>
        <Row>{STATES.map((state) => chipOf(state, 'auto'))}</Row>
      </Specimen>
      <Specimen name="StatusChip · filled, 24" isWide>
        <Row>{STATES.map((state) => chipOf(state, 'filled', 24))}</Row>
      </Specimen>
      <Specimen name="StatusChip · narrow">
        <Row>{STATES.map((state) => chipOf(state, 'narrow'))}</Row>
      </Specimen>
      <Specimen name="StatusChip · stale">
        <StatusChip state="running" raw="running" detail="think" silentSince={ago(1)} />
      </Specimen>
      <Specimen name="Avatar · 28, 24, 20">
        <Row>
          {([28, 24, 20] as const).map((size) => (
            <AvatarRow key={size} people={everybody.slice(0, 5)} size={size} />
          ))}
        </Row>
      </Specimen>
      <Specimen name="Avatar · presence, outside, the task">
        <Row>
          <Avatar who={whoOf(ANA)} presence="online" />
          <Avatar who={whoOf(BEN)} presence="away" />
          <Avatar who={whoOf(LEE)} presence="quiet" />
          <Avatar who={whoOf(PLANNER)} />
          <Avatar who={{ id: 'system:task', name: '', kind: 'system' }} />
        </Row>
      </Specimen>
      <Specimen name="AvatarRow · more than fit">
        <AvatarRow people={everybody} max={5} />
      </Specimen>
      <Specimen name="NameCapsule · me, person, agent, outside, everyone, removable">
        <Row>
          <NameCapsule who={whoOf(ANA)} isMe />
          <NameCapsule who={whoOf(BEN)} />
          <NameCapsule who={whoOf(CODER)} />
          <NameCapsule who={whoOf(PLANNER)} />
          <NameCapsule who={null} />
          <NameCapsule who={whoOf(MANAGER)} onRemove={() => {}} removeLabel={`− ${AGENTS[MANAGER.id]?.name ?? ''}`} />
        </Row>
      </Specimen>
      <Specimen name="TypeBadge · FYI, Action, Urgent, Urgent unacknowledged">
        <Row>
          <TypeBadge type="fyi" />
          <TypeBadge type="action" />
          <TypeBadge type="urgent" />
          <TypeBadge type="urgent" isOpen />
        </Row>
      </Specimen>
      <Specimen name="Badge · accent, urgent, soft, blocked, 99+; Kbd">
        <Row>
          <Badge count={3} />
          <Badge count={1} look="urgent" />
          <Badge count={2} look="soft" />
          <Badge count={1} look="blocked" />
          <Badge count={120} />
          <Kbd>⌘K</Kbd>
        </Row>
      </Specimen>
      <Specimen name="WaitLine · short, normal, full">
        <WaitLine reach="short">Ana · 12 m</WaitLine>
        <WaitLine>Ana · 12 m</WaitLine>
        <WaitLine reach="full">Ana · 12 m</WaitLine>
      </Specimen>
      <Specimen name="Elapsed, Duration, TimeText">
        <Row>
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
        </Row>
      </Specimen>
      <Specimen name="StepIcon" isWide>
        <Row>
          {[...STEPS, ...MORE_STEPS, 'by_hand'].map((skill) => (
            <StepIcon key={skill} skill={skill} className="size-4 text-t2" />
          ))}
        </Row>
      </Specimen>
    </>
  )
}
