/** A task to export, as far as its reader may read it: Markdown, or an archive (docs/task-archive.md). Made from the journal. */
import { createHash, type Hash } from 'node:crypto'
import type { Language } from '@/lib/language'
import { canSeeAll } from '@/lib/mas/access/access'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { Entry, MasEvent } from '@/lib/mas/events'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentRecord, TaskRecord, World } from '@/lib/mas/records'
import { placeInPlan, selectPlan } from '@/lib/mas/stages/plan'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import { selectName } from '@/lib/mas/team/agents'
import { findNamed } from '../../engine/duties/namedBodies'
import { entryPages } from '../../engine/snapshots/entryPages'
import { takingTurns } from '../../shared/pieces'
import type { ZipEntry } from '../../shared/zip'
import type { Store } from '../../store'
import { exportWords, inLine, pathInLine, resultMarkdown } from './resultMarkdown'

type TaskToExport = {
  world: World
  task: TaskRecord
  person: AgentRecord
  /** The last entry that they may read. */
  upTo: number
  isSeenFile: (path: string) => boolean
  store: Pick<Store, 'archive' | 'bodies'>
  /** Epoch ms. */
  now: number
}

const PAGE = 200
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** All bodies of an archive together; what is beyond is named in the manifest. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024

/** Events that only readers of everything get: notices to single members, deliveries to other systems. */
const FOR_WATCHERS = /^(notice|envelope|conversation|checkpoint|operator)\./

/** The entries of the task that its reader may read, each cut to it. */
async function* entriesToExport({ task, person, upTo, isSeenFile, store }: TaskToExport): AsyncGenerator<Entry> {
  const seesAll = canSeeAll(person)
  const turn = takingTurns()
  for await (const page of entryPages(
    (after, limit) => store.archive.entriesOf('task', task.id, after, limit),
    0,
    PAGE,
  )) {
    for (const entry of page) {
      if (entry.seq > upTo) return
      if (!seesAll && FOR_WATCHERS.test(entry.event.type)) continue
      yield { ...entry, ...(seesAll ? {} : { cause: '' }), event: cutTo(entry.event, seesAll, isSeenFile) }
    }
    await turn()
  }
}

function cutTo(event: MasEvent, seesAll: boolean, isSeenFile: (path: string) => boolean): MasEvent {
  if (event.type === 'files.changed') return { ...event, changes: event.changes.filter(({ path }) => isSeenFile(path)) }
  // The thread that requested a task is visible to its owner only.
  if (event.type === 'task.added' && !seesAll) {
    const { start: _, ...rest } = event
    return { ...rest, requestedIn: null }
  }
  return event
}

/** The task as one text: its result, stages and messages; these are as they were written. */
export async function* markdownOf(asked: TaskToExport, language: Language): AsyncGenerator<string> {
  const { world, task } = asked
  const words = exportWords(language)
  const name = (id: MasEventSender): string => inLine(selectName(world, id))
  yield resultMarkdown(asked, language)
  const stages = selectPlan(world, task.id)
  if (stages.length > 0) yield `\n## ${words.stages}\n`
  for (const stage of stages) {
    yield `\n### ${placeInPlan(stages, stage.id).number}. ${inLine(stageName(stage))} (${stage.state})\n\n${inLine(stage.intention)}\n`
    for (const [agent, summary] of Object.entries(stage.summaries))
      yield `\n**${inLine(world.agents[agent as AgentRecord['id']]?.name ?? agent)}:** ${withoutNotes(summary)}\n`
  }
  yield `\n## ${words.messages}\n`
  const shown = new Set<string>()
  for await (const { at, event } of entriesToExport(asked)) {
    if (event.type !== 'message.sent' || event.instruction?.type === 'update_working_memory') continue
    if (shown.has(event.dispatch ?? event.message)) continue
    shown.add(event.dispatch ?? event.message)
    const receivers = event.receivers.map(name).join(', ')
    yield `\n### ${new Date(at).toISOString()} · ${name(event.sender)} ${words.to} ${receivers}\n\n${event.text}\n`
    for (const { name: file, savedAs } of event.attachments) yield `\n- \`${pathInLine(savedAs ?? file)}\`\n`
  }
}
type MasEventSender = Parameters<typeof selectName>[1]

/** The result alone. */
export async function* resultTextOf(asked: TaskToExport, language: Language): AsyncGenerator<string> {
  yield resultMarkdown(asked, language)
}

/** The files of the archive, in their order; the manifest is the last. mostBytes: of all bodies together */
export async function* archiveOf(
  asked: TaskToExport,
  language: Language,
  mostBytes = MOST_BYTES,
): AsyncGenerator<ZipEntry> {
  const { task, person, now, store } = asked
  const named = new Set<string>()
  const agents = new Set<AgentId>()
  const [entries, result] = [counted(), counted()]
  yield { name: 'entries.jsonl', content: entries.through(entryLines(asked, named, agents)) }
  yield { name: 'result.md', content: result.through(encoded(markdownOf(asked, language))) }
  const bodies: { sha256: string; bytes: number; mime: string }[] = []
  const leftOut: string[] = []
  let bytes = 0
  for (const sha of named) {
    const body = await store.bodies.get(sha)
    if (body === null) continue
    if (bytes + body.bytes.length > mostBytes) {
      leftOut.push(sha)
      continue
    }
    bytes += body.bytes.length
    bodies.push({ sha256: sha, bytes: body.bytes.length, mime: body.mime })
    yield { name: `bodies/${sha}`, content: [body.bytes] }
  }
  const manifest = {
    format: 'convene-task',
    version: 1,
    task: { id: task.id, name: task.name },
    exported: { at: now, by: person.name },
    agents: [...agents].flatMap((id) => {
      const { name, kind } = asked.world.agents[id] ?? {}
      return name === undefined || kind === undefined ? [] : [{ id, name, kind }]
    }),
    files: [
      { name: 'entries.jsonl', ...entries.total() },
      { name: 'result.md', ...result.total() },
    ],
    bodies,
    leftOut,
  }
  yield { name: 'manifest.json', content: [new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)] }
}

/**
 * One entry per line.
 *
 * named   collects the bodies that entries name, and those that prompts refer to
 * agents  collects the people and agents that entries name
 */
async function* entryLines(asked: TaskToExport, named: Set<string>, agents: Set<AgentId>): AsyncGenerator<Uint8Array> {
  const seen = new Set<string>()
  const encoder = new TextEncoder()
  for await (const entry of entriesToExport(asked)) {
    const line = JSON.stringify(entry)
    await findNamed(entry.event, asked.store.bodies, seen, (sha) => named.add(sha))
    for (const id of line.match(UUID) ?? []) if (Object.hasOwn(asked.world.agents, id)) agents.add(asId<AgentId>(id))
    yield encoder.encode(`${line}\n`)
  }
}

/** Texts as UTF-8. */
export async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}

/** Size and hash of what passes through. */
function counted() {
  const hash: Hash = createHash('sha256')
  let bytes = 0
  return {
    async *through(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        hash.update(piece)
        bytes += piece.length
        yield piece
      }
    },
    total: () => ({ sha256: hash.copy().digest('hex'), bytes }),
  }
}
