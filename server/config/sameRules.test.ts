/** What the file and the page take: each kind of setup has one schema. */
import { expect, it } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import * as z from 'zod'
import { peer as peerSetup } from '@/lib/mas/setup/schemas/peer'
import { toolServer } from '@/lib/mas/setup/schemas/toolServer'
import { postPeer, postSetup } from '@/lib/wire/http'
import { writeKeys } from './fileKeys'
import { readDocument } from './readDocument'
import { fileAgent, fileHuman, fileModel } from './schema'

const HEAD = { id: '12345678', until: 1 }
const BOSS = { id: 'boss', name: 'Boss', manager: true }
const ANA = { id: 'ana', name: 'Ana', access: 'operator' }
const PEER = { uri: 'agent://a.example', baseUrl: 'http://a.example', may: ['mamp'], actions: [], agents: [] }

/** Would the file be taken with this block in it? */
const fileTakes = (block: object): boolean =>
  readDocument(JSON.stringify({ team: { name: 'T' }, agents: [BOSS], humans: [ANA], ...block }), 'f').ok
const pageTakes = (kind: string, value: object): boolean =>
  postSetup.safeParse({ ...HEAD, changes: [{ id: 'new', seen: null, kind, value }] }).success

const KINDS: Record<string, (value: object) => { file: boolean; page: boolean }> = {
  model: (more) => {
    const value = { provider: 'openai', baseUrl: 'https://a.example/v1', model: 'm', ...more }
    return { file: fileTakes({ models: { new: writeKeys(fileModel, value) } }), page: pageTakes('model', value) }
  },
  tool: (more) => {
    const { address, ...value } = { address: 'https://a.example/mcp', ...more }
    const file = fileTakes({ tools: { new: writeKeys(toolServer, { ...value, baseurl: address }) } })
    return { file, page: pageTakes('tool', { ...value, address }) }
  },
  agent: (more) => {
    const value = { name: 'New', ...more }
    const file = fileTakes({
      agents: [BOSS, writeKeys(fileAgent, { id: 'new', ...value })],
      tools: { t: { command: 'x' } },
    })
    return { file, page: pageTakes('agent', value) }
  },
  human: (more) => {
    const value = { name: 'New', ...more }
    return {
      file: fileTakes({ humans: [ANA, writeKeys(fileHuman, { id: 'new', ...value })] }),
      page: pageTakes('human', value),
    }
  },
  peer: (more) => {
    const value = { ...PEER, allowPrivate: false, ...more }
    const schema = z.object({ ...peerSetup.shape, uri: z.string() })
    const page = postPeer.safeParse({ ...HEAD, sendKeyEnv: null, signingKeyEnv: null, ...value }).success
    return { file: fileTakes({ peers: [writeKeys(schema, value)] }), page }
  },
}

it.each<[kind: string, taken: object[], refused: object[]]>([
  [
    'model',
    [
      { contextTokens: 1_000, timeLimitMs: 1_000, parallel: 1, temperature: 0 },
      { contextTokens: 10_000_000, timeLimitMs: 3_600_000, parallel: 1_000, temperature: 2 },
      { price: { input: 0, output: 1_000_000, cached: 1 }, reasoningEffort: 'max', form: 'tags' },
    ],
    [
      ...[{ contextTokens: 999 }, { contextTokens: 10_000_001 }, { contextTokens: 5_000.5 }],
      ...[{ timeLimitMs: 900 }, { timeLimitMs: 3_600_001 }, { parallel: 0 }, { parallel: 1_001 }],
      ...[{ temperature: 2.1 }, { temperature: -0.1 }, { price: { input: -1, output: 0 } }],
      ...[{ baseUrl: 'ftp://a.example' }, { baseUrl: 'https://a.example?key=1' }, { baseUrl: 'https://u:p@a.example' }],
      ...[{ provider: 'other' }, { reasoningEffort: 'some' }, { model: ' ' }, { accepts: ['smell'] }],
    ],
  ],
  [
    'tool',
    [{ guide: 'x', confirm: 'never' }, { address: 'http://127.0.0.1:1/mcp?version=2' }],
    [
      ...[{ address: 'a.example' }, { address: 'https://a.example?token=1' }, { confirm: 'sometimes' }],
      ...[{ guide: 'x'.repeat(65_537) }, { args: Array.from({ length: 101 }, () => 'x') }],
    ],
  ],
  [
    'agent',
    [
      { groups: ['a'], tools: ['t'], limits: { stepsPerPart: 10_000 } },
      { name: 'x'.repeat(200), start: false },
    ],
    [
      ...[{ name: ' ' }, { name: 'x'.repeat(201) }, { groups: ['a b'] }, { tools: [''] }],
      ...[{ limits: { stepsPerPart: 0 } }, { limits: { reflectionsPerPart: 10_001 } }, { role: 'x'.repeat(65_537) }],
    ],
  ],
  ['human', [{ access: 'developer', groups: ['a'] }], [{ access: 'none' }, { groups: [''] }, { name: '' }]],
  [
    'peer',
    [{ limits: { tasks: 1_000, tokensPerDay: 1, costPerDay: 0.5 } }, { may: ['mamp', 'map'] }],
    [
      ...[{ limits: { tasks: 0, tokensPerDay: null, costPerDay: null } }, { may: ['mail'] }, { actions: [''] }],
      ...[{ baseUrl: 'a.example' }, { baseUrl: 'http://me@a.example' }, { uri: 'a.example' }],
    ],
  ],
])('[R590] a %s is taken or refused by the same rules in the file and in the page', (kind, taken, refused) => {
  const answerOf = KINDS[kind]
  for (const value of taken) expect([value, answerOf?.(value)]).toEqual([value, { file: true, page: true }])
  for (const value of refused) expect([value, answerOf?.(value)]).toEqual([value, { file: false, page: false }])
})
