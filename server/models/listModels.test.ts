/** The list of a server's models, over a real socket, in the format of each provider. */
import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { SERVER_PROVIDERS, type ServerProvider } from '@/lib/mas/setup/providers'
import { listModels } from './index'

const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function serverThat(status: number, body: unknown): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`, asked }
}

const data = { data: [{ id: 'gpt-5.4-mini' }, { id: 'b' }, { id: 'b' }, { id: 7 }] }
/** How each server lists its models, where, and under which header it takes the key. */
const LISTS: Record<ServerProvider, { path: string; header: string; body: unknown }> = {
  openai: { path: '/v1/models', header: 'authorization', body: data },
  'openai-compatible': { path: '/v1/models', header: 'authorization', body: data },
  anthropic: { path: '/v1/models?limit=1000', header: 'x-api-key', body: data },
  google: {
    path: '/v1/models?pageSize=1000',
    header: 'x-goog-api-key',
    body: {
      models: [
        { name: 'models/b', supportedGenerationMethods: ['generateContent'] },
        { name: 'models/gpt-5.4-mini' },
        { name: 'models/embed', supportedGenerationMethods: ['embedContent'] },
      ],
    },
  },
  ollama: {
    path: '/v1/api/tags',
    header: 'authorization',
    body: { models: [{ name: 'b' }, { name: 'gpt-5.4-mini' }] },
  },
}

it.each(SERVER_PROVIDERS)(
  '[R668] of provider %s is read, each name once, with what is known of it',
  async (provider) => {
    const { path, header, body } = LISTS[provider]
    const { url, asked } = await serverThat(200, body)
    const listed = await listModels({ provider, baseUrl: url, key: { env: 'KEY' } }, { secret: () => 'the-key' })
    if (!listed.ok) throw new Error(listed.words)
    expect(listed.models.map(({ name }) => name)).toEqual(['b', 'gpt-5.4-mini'])
    expect(listed.models.map(({ known }) => known !== null)).toEqual([false, provider === 'openai'])
    expect(asked.map((one) => [one.method, one.url])).toEqual([['GET', path]])
    expect(String(asked[0]?.headers[header])).toContain('the-key')
  },
)

it('[R668] that is refused, empty or not there says why, without the key', async () => {
  const key = 'sk-the-key-that-nobody-may-see'
  const list = (baseUrl: string) =>
    listModels({ provider: 'anthropic', baseUrl, key: { env: 'KEY' } }, { secret: () => key, language: 'en' })
  const refused = await serverThat(401, { error: { message: `invalid x-api-key ${key}` } })
  const empty = await serverThat(200, { data: [] })
  const said = [
    await list(refused.url),
    await list(empty.url),
    await list('http://127.0.0.1:9/v1'),
    await list('nowhere'),
  ]
  expect(said.map(({ ok }) => ok)).toEqual([false, false, false, false])
  expect(said.map((one) => (one.ok ? '' : one.words))).toEqual([
    expect.stringContaining('does not accept the key'),
    expect.stringContaining("isn't in the format of provider anthropic"),
    'Nothing responds at 127.0.0.1:9.',
    expect.stringContaining('there is no address of a model server'),
  ])
  expect(JSON.stringify(said)).not.toContain(key)
})
