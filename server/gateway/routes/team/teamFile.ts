/** Operators export the team as one file, and import such files: checked and shown first. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@/lib/faults'
import { LANGUAGES, type Language } from '@/lib/language'
import { bodyOf } from '@/lib/mas/bodies'
import { decide } from '@/lib/mas/commands'
import type { CommandOf } from '@/lib/mas/commands/command'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { type TeamPackage, teamPackage } from '@/lib/mas/setup/schemas/teamPackage'
import { packageOf, takingOf } from '@/lib/mas/setup/teamPackage'
import type { CheckedTeam, ReadyTeams } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { EXCESS_WORDS, parseBounded } from '@/server/shared/boundedJson'
import { readerLanguage } from '../../http/readerLanguage'
import type { SetupPort } from '../../ports'
import type { Routes } from '../../route'

export function addTeamFileRoutes({ add, addCommand, gateway }: Routes): void {
  const { engine, now, setup, teams } = gateway
  if (!setup) return

  add('GET /api/team/package', {
    scope: 'read',
    access: 'operator',
    summary: 'The team as a file: agents, templates, examples and standing rules, without keys, people and addresses.',
    answers: schemas.packedTeam,
    handle: async ({ world }) => packageOf(world, world.team.name),
  })

  add('GET /api/team/ready', {
    scope: 'read',
    access: 'operator',
    summary: 'The teams that come with the program, as files that can be imported.',
    answers: schemas.readyTeams,
    handle: async ({ request }) => ({ teams: await readyTeams(teams, readerLanguage(request.headers)) }),
  })

  add('POST /api/team/check', {
    scope: 'operate',
    access: 'operator',
    summary: 'Check the file of a team, and show what it would add, under which names, and what is left out.',
    body: schemas.postTeamCheck,
    answers: schemas.checkedTeam,
    async handle({ body, person, world }) {
      const team = readTeam(body.team)
      const { command, checked } = importOf(world, setup, team)
      const decided = decide(world, { id: 'check', by: person.id, command }, Math.max(now(), world.at))
      if (!decided.ok) throw decided.fault
      return checked
    },
  })

  addCommand({
    path: '/api/team/import',
    scope: 'operate',
    access: 'operator',
    summary: 'Import the file of a team as it was shown: all of it or nothing.',
    body: schemas.postTeamImport,
    bodyLimit: 4 * 1024 * 1024,
    async command({ body, log }) {
      const { command, checked } = importOf(engine.world(), setup, readTeam(body.team))
      // Names that were free when it was shown may be taken now.
      if (checked.digest !== body.digest) throw new Fault('DIGEST_CHANGED')
      log({ count: checked.agents.length }, 'An operator imports a team')
      return command
    },
  })
}

/** Throws BAD_INPUT with the place in the file, and why it does not fit. */
function readTeam(text: string): TeamPackage {
  const read = parseBounded(text)
  if (!read.ok)
    throw new Fault('BAD_INPUT', {
      why: read.why === 'syntax' ? 'It is no JSON.' : `Its text ${EXCESS_WORDS[read.why]}.`,
    })
  const team = teamPackage.safeParse(read.value)
  if (team.success) return team.data
  const [issue] = team.error.issues
  throw new Fault('BAD_INPUT', { why: `The file of a team: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? ''}` })
}

/** What importing it is now: the command, and what an operator is shown of it. */
function importOf(
  world: World,
  setup: Pick<SetupPort, 'agentId'>,
  team: TeamPackage,
): { command: CommandOf<'takeTeam'>; checked: CheckedTeam } {
  const { agents, templates, rules, notes } = takingOf(world, team, (id) => setup.agentId(id))
  const command: CommandOf<'takeTeam'> = { type: 'takeTeam', name: team.name, agents, templates, rules }
  const nameOf = (id: AgentId): string => agents.find(({ value }) => value.agent === id)?.value.name ?? id
  return {
    command,
    checked: {
      name: team.name,
      about: team.about,
      agents: agents.map(({ id, value: { name, role, tools } }) => ({ id, name, role, tools })),
      templates: templates.map(({ name }) => name),
      rules: rules.map(({ agent, server, tool, rule }) => ({ agent: nameOf(agent), tool: `${server}.${tool}`, rule })),
      notes,
      digest: bodyOf(JSON.stringify(command), 'application/json').ref.sha,
    },
  }
}

/** in: folder: with a folder for each language. A file that is no team is left out: a test holds that the shipped ones are */
async function readyTeams(folder: string | null, language: Language): Promise<ReadyTeams['teams']> {
  if (folder === null || !LANGUAGES.includes(language)) return []
  const own = join(folder, language)
  const names = await readdir(own).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name) => {
        const read = teamPackage.safeParse(JSON.parse(await readFile(join(own, name), 'utf8')))
        return read.success ? [{ ...read.data, id: name.replace(/\.json$/, '') }] : []
      }),
  )
  return found.flat()
}
