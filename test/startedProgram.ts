/** The program itself as a process, which a test may kill, and start again on the same folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import type { Scope } from '@/lib/wire/scopes'
import { writeShells } from '@/server/gateway/test/gatewayDouble'
import { builtProgram } from './programs'

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** The program as a process, on a folder of its own with the shipped team and the price lists; ended with the test. */
export async function openProgram() {
  const program = await builtProgram('server/main.ts')
  const folder = await mkdtemp(join(tmpdir(), 'convene-program-'))
  await writeShells(folder)
  for (const name of ['samples', 'prompts', 'node_modules']) await symlink(resolve(name), join(folder, name))
  await cp('samples/prices', join(folder, 'workspace', 'prices'), { recursive: true })
  const port = await freePort()
  let child: ChildProcess | null = null
  onTestFinished(async () => {
    child?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const env = {
    ...process.env,
    CONVENE_CONFIG: resolve('config/convene.yaml'),
    CONVENE_DATA: join(folder, 'data'),
    CONVENE_WORKSPACE: join(folder, 'workspace'),
    PORT: String(port),
    HOST: '127.0.0.1',
  }
  return {
    url: `http://127.0.0.1:${port}`,
    /** out: the token of the sign-in link that it prints while no operator has a password */
    async start(): Promise<string> {
      const started = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
      child = started
      const lines = createInterface({ input: started.stdout })
      for await (const line of lines) {
        const link = /#link=(\S+)/.exec(line)?.[1]
        if (link !== undefined) return link
      }
      throw new Error('the program did not start')
    },
    async kill(): Promise<void> {
      const ended = child && once(child, 'close')
      child?.kill('SIGKILL')
      await ended
    },
  }
}

/** out: a personal access token of the operator whom the link signs in. in: link: of start() */
export async function tokenBy(url: string, link: string, scopes: readonly Scope[]): Promise<string> {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/api/sessions/link', { token: link })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const made = await post('/api/me/tokens', { name: 'a client', scopes, days: 1 }, { cookie })
  return z.object({ token: z.string() }).parse(await made.json()).token
}
