/** Sign-ins at tool servers in the accounts store, sealed: for a store that other machines read too. */
import type { Accounts } from '../store'
import type { SignInKeeping } from '../tools'
import { derive, isSignIn, seal, signInId, unseal } from './sealing'

type StoredSignInsParts = {
  accounts: Pick<Accounts, 'keepKey' | 'keys' | 'dropKey'>
  /** CONVENE_SECRET_KEY */
  secret: string
  /** What was kept before, such as the files of a team that moved: read where the store has nothing. */
  before: SignInKeeping
  /** One could not be opened or kept: a person has to sign in again after the next start. */
  onTrouble: (error: unknown) => void
}

/** Reads all of them; a write is in memory at once and in the store soon. */
export async function openStoredSignIns({
  accounts,
  secret,
  before,
  onTrouble,
}: StoredSignInsParts): Promise<SignInKeeping> {
  const key = derive(secret)
  const known = new Map<string, unknown>()
  for (const { id, sealed } of await accounts.keys()) {
    if (!isSignIn(id)) continue
    const kept = unseal(key, id, sealed)
    if (kept === null) onTrouble(new Error(`${id} cannot be opened with this CONVENE_SECRET_KEY`))
    else known.set(id, kept)
  }
  /** One after the other: the newest is the last. */
  let writing = Promise.resolve()
  return {
    read(server) {
      const id = signInId(server)
      return known.has(id) ? known.get(id) : before.read(server)
    },
    write(server, kept) {
      const id = signInId(server)
      known.set(id, kept)
      writing = writing
        .then(() => (kept === null ? accounts.dropKey(id) : accounts.keepKey(id, seal(key, id, kept))))
        .catch(onTrouble)
      if (kept === null) before.write(server, null)
    },
  }
}
