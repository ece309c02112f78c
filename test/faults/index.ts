/** The fault scenarios, in the order in which they begin. */
import { diskFull } from './diskFull'
import { hostileAnswers } from './hostileAnswers'
import { hostileInput } from './hostileInput'
import { kills } from './kills'
import { memory } from './memory'
import { nodes } from './nodes'
import { openSockets } from './openSockets'
import { outside } from './outside'
import type { Scenario } from './scenario'
import { twoInstallations } from './twoInstallations'

export const SCENARIOS: readonly Scenario[] = [
  kills,
  nodes,
  outside,
  twoInstallations,
  diskFull,
  openSockets,
  hostileInput,
  hostileAnswers,
  memory,
]

export type { Scenario, Size } from './scenario'
