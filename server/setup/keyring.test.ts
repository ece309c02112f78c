/** Keys that were typed into the page: sealed in the store, opened for the address that they were typed for, and nowhere else. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { openKeyring } from './keyring'

const ADDRESS = 'https://models.example/v1'
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-keys-'))
})
afterEach(() => rm(folder, { recursive: true }))

function setting(secret?: string) {
  let now = Date.UTC(2026, 0)
  const data = memoryData()
  const store = memoryStore({ data, now: () => now })
  const troubles: string[] = []
  const open = (other: string | undefined = secret) =>
    openKeyring({
      accounts: store.accounts,
      dataFolder: join(folder, 'made', 'later'),
      secret: other,
      isShared: false,
      now: () => now,
      onTrouble: (id) => troubles.push(id),
    })
  return { open, store, troubles, pass: (ms: number) => (now += ms) }
}

describe('[R120] a key that was typed into the page', () => {
  it('is sealed with a key file of 0600 where no secret is given, and is there after a restart', async () => {
    const { open, store } = setting()
    const id = await (await open()).keep('sk-PRIVATEWORD', ADDRESS)
    expect(JSON.stringify(await store.accounts.keys())).not.toContain('PRIVATEWORD')
    const file = join(folder, 'made', 'later', 'keys', 'setup.key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).not.toContain('PRIVATEWORD')
    expect((await open()).get(id, ADDRESS)).toBe('sk-PRIVATEWORD')
  })

  it('goes to the origin that it was typed for alone', async () => {
    const keyring = await setting().open()
    const id = await keyring.keep('sk-1', ADDRESS)
    expect(keyring.get(id, 'https://models.example/v2')).toBe('sk-1')
    for (const other of ['https://elsewhere.example/v1', 'http://models.example/v1', 'no address']) {
      expect(keyring.get(id, other), other).toBeUndefined()
    }
  })

  it('is sealed with CONVENE_SECRET_KEY where that is set: another one opens nothing, and makes no file', async () => {
    const { open, troubles } = setting('a long secret')
    const id = await (await open()).keep('sk-1', ADDRESS)
    await expect(stat(join(folder, 'made'))).rejects.toThrow()
    expect((await open('another secret')).get(id, ADDRESS)).toBeUndefined()
    expect(troubles).toEqual([id])
    expect((await open()).get(id, ADDRESS)).toBe('sk-1')
  })

  it('that was sealed with the key file still opens once a secret is set', async () => {
    const { open } = setting()
    const id = await (await open()).keep('sk-1', ADDRESS)
    expect((await open('a new secret')).get(id, ADDRESS)).toBe('sk-1')
  })

  it('that is damaged where it is kept opens nothing, also with a part missing or cut, and says so', async () => {
    const { open, store, troubles } = setting('a secret')
    const id = await (await open()).keep('sk-1', ADDRESS)
    const sealed = (await store.accounts.keys())[0]?.sealed ?? ''
    const [iv = '', tag = '', text = ''] = sealed.split('.')
    const damaged = ['-', iv, `${iv}.${tag}`, `.${tag}.${text}`, `${iv}..${text}`, `${iv}.${tag.slice(0, 6)}.${text}`]
    for (const one of damaged) {
      await store.accounts.keepKey(id, one)
      expect((await open()).get(id, ADDRESS), one).toBeUndefined()
    }
    await store.accounts.keepKey('another', sealed)
    expect((await open()).get('another', ADDRESS)).toBeUndefined()
    expect(new Set(troubles)).toEqual(new Set([id, 'another']))
    await store.accounts.keepKey(id, sealed)
    expect((await open()).get(id, ADDRESS)).toBe('sk-1')
  })

  it('is forgotten when nothing names it, but not while a form may still be open', async () => {
    const { open, store, pass } = setting()
    const keyring = await open()
    const [kept, gone] = [await keyring.keep('one', ADDRESS), await keyring.keep('two', ADDRESS)]
    await keyring.sweep(new Set([kept]))
    expect(keyring.get(gone, ADDRESS)).toBe('two')
    pass(3_600_000 - 1)
    await keyring.sweep(new Set([kept]))
    expect(keyring.get(gone, ADDRESS)).toBe('two')
    pass(1)
    await keyring.sweep(new Set([kept]))
    expect(keyring.get(gone, ADDRESS)).toBeUndefined()
    expect((await store.accounts.keys()).map(({ id }) => id)).toEqual([kept])
  })
})
