/** A task to take along: what is in it, for whom, and that it is whole. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event } from '@/lib/mas/events'
import { asId, type MessageId, type StageId, type TaskId, type ThreadId } from '@/lib/mas/ids'
import type { StructuredResult } from '@/lib/mas/records'
import { foreignText, RUNS, signsIn } from '@/test/foreignText'
import { type Double, openDouble } from '../test/gatewayDouble'
import { facts, ID, promptBody } from '../test/world'
import { archiveOf, markdownOf } from './taskExport'

const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const ask = (double: Double, cookie: string, query: string, task: string = ID.prices) =>
  fetch(`${double.url}/api/tasks/${task}/export?${query}`, { headers: { cookie } })
const unzipped = async (answer: Response) => unzipSync(new Uint8Array(await answer.arrayBuffer()))
const file = (path: string) => ({
  path,
  change: 'made' as const,
  before: null,
  shared: false,
  now: { sha: 'a'.repeat(64), bytes: 4, kept: true },
})
const left = (double: Double, result?: StructuredResult) =>
  double.engine.put([
    event('files.changed', {
      task: ID.prices,
      agent: ID.reader,
      step: ID.toolStep,
      thread: null,
      more: 0,
      complete: true,
      keep: 20,
      changes: [file('figures.md')],
    }),
    event('task.finished', {
      task: ID.prices,
      state: 'finished',
      summary: 'All compared.',
      ...(result === undefined ? {} : { result }),
    }),
  ])

it('[R115] an archive holds the entries of the task, the bodies that they name, and a manifest whose hashes are right', async () => {
  const double = await openDouble({ fileServers: ['files'] })
  await left(double)
  const answer = await ask(double, await double.signIn('ana'), 'as=archive')
  expect(answer.headers.get('content-disposition')).toContain('Prices.zip')
  const files = await unzipped(answer)
  const manifest = JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()))
  expect(manifest).toMatchObject({ format: 'convene-task', version: 1, task: { id: ID.prices }, leftOut: [] })
  for (const { name, sha256, bytes } of manifest.files) {
    const content = files[name] ?? new Uint8Array()
    expect([name, shaOf(content), content.length]).toEqual([name, sha256, bytes])
  }
  for (const { sha256 } of manifest.bodies) expect(shaOf(files[`bodies/${sha256}`] ?? new Uint8Array())).toBe(sha256)
  expect(manifest.bodies.map(({ sha256 }: { sha256: string }) => sha256)).toContain(promptBody.ref.sha)
  const entries = strFromU8(files['entries.jsonl'] ?? new Uint8Array())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.every(({ event: { task } }) => task === ID.prices)).toBe(true)
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq).sort((a, b) => a - b))
  expect(entries.at(-1)?.event.type).toBe('task.finished')
})

it('[R115] the text has the summary, the files, the stages and the messages, in the language of its reader', async () => {
  const double = await openDouble({ fileServers: ['files'] })
  await left(double)
  const ana = await double.signIn('ana')
  const text = await (await ask(double, ana, 'as=markdown')).text()
  expect(text).toMatch(/^# Prices\n\nAll compared\.\n/)
  expect(text).toContain('## Files\n\n- `figures.md`')
  expect(text).toContain('## Messages')
  expect(text).toContain('## Stages\n\n### 1. read the lists (running)')
  expect(await (await ask(double, ana, 'as=markdown&language=zh')).text()).toContain('## 消息')
})

it('[R482] the result alone is headline, facts, text, what was left out, decisions, files and cost, in the language of its reader', async () => {
  const double = await openDouble({ fileServers: ['files'] })
  await left(double, {
    headline: 'Pears cost 3.20.',
    facts: [
      { label: 'Pears | north', value: '3.20', source: 'prices/north.csv' },
      { label: 'Lists', value: '2\u202e', source: null },
    ],
    leftOut: ['west.csv was not there'],
  })
  const ana = await double.signIn('ana')
  const asked = facts.find((one) => one.type === 'request.opened' && one.seed.kind === 'confirm')
  if (asked?.type !== 'request.opened') throw new Error('nothing is to be confirmed')
  const { request, seed } = asked
  const answer = { by: ID.ana, for: null, decision: 'approve', text: 'go on', arguments: null } as const
  await double.engine.put([
    event('request.opened', { task: ID.prices, request, seed: { ...seed, step: null } }),
    event('request.answered', { task: ID.prices, request, answer }),
  ])
  const text = await (await ask(double, ana, 'as=result')).text()
  expect(text).toMatch(
    /^# Prices\n\n\*\*Pears cost 3\.20\.\*\*\n\n\| Fact \| Value \| Source \|\n\| --- \| --- \| --- \|\n/,
  )
  expect(text).toContain('| Pears \\| north | 3.20 | prices/north.csv |\n| Lists | 2[U+202E] |  |\n\nAll compared.\n')
  expect(text).toContain('## Left out or uncertain\n\n- west.csv was not there\n')
  expect(text).toMatch(/## Decisions\n\n- Allow write_file\? · Ana, approved: go on · \d{4}-/)
  expect(text).toContain('## Files\n\n- `figures.md` (4 B)\n')
  expect(text).toMatch(
    /## What it cost\n\n- Duration: .+\n- Tokens: .+\n- Cost: .+\n- Questions to people: \d+\n- Approvals: 1\n$/,
  )
  expect(text).not.toContain('## Messages')
  const zh = await (await ask(double, ana, 'as=result&language=zh')).text()
  for (const part of ['| 事项 | 值 | 来源 |', '## 决定', 'Ana, 已批准', '## 消耗']) expect(zh).toContain(part)
})

it('[R482] who left before the end gets its goal, and nothing of the result', async () => {
  const double = await openDouble()
  const ben = await double.signIn('ben')
  await double.engine.put([event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] })])
  await left(double, { headline: 'Pears cost 3.20.', facts: [], leftOut: [] })
  const text = await (await ask(double, ben, 'as=result')).text()
  expect(text).toContain('# Prices')
  for (const part of ['3.20', 'All compared.', '## Decisions', '## What it cost']) expect(text).not.toContain(part)
})

it('[R115] the text names who did a part, and what was not done with whose and why', async () => {
  const double = await openDouble()
  const [task, plan] = [ID.prices, { task: ID.prices, after: null, retryOf: null }]
  const [read, compare] = [
    asId<StageId>('00000000-0000-4000-8000-000000000555'),
    asId<StageId>('00000000-0000-4000-8000-000000000556'),
  ]
  const allocation = { [ID.reader]: 'read', [ID.manager]: 'look' }
  await double.engine.put([
    event('stage.added', { ...plan, stage: read, name: 'Read', intention: 'read them', allocation }),
    event('stage.started', { task, stage: read }),
    event('stage.completionSubmitted', { task, stage: read, agent: ID.reader, summary: 'Seven lines.' }),
    event('stage.agentStateChanged', { task, stage: read, agent: ID.manager, state: 'failed', reason: 'no\nlist' }),
    event('stage.finished', { task, stage: read, state: 'finished', reason: null, replacedBy: null }),
    event('stage.added', { ...plan, stage: compare, name: 'Compare', intention: 'compare them', allocation: {} }),
    event('task.finished', { task: ID.prices, state: 'failed', summary: 'Not all.' }),
  ])
  const text = await (await ask(double, await double.signIn('ben'), 'as=markdown')).text()
  expect(text).toContain('**Reader:** Seven lines.')
  expect(text).toMatch(/^- Read · Manager · no list$/m)
  expect(text).toMatch(/^- Compare$/m)
  expect(text).toContain('3. Compare (init)')
  expect(text).not.toContain('## Files')
})

it('[R115] a member gets what they may see: no file that they may not, no notices of others; others get nothing', async () => {
  const double = await openDouble({ fileServers: ['files'] })
  await left(double)
  const ben = await double.signIn('ben')
  const files = await unzipped(await ask(double, ben, 'as=archive'))
  const entries = strFromU8(files['entries.jsonl'] ?? new Uint8Array())
  expect(entries).toContain('"task.finished"')
  expect(entries).not.toContain('figures.md')
  expect(entries).not.toMatch(/"(notice|envelope)\./)
  expect(await (await ask(double, ben, 'as=markdown')).text()).not.toContain('figures.md')
  expect((await ask(double, ben, 'as=archive', ID.secret)).status).toBe(404)
  // Of the base task they read their own threads only.
  expect((await ask(double, ben, 'as=archive', ID.base)).status).toBe(403)
  expect((await ask(double, await double.signIn('ana'), 'as=markdown', ID.base)).status).toBe(200)
})

it('[R115] who was removed takes along what there was up to that, and nothing of later', async () => {
  const double = await openDouble()
  const ben = await double.signIn('ben')
  await double.engine.put([
    event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] }),
    event('task.finished', { task: ID.prices, state: 'finished', summary: 'All compared.' }),
  ])
  const files = await unzipped(await ask(double, ben, 'as=archive'))
  const lines = strFromU8(files['entries.jsonl'] ?? new Uint8Array())
    .trim()
    .split('\n')
  expect(JSON.parse(lines.at(-1) ?? '{}').event.type).toBe('task.participantsChanged')
})

it('[R115] a person has one export at a time; one that was broken off is over', async () => {
  const double = await openDouble()
  const ana = await double.signIn('ana')
  // Nobody reads it: it stays under way.
  const aborted = new AbortController()
  const first = await fetch(`${double.url}/api/tasks/${ID.prices}/export?as=archive`, {
    headers: { cookie: ana },
    signal: aborted.signal,
  })
  const reader = first.body?.getReader()
  await reader?.read()
  aborted.abort()
  await expect.poll(async () => (await ask(double, ana, 'as=markdown')).status).toBe(200)
})

it('[R115] a task in which little happened is told without what it has not; a message to several stands there once', async () => {
  const double = await openDouble({ fileServers: ['files'] })
  const task = asId<TaskId>('00000000-0000-4000-8000-000000000179')
  const group = [ID.manager, ID.ben, ID.ana]
  const about = { task, name: 'Small', intention: 'small', manager: ID.manager, group, base: false }
  const thread = asId<ThreadId>('00000000-0000-4000-8000-000000000180')
  await double.engine.put([
    event('task.added', {
      ...about,
      requestedBy: ID.ana,
      requestedIn: { task: ID.base, thread },
      changeOf: ID.prices,
      start: { name: 'Prices', passage: '', comment: 'Leave out south.', files: [] },
    }),
  ])
  const [ana, ben] = [await double.signIn('ana'), await double.signIn('ben')]
  const textOf = async () => (await ask(double, ana, 'as=markdown', task)).text()
  const bare = await textOf()
  for (const part of ['## Stages', '## Files', '## Not done']) expect(bare).not.toContain(part)
  // In which thread it was asked for is its asker's, and told to those who see all.
  const threadOf = async (cookie: string) => {
    const files = await unzipped(await ask(double, cookie, 'as=archive', task))
    const entries = strFromU8(files['entries.jsonl'] ?? new Uint8Array())
    expect(entries.includes('Leave out south.')).toBe(entries.includes(thread))
    return entries.includes(thread)
  }
  expect([await threadOf(ana), await threadOf(ben)]).toEqual([true, false])

  const sent = facts.find((one) => one.type === 'message.sent')
  if (sent?.type !== 'message.sent') throw new Error('nothing was sent')
  const copy = (n: number, dispatch: string | null) => ({
    ...sent,
    task,
    stage: null,
    instruction: null,
    text: `to many ${dispatch}`,
    dispatch: dispatch ?? '',
    message: asId<MessageId>(`00000000-0000-4000-8000-00000000048${n}`),
  })
  const gone = { ...file('gone.md'), change: 'removed' as const, before: file('gone.md').now, now: null }
  await double.engine.put([
    ...[copy(1, 'x'), copy(2, 'x'), copy(3, 'y')],
    event('files.changed', {
      task,
      agent: ID.reader,
      step: ID.toolStep,
      thread: null,
      more: 0,
      complete: true,
      keep: 20,
      changes: [file('kept.md'), gone],
    }),
  ])
  const text = await textOf()
  expect(text.match(/to many x/g)).toHaveLength(1)
  expect(text.match(/to many y/g)).toHaveLength(1)
  expect(text).toContain('- `kept.md` (4 B)\n')
  expect(text).toContain('- `gone.md` (removed)\n')
})

it('[R115] bodies are in an archive up to its limit together, and those beyond are named', async () => {
  const double = await openDouble()
  const { engine, store } = double
  const bodies = await Promise.all(
    ['one', 'two'].map(async (text) => {
      const { body, ref } = bodyOf(text)
      await store.bodies.put(body.bytes, body.mime)
      return ref
    }),
  )
  const task = asId<TaskId>('00000000-0000-4000-8000-000000000181')
  const about = { task, name: 'Two', intention: 'two', manager: ID.manager, group: [ID.manager], base: false }
  const [first] = facts.filter((one) => one.type === 'message.sent')
  if (first?.type !== 'message.sent') throw new Error('nothing was sent')
  await engine.put([
    event('task.added', { ...about, requestedBy: null, requestedIn: null }),
    {
      ...first,
      task,
      stage: null,
      instruction: null,
      text: 'see both',
      receivers: [ID.manager],
      message: asId<MessageId>('00000000-0000-4000-8000-000000000489'),
      attachments: bodies.map((body, n) => ({ name: `${n}.txt`, body, savedAs: n === 0 ? 'inbox/0.txt' : null })),
    },
  ])
  const world = engine.world()
  const [record, person] = [world.tasks[task], world.agents[ID.ana]]
  if (!record || !person) throw new Error('no task, or nobody')
  const asked = { world, task: record, person, upTo: Number.POSITIVE_INFINITY, isSeenFile: () => true, store, now: 0 }
  const sizes = async (most: number) => {
    const found: string[] = []
    let leftOut = 0
    for await (const { name, content } of archiveOf(asked, 'en', most)) {
      const pieces: Uint8Array[] = []
      for await (const piece of content) pieces.push(piece)
      if (name.startsWith('bodies/')) found.push(name)
      if (name === 'manifest.json') leftOut = JSON.parse(Buffer.concat(pieces).toString()).leftOut.length
    }
    return [found.length, leftOut]
  }
  expect([await sizes(6), await sizes(5), await sizes(2)]).toEqual([
    [2, 0],
    [1, 1],
    [0, 2],
  ])
  // In the text each file has the name under which it was saved, else its own.
  const text = await (await ask(double, await double.signIn('ana'), 'as=markdown', task)).text()
  expect(text).toContain('- `inbox/0.txt`\n')
  expect(text).toContain('- `1.txt`\n')
})

it('[R387] the text shows hidden characters of headings, names, paths and goals; a message is as it was written', async () => {
  const double = await openDouble({ fileServers: ['files'] })
  await left(double)
  const sent = facts.find((one) => one.type === 'message.sent')
  if (sent?.type !== 'message.sent') throw new Error('nothing was sent')
  const exported = async (name: string, text: string): Promise<string> => {
    const world = structuredClone(double.engine.world())
    const { task, person, stage } = { task: world.tasks[ID.prices], person: world.agents[ID.ana], stage: ID.stage }
    const planned = world.stages[ID.prices]?.[stage]
    if (!task || !person || !planned) throw new Error('nothing to export')
    task.name = name
    Object.assign(planned, { name, intention: name, summaries: { [ID.reader]: 'Done.' } })
    for (const one of Object.values(world.agents)) one.name = name
    world.files = { [`a\u00a0${name}`]: Object.values(world.files)[0] ?? [] }
    const told = { ...sent, text, receivers: [ID.reader], instruction: null }
    const entries = [{ seq: 1, at: 0, by: 'x', cause: 'x', event: told }]
    const store = { archive: { ...double.store.archive, entriesOf: async () => entries }, bodies: double.store.bodies }
    let whole = ''
    const asked = { world, task, person, upTo: 1, isSeenFile: () => true, store, now: 0 }
    for await (const piece of markdownOf(asked, 'en')) whole += piece
    return whole
  }
  const headings = (await exported('name', 'text')).match(/^#/gm)?.length
  await fc.assert(
    fc.asyncProperty(foreignText, foreignText, async (name, text) => {
      const whole = await exported(name, `<${text}>`)
      expect(whole).toContain(`\n\n<${text}>\n`)
      const around = whole.replace(`<${text}>`, '')
      expect(signsIn(around)).toEqual([])
      // A no-break space in a path is none that can be typed; a name begins no line of its own.
      expect(around).toContain('`a[U+00A0]')
      expect(around.match(/^#/gm)).toHaveLength(headings ?? 0)
    }),
    { numRuns: RUNS },
  )
})
