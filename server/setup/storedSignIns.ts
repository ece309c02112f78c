/** Sign-ins at tool servers in the accounts store, sealed: for a store that other machines read too. */
import type { Nodes } from '../nodes'
import type { Accounts } from '../store'
import type { SignInKeeping } from '../tools'
import { derive, isSignIn, seal, signInId, unseal } from './sealing'

type StoredSignInsParts = {
  accounts: Pick<Accounts, 'keepKey' | 'keys' | 'dropKey'>
  /** CONVENE_SECRET_KEY */
  secret: string
  /** What was kept before, such as the files of a team that moved: read where the store has nothing. */
  before: SignInKeeping
  /** Other nodes hear that a sign-in changed, and this one hears of theirs; null: there are none. */
  nodes: Pick<Nodes, 'tell' | 'onNote'> | null
  /** One could not be opened or kept: a person has to sign in again after the next start. */
  onTrouble: (error: unknown) => void
}

/** Reads all of them; a write is in memory at once and in the store soon. */
export async function openStoredSignIns({
  accounts,
  secret,
  before,
  nodes,
  onTrouble,
}: StoredSignInsParts): Promise<SignInKeeping> {
  const key = derive(secret)
  let known = new Map<string, unknown>()
  /** One after the other: the newest is the last. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<unknown>): void => {
    last = last.then(work).catch(onTrouble)
  }

  async function readAll(): Promise<void> {
    const found = new Map<string, unknown>()
    for (const { id, sealed } of await accounts.keys()) {
      if (!isSignIn(id)) continue
      const kept = unseal(key, id, sealed)
      if (kept === null) onTrouble(new Error(`${id} cannot be opened with this CONVENE_SECRET_KEY`))
      else found.set(id, kept)
    }
    known = found
  }

  await readAll()
  nodes?.onNote((note) => {
    if (note.is === 'secrets') inTurn(readAll)
  })
  return {
    read(server) {
      const id = signInId(server)
      return known.has(id) ? known.get(id) : before.read(server)
    },
    write(server, kept) {
      const id = signInId(server)
      known.set(id, kept)
      inTurn(async () => {
        await (kept === null ? accounts.dropKey(id) : accounts.keepKey(id, seal(key, id, kept)))
        // Read again meanwhile, it was not there yet.
        known.set(id, kept)
        nodes?.tell({ is: 'secrets' })
      })
      if (kept === null) before.write(server, null)
    },
  }
}
