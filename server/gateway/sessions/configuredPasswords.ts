/** Passwords that the configuration names. */
import { Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/team/agents'
import type { GatewayParts } from '../ports'
import { checkPassword, hashPassword, weaknessOf } from './passwords'

export type PasswordSetting = { id: AgentId; password: string | null; hash: string | null }

export const configuredPasswords = ({ engine, store: { accounts } }: Pick<GatewayParts, 'engine' | 'store'>) => ({
  /** Apply the passwords of the configuration, which overrides the store at each start. */
  async applyPasswords(people: PasswordSetting[]): Promise<void> {
    for (const { id, password, hash } of people) {
      const stored = await accounts.passwordHash(id)
      if (password !== null && !(stored !== null && (await checkPassword(stored, password)))) {
        await accounts.setPassword(id, await hashPassword(password))
      } else if (password === null && hash !== null && hash !== stored) {
        await accounts.setPassword(id, hash)
      }
    }
  },
  /** Which of these are weak, as sentences. They apply nevertheless: the file is its author's. */
  async weakOf(people: readonly PasswordSetting[]): Promise<{ name: string; why: string }[]> {
    const found = await Promise.all(
      people.map(async ({ id, password }) => {
        const world = engine.world()
        const why = password === null ? null : await weaknessOf(password, ownWords(world, id))
        const name = selectName(world, id)
        return why === null ? [] : [{ name, why: new Fault('WEAK_PASSWORD', { why }).message }]
      }),
    )
    return found.flat()
  },
})

/** Words of a person that are no secret. */
export const ownWords = (world: World, person: AgentId): string[] => [
  world.agents[person]?.configId ?? '',
  world.agents[person]?.name ?? '',
  world.team.name,
]
