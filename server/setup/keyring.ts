/** Keys typed into the page: encrypted in the accounts, decrypted in memory only. Entries, answers and logs hold their ids. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import type { Accounts } from '../store'
import { BYTES, derive, isSignIn, seal, unseal } from './sealing'

export type KeyringParts = {
  accounts: Pick<Accounts, 'keepKey' | 'keys' | 'dropKey'>
  /** Where the key file is made when there is no secret. */
  dataFolder: string
  /** CONVENE_SECRET_KEY; undefined: a key file. */
  secret: string | undefined
  /** The accounts may be read from other machines: a key file of this one seals nothing there. */
  isShared: boolean
  now: () => number
  onTrouble: (id: string) => void
}

const FORGET_MS = 3_600_000
const KEY_FILE = 'setup.key'
const opened = z.object({ key: z.string(), origin: z.string() })
type Opened = z.infer<typeof opened>

/** Opens what is kept; a key that cannot be opened stays kept, since the right secret may come back. */
export async function openKeyring(parts: KeyringParts) {
  const { accounts, now } = parts
  const known = new Map<string, Opened & { at: number }>()
  /** Another node kept one. */
  async function readAgain(): Promise<void> {
    const kept = (await accounts.keys()).filter(({ id }) => !isSignIn(id) && !known.has(id))
    const secrets = kept.length === 0 ? [] : secretsThere(parts)
    for (const { id, sealed, at } of kept) {
      const found = secrets.map((secret) => openedIn(secret, id, sealed)).find((one) => one !== null)
      if (found) known.set(id, { ...found, at })
      else parts.onTrouble(id)
    }
  }
  await readAgain()
  return {
    readAgain,
    /** Keep a key for one address. out: its id. faults: SECRET_KEY_MISSING */
    async keep(key: string, address: string): Promise<string> {
      const id = randomBytes(9).toString('base64url')
      const value = { key, origin: new URL(address).origin }
      await accounts.keepKey(id, seal(secretToSealWith(parts), id, value))
      known.set(id, { ...value, at: now() })
      return id
    },
    /** The key, for an address of the same origin; undefined: it was kept for another, or cannot be opened. */
    get(id: string, address: string): string | undefined {
      const found = known.get(id)
      return found && URL.canParse(address) && new URL(address).origin === found.origin ? found.key : undefined
    },
    has: (id: string) => known.has(id),
    /** Forget keys that nothing names and that were not kept within the last hour: a form may be open that will name them. */
    async sweep(named: ReadonlySet<string>): Promise<void> {
      for (const [id, { at }] of known) {
        if (named.has(id) || now() - at < FORGET_MS) continue
        await accounts.dropKey(id)
        known.delete(id)
      }
    },
  }
}

const fileOf = ({ dataFolder }: Pick<KeyringParts, 'dataFolder'>): string => join(dataFolder, 'keys', KEY_FILE)
const readKeyFile = (file: string): Buffer => Buffer.from(readFileSync(file, 'utf8'), 'base64url')

function secretsThere(parts: KeyringParts): Buffer[] {
  const file = fileOf(parts)
  return [
    ...(parts.secret === undefined ? [] : [derive(parts.secret)]),
    ...(existsSync(file) ? [readKeyFile(file)] : []),
  ]
}

/** Made where there is none. faults: SECRET_KEY_MISSING */
export function secretToSealWith(parts: Pick<KeyringParts, 'dataFolder' | 'secret' | 'isShared'>): Buffer {
  if (parts.secret !== undefined) return derive(parts.secret)
  if (parts.isShared) throw new Fault('SECRET_KEY_MISSING')
  const file = fileOf(parts)
  if (!existsSync(file)) {
    mkdirSync(join(parts.dataFolder, 'keys'), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${randomBytes(BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  }
  return readKeyFile(file)
}

/** null: sealed with another secret, or damaged. */
function openedIn(secret: Buffer, id: string, sealed: string): Opened | null {
  const read = opened.safeParse(unseal(secret, id, sealed))
  return read.success ? read.data : null
}
