/** Starts a server program and says when its addresses first answered. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

export type Program = { file: string; folder: string; env: Record<string, string>; paths: string[] }

const POLL_MS = 4
const LIMIT_MS = 60_000

/** Milliseconds from the start of the process: `answered` with any status, `ok` with 200. */
export type Times = { answered: number; ok: number }

/** The times of each path, in the paths' order. */
export async function startTimes({ file, folder, env, paths }: Program): Promise<Times[]> {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  try {
    return await Promise.all(paths.map((path) => firstAnswer(child, `http://127.0.0.1:${port}${path}`, begun)))
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${said}`)
  } finally {
    await end(child)
  }
}

async function firstAnswer(child: ChildProcess, url: string, begun: number): Promise<Times> {
  let answered: number | null = null
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
    const status = await statusOf(url)
    const now = performance.now() - begun
    if (status !== null) answered ??= now
    if (status === 200) return { answered: answered ?? now, ok: now }
    if (performance.now() - begun > LIMIT_MS) throw new Error(`${url} did not answer 200 within ${LIMIT_MS / 1_000} s`)
    await wait(POLL_MS)
  }
}

const statusOf = (url: string): Promise<number | null> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? null))
    })
    request.setTimeout(LIMIT_MS, () => request.destroy())
    request.once('error', () => resolve(null))
  })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const over = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await over
  clearTimeout(late)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
