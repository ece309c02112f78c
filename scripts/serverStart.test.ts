/** What keeps Convene from starting is one sentence and exit code 1, never a stack; nothing is made or removed on the way. */
import { spawn, spawnSync } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import { JournalUnfitError, openSqliteStore } from '@/server/store'
import { builtProgram } from '@/test/programs'

let program = ''
let folder = ''
let port = 0
beforeAll(async () => {
  program = await builtProgram('server/main.ts')
}, 60_000)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-start-'))
  port = await new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Ended = { code: number | null; out: string; err: string }
/** Start the server and wait until it ends by itself. */
function start(data: string, more: { uid?: number } = {}): Promise<Ended> {
  const env = {
    ...process.env,
    CONVENE_CONFIG: resolve('config/convene.yaml'),
    CONVENE_DATA: data,
    CONVENE_WORKSPACE: join(folder, 'workspace'),
    PORT: String(port),
    HOST: '127.0.0.1',
  }
  return new Promise((done) => {
    const child = spawn(process.execPath, [program], { env, ...more })
    const said = { out: '', err: '' }
    child.stdout.on('data', (text) => (said.out += text))
    child.stderr.on('data', (text) => (said.err += text))
    child.on('close', (code) => done({ code, ...said }))
  })
}
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const canMount = process.env.CONVENE_ALL !== undefined && isRoot
const NOBODY = 65_534

/** One sentence or two on one line, and no stack. */
function expectSentence({ code, err }: Ended, words: string | RegExp): void {
  expect(err).toMatch(words)
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).not.toMatch(/^\s+at /m)
  expect(code).toBe(1)
}

describe('a start', { timeout: 60_000 }, () => {
  it('[R83] with a file where the data folder, or a folder where the log, should be says so', async () => {
    await mkdir(join(folder, 'workspace'))
    await writeFile(join(folder, 'file'), '')
    expectSentence(await start(join(folder, 'file')), /file is a file, or lies below one, where a folder is needed/)
    expectSentence(await start(join(folder, 'file', 'below')), /where a folder is needed/)
    await mkdir(join(folder, 'data', 'convene.log'), { recursive: true })
    expectSentence(await start(join(folder, 'data')), /convene\.log is a folder where a file is needed/)
    await rm(join(folder, 'data', 'convene.log'), { recursive: true })
    await writeFile(join(folder, 'data', 'bodies'), '')
    expectSentence(await start(join(folder, 'data')), /bodies is a file/)
  })

  it('[R83] with bodies and no journal refuses, names the folder and the way out, and leaves all as it is', async () => {
    const data = join(folder, 'data')
    const store = await openSqliteStore(data)
    await store.journal.take('north')
    for (let n = 0; n < 3; n++) await store.bodies.put(Buffer.alloc(100_000, `${n}`), 'text/plain')
    await store.close()
    await cp(data, join(folder, 'copy'), { recursive: true })
    const files = async () => (await readdir(join(data, 'bodies'), { recursive: true })).sort()
    const before = await files()
    for (const leave of ['nothing', 'an empty file', 'a new journal']) {
      await rm(join(data, 'convene.db'))
      if (leave === 'an empty file') await writeFile(join(data, 'convene.db'), '')
      if (leave === 'a new journal') {
        await (await openSqliteStore(join(folder, 'new'))).close()
        await cp(join(folder, 'new', 'convene.db'), join(data, 'convene.db'))
      }
      const ended = await start(data)
      const why =
        leave === 'an empty file'
          ? 'convene.db is empty (0 bytes)'
          : 'it has bodies/ with 3 files but no journal (convene.db)'
      expectSentence(ended, `${data} cannot be used: ${why}. Put the whole copy`)
      expect(await files()).toEqual(before)
      if (leave === 'nothing') {
        await expect(stat(join(data, 'convene.db'))).rejects.toThrow()
        await writeFile(join(data, 'convene.db'), '')
      }
    }
    // Either way out leads out.
    await cp(join(folder, 'copy', 'convene.db'), join(data, 'convene.db'))
    const again = await openSqliteStore(data)
    expect(await files()).toEqual(before)
    await again.close()
    await rm(join(data, 'convene.db'))
    await rm(join(data, 'bodies'), { recursive: true })
    await (await openSqliteStore(data)).close()
  })

  it('[R83] with a log of the database and no database refuses: it would be thrown away', async () => {
    const data = join(folder, 'data')
    await mkdir(data)
    await writeFile(join(data, 'convene.db-wal'), 'x'.repeat(5_000))
    await expect(openSqliteStore(data)).rejects.toThrow(JournalUnfitError)
    expect((await stat(join(data, 'convene.db-wal'))).size).toBe(5_000)
  })

  it('[R83] with a damaged database says so without a stack', async () => {
    const data = join(folder, 'data')
    await mkdir(data)
    await writeFile(join(data, 'convene.db'), 'x'.repeat(5_000))
    expectSentence(await start(data), /cannot be used: convene.db is not an SQLite database. Put the whole copy/)
  })

  it.skipIf(!isRoot)('[R83] by a user without rights says whose rights are missing', async () => {
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'workspace'))
    await chown(join(folder, 'workspace'), NOBODY, NOBODY)
    const data = join(folder, 'data')
    await (await openSqliteStore(data)).close()
    expectSentence(await start(data, { uid: NOBODY }), /This user may not write to .*data/)
    expectSentence(await start(join(folder, 'new'), { uid: NOBODY }), /This user may not write to .*new/)
  })

  it.skipIf(!canMount)('[R83] on a disk that is full, or can only be read, says so', async () => {
    const data = join(folder, 'data')
    await mkdir(data)
    const mount = (...args: string[]) => spawnSync('mount', [...args, data])
    expect(mount('-t', 'tmpfs', '-o', 'size=1m', 'convene').status).toBe(0)
    try {
      await writeFile(join(data, 'ballast'), Buffer.alloc(1024 * 1024 - 8_192))
      expectSentence(await start(data), /no space left on the disk/)
      await rm(join(data, 'ballast'))
      expect(mount('-o', 'remount,ro').status).toBe(0)
      expectSentence(await start(data), /can only be read/)
    } finally {
      spawnSync('umount', ['-l', data])
    }
  })
})
