/** Events of the configuration: the file, and what operators change in the page. */
import type { AgentId } from '../ids'
import type { TeamRecord } from '../records'
import type { SetupEntry, SetupVerdict } from './setupRecords'

export type SetupEvents = {
  'config.applied': { team: TeamRecord }
  /** The configuration file was read, and its value has changed. */
  'setup.read': { entry: SetupEntry; verdict: Exclude<SetupVerdict, 'same'> }
  /** An operator created, changed or removed a part of the configuration in the page. */
  'setup.changed': { entry: SetupEntry; by: AgentId }
}
