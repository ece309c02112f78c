/** Which files of the workspace a person may see, and who wrote or sent them. */

import { canReadMessage, canReadVersion, canSeeFile, taskAccessOf } from '@/lib/mas/access/access'
import { selectVersions } from '@/lib/mas/files/files'
import type { AgentRecord, FileVersion, MessageRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/team/agents'
import type { FileBy } from '@/lib/wire'
import type { GatewayContext } from '../route'
import { uploadedPaths } from './uploads'

type SeenFiles = {
  isSeen(path: string): boolean
  /** Who wrote the present version, if the person may know it. */
  by(path: string): FileBy | null
  /** Who sent it with a message that the person may read. */
  sent(path: string): FileBy | null
}

/** The workspace as this person may see it. */
export async function seenFiles(
  { engine, store, fileServers }: Pick<GatewayContext, 'engine' | 'store' | 'fileServers'>,
  person: AgentRecord,
): Promise<SeenFiles> {
  const uploaded = await uploadedPaths(store.people, person.id)
  const world = engine.world()
  const carriers = carriersOf(world)
  const carriersAt = (path: string): readonly MessageRecord[] => carriers.get(path) ?? []

  const sent = (path: string): FileBy | null => {
    const message = carriersAt(path).find((one) => canReadMessage(taskAccessOf(world, person, one.task), one))
    if (message === undefined) return null
    const { sender, at, task } = message
    return { agent: sender, name: selectName(world, sender), at, change: 'sent', task, step: null }
  }
  return {
    isSeen: (path) =>
      canSeeFile(
        world,
        person,
        {
          path,
          carriers: carriersAt(path),
          uploader: uploaded.has(path) ? person.id : null,
          versions: selectVersions(world, path),
        },
        fileServers,
      ),
    by(path) {
      const last = selectVersions(world, path).at(-1)
      return last === undefined ? sent(path) : { ...shownMaker(world, person, last), at: last.at, change: last.change }
    },
    sent,
  }
}

/** The author of a version. Its task and step are included only for readers of the step. */
export function shownMaker(
  world: World,
  person: AgentRecord,
  version: FileVersion,
): Pick<FileBy, 'agent' | 'name' | 'task' | 'step'> {
  const { agent, task, step } = version
  const name = selectName(world, agent)
  return canReadVersion(world, person, version) ? { agent, name, task, step } : { agent, name, task: null, step: null }
}

/** Messages by the path of their attached file. */
function carriersOf(world: World): ReadonlyMap<string, MessageRecord[]> {
  const carriers = new Map<string, MessageRecord[]>()
  for (const messages of Object.values(world.messages)) {
    for (const message of Object.values<MessageRecord>(messages)) {
      for (const { savedAs } of message.attachments) {
        if (savedAs !== null) carriers.set(savedAs, [...(carriers.get(savedAs) ?? []), message])
      }
    }
  }
  return carriers
}
