/** The sources of a message that the reader of an export may know. */
import { asId, type MessageId, type StepId } from '@/lib/mas/ids'
import { selectWorkOf } from '@/lib/mas/outside/outsideWork'
import type { Cited, MessageRecord, StepRecord } from '@/lib/mas/records'
import { addressesOf } from '@/lib/mas/steps/callWords'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { CitationMap, type HarmonyCitation } from '@/lib/protocols/harmony/citation'
import type { Readable } from './caller'

type ShownFile = { message: MessageId; name: string }

/**
 * Makes the sources of the messages of one export.
 *
 * People see steps and messages that they may read. A peer sees messages that it reads, and in place of a step that read a file
 * the file itself, if a readable message carries it: neither ids of steps nor names of members.
 *
 * out  null for a message without a visible source
 */
export function openSources(
  { world, task, sight, conversation }: Readable,
  steps: ReadonlyMap<StepId, StepRecord>,
): (message: MessageRecord) => { at: Cited['at']; map: CitationMap } | null {
  const tasks = [task, ...(conversation === null ? [] : selectWorkOf(world, task).map(({ id }) => id))]
  const isRead = (id: string): boolean =>
    tasks.some((own) => {
      const message = world.messages[own]?.[asId<MessageId>(id)]
      return message !== undefined && sight.message(message)
    })

  function filesShown(): ReadonlyMap<string, ShownFile> {
    const read = tasks
      .flatMap((own): MessageRecord[] => Object.values(world.messages[own] ?? {}))
      .filter((message) => sight.message(message))
    return new Map(
      read.flatMap(({ id, attachments }) =>
        attachments.flatMap(({ name, savedAs }) =>
          savedAs === null ? [] : [[savedAs, { message: id, name }] as const],
        ),
      ),
    )
  }
  let files: ReadonlyMap<string, ShownFile> | null = null

  /** The file that a step read; null: none that the peer sent or received. */
  function fileOf(id: string): ShownFile | null {
    if (conversation === null) return null
    const step = tasks
      .flatMap((own) => Object.values(world.steps[own] ?? {}).map((all) => stepIn(all, asId<StepId>(id))))
      .find((found) => found !== undefined)
    files ??= filesShown()
    return addressesOf(step?.instruction ?? null).flatMap((path) => files?.get(path) ?? [])[0] ?? null
  }

  function shown(source: HarmonyCitation): HarmonyCitation | null {
    const { source_id: id, location } = source
    if (typeof id !== 'string') return null
    const where = location === undefined ? {} : { location }
    if (conversation !== null && isRead(id)) return { source_type: 'message', source_id: id, ...where }
    if (steps.has(asId<StepId>(id)) || isRead(id)) return source
    const file = fileOf(id)
    return file && { source_type: 'file', source_id: file.message, source_name: file.name, ...where }
  }

  return ({ cited }) => {
    const map = Object.entries(CitationMap.safeParse(cited?.sources).data ?? {}).flatMap(([anchor, source]) => {
      const found = shown(source)
      return found === null ? [] : [[anchor, found] as const]
    })
    const left = Object.fromEntries(map)
    return map.length === 0 ? null : { at: (cited?.at ?? []).filter(({ id }) => Object.hasOwn(left, id)), map: left }
  }
}
