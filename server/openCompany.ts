/** Sign-in by providers, with what the rest of the program gives to it. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { type AgentId, asId } from '@/lib/mas/ids'
import { COMPANY_SIGN_IN, type CompanySignIn } from './companySignIn'
import { type Config, uuidOf } from './config'
import type { CompanyParts } from './gateway'
import type { Base } from './openBase'
import { secretToSealWith } from './setup/keyring'
import { seal, unseal } from './setup/sealing'
import { isHere } from './shared/packages'
import { schedule } from './timers'

const sealedText = z.object({ secret: z.string() })

/** in: outside: epoch ms as providers have it. out: null: the package is not here, or no provider is configured */
export const companySignInOf = (
  { sections, secret }: Pick<Config, 'sections' | 'secret'>,
  outside: () => number,
): CompanySignIn | null => (isHere('oidc') ? COMPANY_SIGN_IN.get('sign_in')(sections, { secret, outside }) : null)

/** out: undefined: nobody signs in by a provider */
export function openCompany({ config, store, log }: Pick<Base, 'config' | 'store' | 'log'>): CompanyParts | undefined {
  const signIn = companySignInOf(config, store.clock.outside)
  if (signIn === null) return undefined
  let key: Buffer | null = null
  /** null: other machines read the store too, and no CONVENE_SECRET_KEY is set */
  function keyOf(): Buffer | null {
    try {
      key ??= secretToSealWith({
        dataFolder: config.dataFolder,
        secret: process.env.CONVENE_SECRET_KEY?.trim() || undefined,
        isShared: config.databaseUrl !== null,
      })
    } catch (error) {
      log.error({ err: error }, 'refresh tokens of providers are not kept: sessions of people end after 15 minutes')
    }
    return key
  }
  return {
    signIn,
    seal: (id, secret) => {
      const found = keyOf()
      return found && seal(found, `session:${id}`, { secret })
    },
    unseal: (id, sealed) => {
      const found = keyOf()
      return (found && sealedText.safeParse(unseal(found, `session:${id}`, sealed)).data?.secret) ?? null
    },
    agentId: (id) => asId<AgentId>(uuidOf('agent', id)),
    personOfAddress: personsByAddress(config.humans),
    newId: randomUUID,
    schedule,
  }
}

/** Of the configuration file alone: an address that a person typed in proves nothing. */
function personsByAddress(humans: Config['humans']): (address: string) => AgentId | null {
  return (address) => {
    const [found, ...others] = humans.filter(({ channels }) => channels.email?.toLowerCase() === address)
    return found !== undefined && others.length === 0 ? found.agent.id : null
  }
}
