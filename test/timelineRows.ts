/** Whole rows of a timeline, of which a test says what matters to it. */
import { asId } from '@/lib/mas/ids'
import type { TimelineBar, TimelineLane, Who } from '@/lib/wire/rows'

export const whoNamed = (name: string, kind: Who['kind'] = 'llm'): Who => ({
  id: asId(name),
  name,
  kind,
  role: '',
  manager: false,
  access: 'none',
})

/** A member with no bar. */
export const laneOf = (name: string, change: Partial<TimelineLane> = {}): TimelineLane => ({
  id: name,
  sort: name,
  kind: 'lane',
  agent: asId(name),
  who: whoNamed(name),
  chip: 'done',
  from: null,
  to: null,
  bars: 0,
  before: 0,
  busy: '',
  running: null,
  waitsFor: [],
  waitingSince: null,
  cause: null,
  ...change,
})

/** A step that is done. */
export const barOf = (lane: string, id: string, change: Partial<TimelineBar> = {}): TimelineBar => ({
  id,
  sort: `${lane}/${id}`,
  kind: 'step',
  lane: asId(lane),
  name: id,
  chip: 'done',
  from: null,
  to: null,
  calls: [],
  waits: [],
  reason: null,
  onPath: false,
  step: asId(id),
  executor: 'think',
  stepType: 'skill',
  byHand: false,
  attempt: 1,
  request: null,
  ...change,
})
