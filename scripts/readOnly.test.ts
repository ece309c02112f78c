/** The operator's programs run where no file of the program can be written, as in an image. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
// The copy has the packages, and the configuration that is shipped their model.
import '@/packages/rehearsal/register'
import { openSqliteStore } from '@/server/store'
import { areBundlesFresh } from './lib/build.mjs'

const COPIED = [
  'config',
  'lib',
  'messages',
  'packages',
  'scripts',
  'server',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
let root = ''
let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'convene-image-'))
  root = join(folder, 'app')
  for (const name of COPIED) cpSync(resolve(name), join(root, name), { recursive: true })
  // Bundled below where the build is of other sources.
  if (areBundlesFresh()) cpSync(resolve('dist'), join(root, 'dist'), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  const store = await openSqliteStore(join(folder, 'data'))
  await store.journal.take('north')
  await store.close()
})
afterAll(() => {
  chmodSync(join(root, 'dist'), 0o755)
  rmSync(folder, { recursive: true, force: true })
})

const run = (code: string, ...args: string[]) => {
  const env = { ...process.env, CONVENE_DATA: join(folder, 'data'), CONVENE_CONFIG: join(root, 'config/convene.yaml') }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...code.split(' '), ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  return { code: status, said: stdout + stderr }
}
/** A file that came and went has changed the time of its folder. */
const stateOfDist = () =>
  ['.', ...readdirSync(join(root, 'dist'))].map((name) => {
    const { mtimeNs, size } = statSync(join(root, 'dist', name), { bigint: true })
    return [name, mtimeNs, size]
  })

it('once it is built, backup, restore and doctor write nothing into the folder of the program', {
  timeout: 90_000,
}, () => {
  const bundling = "import('./scripts/lib/ensure.mjs').then(({ ensure }) => ensure({ built: false, bundled: true }))"
  expect(run('-e', bundling)).toMatchObject({ code: 0 })
  chmodSync(join(root, 'dist'), 0o555)
  const before = stateOfDist()
  const backup = join(folder, 'backup')
  expect(run('scripts/program.mjs backup', backup)).toMatchObject({
    code: 0,
    said: expect.stringContaining('Backup in'),
  })
  expect(run('scripts/program.mjs restore', backup, '--check')).toMatchObject({
    code: 0,
    said: expect.stringContaining('The backup is whole'),
  })
  expect(run('scripts/program.mjs doctor', '--empty-aside')).toMatchObject({ code: 0 })
  expect(stateOfDist()).toEqual(before)
})
