/**
 * The steps of docs/operate/Containerfile on this machine, without a container engine: the files that the image gets, its build,
 * its rights, its user, its command and its health check. What an engine does itself is not tried: pulling the base image, `npm install`
 * in it (the installed packages are linked), volumes, capabilities, the read-only root.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'

/** `node` in the base image. */
const USER = 1_000
/** It builds the pages, and only root can start a process as another user. */
const canRun = process.env.CONVENE_ALL === '1' && process.platform === 'linux' && process.getuid?.() === 0

const containerfile = readFileSync('docs/operate/Containerfile', 'utf8').replaceAll(/\\\n\s*/g, '')
const wordsOf = (line: RegExp): string[] =>
  z.array(z.string()).parse(JSON.parse(line.exec(containerfile)?.[1] ?? 'null'))

function copyContext(to: string): void {
  const ignored = readFileSync('docs/operate/Containerfile.dockerignore', 'utf8').trim().split('\n')
  const patterns = ignored.map((line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
  const names = readdirSync('.').filter((name) => !patterns.some((pattern) => pattern.test(name)))
  for (const name of names) cpSync(resolve(name), join(to, name), { recursive: true })
}

/** Every file of the program with its size and time, but for the packages. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(folder, 'node_modules')))
    .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .sort()

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

it.skipIf(!canRun)(
  '[R166] what the container file copies and builds runs as its user in a folder that nobody may write to',
  {
    timeout: 900_000,
  },
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'convene-image-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }), 180_000)
    chmodSync(root, 0o755)
    const app = join(root, 'app')
    mkdirSync(app)
    copyContext(app)
    expect(spawnSync('cp', ['-al', resolve('node_modules'), join(app, 'node_modules')])).toMatchObject({ status: 0 })

    const built = spawnSync('npm', ['run', 'build'], {
      cwd: app,
      env: { PATH: process.env.PATH, HOME: root, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      encoding: 'utf8',
    })
    expect(built.status, built.stdout + built.stderr).toBe(0)
    // Linked files share their rights with those of this folder: root's, which others may read only.
    for (const name of readdirSync(app))
      if (name !== 'node_modules') expect(spawnSync('chmod', ['-R', 'a-w', join(app, name)]).status).toBe(0)
    chmodSync(app, 0o555)
    const before = filesOf(app)

    const [data, workspace] = [join(root, 'data'), join(root, 'workspace')]
    for (const folder of [data, workspace]) {
      mkdirSync(folder, { mode: 0o700 })
      chownSync(folder, USER, USER)
    }
    const port = await freePort()
    const asUser = { cwd: app, uid: USER, gid: USER }
    const [program = '', ...args] = wordsOf(/^CMD (\[.*\])$/m)
    const server = spawn(program, args, {
      ...asUser,
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        CONVENE_DATA: data,
        CONVENE_WORKSPACE: workspace,
      },
    })
    let said = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (said += text))
    const ended = new Promise<number | null>((done) => server.on('close', done))
    onTestFinished(() => void server.kill('SIGKILL'))
    const answer = async (path: string) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
      return `${status} ${headers.get('content-type')?.split(';')[0]}`
    }
    await expect
      .poll(() => answer('/api/ready').catch(() => said), { timeout: 120_000, interval: 500 })
      .toBe('200 application/json')
    // It is printed when the first page can be served.
    await expect.poll(() => said, { timeout: 120_000, interval: 500 }).toContain('/login#link=')
    expect([await answer('/'), await answer('/login')]).toEqual(['200 text/html', '200 text/html'])

    const [node = '', ...asked] = wordsOf(/^HEALTHCHECK .*?CMD (\[.*\])$/m).map((word) =>
      word.replace('3000', `${port}`),
    )
    expect(spawnSync(node, asked, asUser).status).toBe(0)
    expect(readdirSync(data)).toContain('convene.db')
    expect(statSync(join(data, 'convene.db')).uid).toBe(USER)

    server.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(spawnSync(node, asked, asUser).status).toBe(1)
    expect(filesOf(app)).toEqual(before)
  },
)
