/** `npm run hash-password`: reads a password (typed unseen, or piped in) and prints its argon2id hash for `password_hash`. */
import { Fault, faultBody } from '@/lib/faults'
import { hashPassword, weaknessOf } from '@/server/gateway/sessions/passwords'
import { inWords, print, printTrouble } from './lib/inWords'
import { openLines } from './lib/lines.mjs'
import { CannotGoOn } from './lib/say.mjs'

async function main(): Promise<void> {
  const lines = openLines()
  const password = await lines.ask('Password (not shown): ', true)
  lines.close()
  const why = await weaknessOf(password)
  if (why !== null) throw new CannotGoOn(faultBody(new Fault('WEAK_PASSWORD', { why })).message)
  print(await hashPassword(password))
  if (process.stdin.isTTY) printTrouble('Put this line in the configuration as password_hash of the person.')
}

inWords(main, CannotGoOn)
