/** Sign-ins at tool servers in a store that other machines read too. */
import { expect, it, vi } from 'vitest'
import { memoryStore } from '@/test/memoryStore'
import type { NodeNote, Nodes } from '../nodes'
import type { SignInKeeping } from '../tools'
import { openKeyring } from './keyring'
import { openStoredSignIns } from './storedSignIns'

const TOKENS = { tokens: { access_token: 'PRIVATEWORD', token_type: 'bearer' } }

function setting() {
  const { accounts } = memoryStore()
  const troubles: string[] = []
  const files = new Map<string, object>([['old', TOKENS]])
  const before: SignInKeeping = {
    read: (server) => files.get(server) ?? null,
    write: (server, kept) => void (kept === null ? files.delete(server) : files.set(server, kept)),
  }
  const listeners = new Set<(note: NodeNote, from: string) => void>()
  const nodes: Pick<Nodes, 'tell' | 'onNote'> = {
    tell(note) {
      for (const listener of listeners) listener(note, 'another')
    },
    onNote: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const open = (secret = 'a secret') =>
    openStoredSignIns({ accounts, secret, before, nodes, onTrouble: (error) => troubles.push(String(error)) })
  return { accounts, troubles, files, open }
}

it('[R246] a sign-in at a tool server lies sealed in the store, and is there after a restart', async () => {
  const { accounts, troubles, open } = setting()
  const signIns = await open()
  signIns.write('far', TOKENS)
  expect(signIns.read('far')).toEqual(TOKENS)
  await vi.waitFor(async () => expect(await accounts.keys()).toHaveLength(1))
  expect(JSON.stringify(await accounts.keys())).not.toContain('PRIVATEWORD')
  expect((await open()).read('far')).toEqual(TOKENS)
  expect((await open('another secret')).read('far')).toBeNull()
  expect(troubles).toEqual(['Error: sign-in:far cannot be opened with this CONVENE_SECRET_KEY'])
  signIns.write('far', null)
  await vi.waitFor(async () => expect(await accounts.keys()).toEqual([]))
})

it('[R272] a sign-in at a tool server is known at the other nodes, and so is its end', async () => {
  const { open } = setting()
  const [north, south] = [await open(), await open()]
  north.write('far', TOKENS)
  await vi.waitFor(() => expect(south.read('far')).toEqual(TOKENS))
  south.write('far', null)
  await vi.waitFor(() => expect(north.read('far')).toBeNull())
})

it('[R246] a team that moved finds its sign-ins in their files until there are newer ones', async () => {
  const { open, files } = setting()
  const signIns = await open()
  expect(signIns.read('old')).toEqual(TOKENS)
  signIns.write('old', { tokens: { access_token: 'newer', token_type: 'bearer' } })
  expect(signIns.read('old')).toMatchObject({ tokens: { access_token: 'newer' } })
  // The store may refuse it: the old one is there until the end of the sign-in.
  expect(files.size).toBe(1)
  signIns.write('old', null)
  expect([signIns.read('old'), files.size]).toEqual([null, 0])
})

it('[R246] keys are typed into a shared store only where CONVENE_SECRET_KEY is set, and are no sign-ins', async () => {
  const { accounts, open, troubles } = setting()
  const parts = { accounts, dataFolder: '/nowhere', isShared: true, now: Date.now, onTrouble: vi.fn() }
  const unset = await openKeyring({ ...parts, secret: undefined })
  await expect(unset.keep('sk-1', 'https://models.example')).rejects.toMatchObject({ code: 'SECRET_KEY_MISSING' })
  const keyring = await openKeyring({ ...parts, secret: 'a secret' })
  const id = await keyring.keep('sk-1', 'https://models.example')
  ;(await open()).write('far', TOKENS)
  await vi.waitFor(async () => expect(await accounts.keys()).toHaveLength(2))
  const again = await openKeyring({ ...parts, secret: 'a secret' })
  expect(again.get(id, 'https://models.example')).toBe('sk-1')
  expect(parts.onTrouble).not.toHaveBeenCalled()
  const other = await openKeyring({ ...parts, secret: 'another secret' })
  await other.keep('sk-2', 'https://models.example')
  await open()
  expect(troubles).toEqual([])
})
