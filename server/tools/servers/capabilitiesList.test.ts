/** The form of `capabilities_list_description`: objects by name, titles among them. */
import { afterEach, describe, expect, test } from 'vitest'
import { paintTool, testPools, testServer } from '@/test/toolPools'
import type { ServerDescription } from '../types'
import { capabilitiesList } from './abilitiesList'

const pools = testPools()
afterEach(pools.closeAll)

const server = (more: Partial<ServerDescription> = {}): ServerDescription => ({
  server: 's',
  guide: 'for notes',
  capabilities: [],
  tools: [],
  resources: [],
  prompts: [],
  unread: [],
  ...more,
})
/** As it is stored. */
const stored = (description: ServerDescription) => JSON.parse(JSON.stringify(capabilitiesList(description, 'en')))

describe('the list of what a server can do', () => {
  test('has tools, resources and prompts by their names, with titles and arguments, and says which of them there are', async () => {
    const described = await pools.open([testServer('rich')]).describe('rich')
    if (!described.ok) throw new Error(described.message)
    const list = stored(described.description)
    expect(list).toMatchObject({
      capabilities: { prompts: true, resources: true, tools: true },
      tools: {
        everything: {
          description: 'Give every kind of content. It is here for tests.',
          input_schema: { type: 'object' },
          required: [],
        },
      },
      resources: {
        first: {
          title: 'First note',
          uri: 'notes://1',
          mimeType: 'text/plain',
          description: 'The first note. It is short.',
        },
        'by day': { title: 'A day', uri: 'notes://{day}' },
      },
      prompts: {
        summarise: {
          title: 'Summary',
          description: 'Summarise a note.',
          arguments: { day: { required: true }, words: { required: false, description: 'at most' } },
        },
      },
      server: 'rich',
    })
  })

  test('has the schemas of a tool under the names of the documents, and what a call of it may do', () => {
    const tool = {
      ...paintTool({ properties: { wall: { type: 'string' } } }, ['wall']),
      title: 'Paint',
      outputSchema: { type: 'object' },
    }
    expect(stored(server({ tools: [tool], instructions: 'mind the floor' }))).toEqual({
      capabilities: { prompts: false, resources: false, tools: false },
      tools: {
        paint: {
          title: 'Paint',
          input_schema: { type: 'object', required: ['wall'], properties: { wall: { type: 'string' } } },
          output_schema: { type: 'object' },
          required: ['wall'],
          read_only: false,
          destructive: true,
          idempotent: false,
          open_world: true,
          asks_a_person: true,
        },
      },
      resources: {},
      prompts: {},
      server: 's',
      guide: 'for notes',
      instructions: 'mind the floor',
    })
  })

  test('keeps every one of several resources with the same name', () => {
    const resources = ['a://1', 'a://2', 'a://3'].map((uri) => ({ uri, name: 'note' }))
    expect(Object.keys(stored(server({ resources })).resources)).toEqual(['note', 'a://2', 'a://3'])
  })
})
