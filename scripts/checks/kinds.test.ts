/** One more of each kind is added to a copy of the program: every place that must know it is named by the compiler. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// A skill is asked for in that package too.
import '@/packages/rehearsal/register'
import { CODE_FOLDERS } from './sources.mjs'

/**
 * added   file → [what stands there, what is put behind it]
 * asks    the files in which the compiler names what is missing
 */
type Kind = { added: Record<string, readonly [string, string]>; asks: readonly string[] }

const EVENT_PLACES = ['lib/mas/reduce/index.ts', 'test/samples.ts', 'server/search/lines.ts', 'test/histories.ts']

const KINDS: Record<string, Kind> = {
  'a command': {
    added: { 'lib/mas/commands/command.ts': ['  beginDay: { day: string }\n', '  weighTask: { task: TaskId }\n'] },
    asks: ['lib/mas/commands/index.ts', 'lib/mas/commands/visible.test.ts'],
  },
  'a kind of member': {
    added: { 'lib/mas/team/records.ts': ["  kind: 'llm' | 'human' | 'outside'", " | 'weigher'"] },
    asks: ['lib/mas/messages/commands/deliver.ts', 'lib/mas/members/index.ts', 'lib/mas/members/traits.ts'],
  },
  'a skill': {
    added: { 'lib/mas/team/abilities.ts': ["  'decision',\n", "  'weigh',\n"] },
    asks: ['components/ui/marks/StepIcon.tsx', 'packages/rehearsal/rehearsalModel.ts', 'server/skills/registry.ts'],
  },
  'an event': {
    added: {
      'lib/mas/tasks/events.ts': [
        "  'task.resumed': { task: TaskId; by: AgentId }\n",
        "  'task.weighed': { task: TaskId }\n",
      ],
    },
    asks: [...EVENT_PLACES, 'lib/mas/transitions.test.ts'],
  },
  'an event of a family of which nothing is searched': {
    added: {
      'lib/mas/team/events.ts': [
        "  'memory.removed': { agent: AgentId; key: string }\n",
        "  'memory.weighing': { agent: AgentId }\n",
      ],
    },
    asks: EVENT_PLACES,
  },
  'a state of a delivery': {
    added: { 'lib/mas/messages/records.ts': ["  | 'superseded'\n", "  | 'weighed'\n"] },
    asks: [
      'components/chat/message/MessageCard.tsx',
      'components/chat/message/DeliveriesDialog.tsx',
      'components/inbox/OtherViews.tsx',
      'components/waits/endedWaits.ts',
      'lib/mas/waits/commands/waits.test.ts',
      'lib/mas/statuses.ts',
      'lib/mas/transitions.test.ts',
    ],
  },
  'a screen': {
    added: {
      'lib/wire/addresses.ts': [
        "  ['step', '/tasks/:taskId/steps/:stepId'],\n",
        "  ['scales', '/tasks/:taskId/scales'],\n",
      ],
    },
    asks: ['components/chat/index.tsx', 'components/shell/screens.ts', 'e2e/accessibility.spec.ts'],
  },
  'a channel': {
    added: { 'lib/mas/messages/records.ts': ['CONFIGURED_CHANNELS = [', "'pager', "] },
    asks: [
      'components/request/card/AttemptLines.tsx',
      'components/settings/ChannelsPart.tsx',
      'lib/mas/messages/records.ts',
      'server/notify/channels/index.ts',
    ],
  },
  'a column of the tree': {
    added: {
      'components/tree/treeColumns.tsx': [
        'const COLUMNS: readonly TreeColumn[] = [\n',
        "  { head: 'weight', track: '3rem', ...NUMBER, Cell: Passed },\n",
      ],
    },
    asks: ['components/tree/treeColumns.tsx'],
  },
}

/** In the short suite what the server and the domain must know: with a file of the page the compiler reads all of it, for twice as long. */
const isAsked = (file: string): boolean => process.env.CONVENE_ALL === '1' || !/^(components|e2e)\//.test(file)

const COPIED = [...CODE_FOLDERS, 'docs', 'package.json', 'tsconfig.json']
let copy = ''

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'convene-kinds-'))
  for (const name of COPIED) if (existsSync(name)) cpSync(resolve(name), join(copy, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** The files in which the compiler finds something missing, with all that is in these files. It reads the files that are asked only. */
function complaints(): Map<string, string> {
  const program = resolve('node_modules', 'typescript', 'bin', 'tsc')
  const files = [...new Set(Object.values(KINDS).flatMap(({ asks }) => asks))].filter(isAsked)
  writeFileSync(join(copy, 'asked.json'), JSON.stringify({ extends: './tsconfig.json', files, include: [] }))
  const { stdout } = spawnSync(process.execPath, [program, '--noEmit', '--incremental', 'false', '-p', 'asked.json'], {
    cwd: copy,
    encoding: 'utf8',
  })
  const found = new Map<string, string>()
  for (const line of stdout.split('\n')) {
    const file = /^(\S+?)\(\d+,\d+\): error /.exec(line)?.[1]
    if (file !== undefined) found.set(file, `${found.get(file) ?? ''}${line}\n`)
  }
  return found
}

/** A switch that leaves something out is told without its name. */
const isAbout = (said: string, word: string): boolean =>
  said.includes(word) || said.includes('lacks ending return statement')

/** The word that was added, as the compiler names it. */
const wordOf = ({ added }: Kind): string =>
  /[a-z]*weigh\w*|scales|pager/i.exec(Object.values(added)[0]?.[1] ?? '')?.[0] ?? ''

describe('[R102] what one more of a kind needs', () => {
  it('is named by the compiler, for all kinds at once', { timeout: 300_000 }, () => {
    for (const { added } of Object.values(KINDS)) {
      for (const [path, [before, more]] of Object.entries(added)) {
        const text = readFileSync(join(copy, path), 'utf8')
        expect(text.split(before), `${path} is not as this test knows it`).toHaveLength(2)
        writeFileSync(join(copy, path), text.replace(before, before + more))
      }
    }
    const found = complaints()
    const silent = Object.entries(KINDS).flatMap(([kind, one]) =>
      one.asks
        .filter(isAsked)
        .filter((file) => !isAbout(found.get(file) ?? '', wordOf(one)))
        .map((file) => `${kind}: nothing is said of ${file}`),
    )
    expect(silent).toEqual([])
  })
})
