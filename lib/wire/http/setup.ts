/** What operators set up in the page: agents, models, tool servers, budgets, and the model of the team. */

import * as z from 'zod'
import { changesOf, setupCommands } from '../../mas/setup/commands/schemas'
import { PACKAGE_CHARACTERS } from '../../mas/setup/packageForm'
import { keylessAddress, setupId } from '../../mas/setup/schemas/fields'
import { agentSetup, humanSetup } from '../../mas/setup/schemas/members'
import { modelSetup } from '../../mas/setup/schemas/model'
import { budgetSetup, teamSetup } from '../../mas/setup/schemas/team'
import { teamPackage } from '../../mas/setup/schemas/teamPackage'
import { toolSetup } from '../../mas/setup/schemas/toolServer'
import { access, anyId, commandFields, count, json, when } from './common'
import { triedAnswer } from './system'

/** agent: its id in the world, which the server derives from its id when it is left out. */
const agentBody = z.strictObject({ agent: anyId.optional(), ...agentSetup.shape })

/** A person. Their id in the world follows from the id of the record. */
export type HumanSetupBody = z.input<typeof humanSetup>

const { undoSetup, leaveTeam } = setupCommands

/** POST /api/setup: all of it, or nothing. */
export const postSetup = z.object({ ...commandFields, changes: changesOf(agentBody, humanSetup) })
export type PostSetup = z.input<typeof postSetup>

/** POST /api/setup/undo. of: its id; change: its seq */
export const postSetupUndo = z.object({
  ...commandFields,
  kind: undoSetup.shape.kind,
  of: undoSetup.shape.id,
  change: undoSetup.shape.change,
})

/** POST /api/setup/keys: keeps a key for an address. It is in no answer. */
export const postSetupKey = z.object({ key: z.string().trim().min(1).max(10_000), address: keylessAddress })
export const setupKeyAnswer = z.object({ stored: z.string() })
export type SetupKeyAnswer = z.infer<typeof setupKeyAnswer>

/** POST /api/setup/try: a value that need not be kept. seen: left out: the newest change. */
const tried = {
  id: setupId,
  seen: count.nullable().optional().describe('seq of the newest change that was seen, 0: none; null: new'),
}
export const postSetupTry = z.discriminatedUnion('kind', [
  z.object({ ...tried, kind: z.literal('model'), value: modelSetup }),
  z.object({ ...tried, kind: z.literal('tool'), value: toolSetup }),
])
export type PostSetupTry = z.input<typeof postSetupTry>
export const setupTried = triedAnswer.extend({
  tools: z.array(z.string()).describe('what a tool server offers'),
})
export type SetupTried = z.infer<typeof setupTried>

/** GET /api/setup/local-models: model servers that answer on this machine, and what they offer. */
export const setupLocalModels = z.object({
  servers: z.array(
    z.object({ preset: z.string(), name: z.string(), models: z.array(z.string()).describe('at least one') }),
  ),
})
export type SetupLocalModels = z.infer<typeof setupLocalModels>

/** POST /api/setup/models: what a model server offers, or why that is not known. */
export const postSetupModels = modelSetup.pick({ provider: true, baseUrl: true, key: true }).extend({ id: setupId })
export type PostSetupModels = z.input<typeof postSetupModels>
export const setupModels = z.union([
  z.object({
    ok: z.literal(true),
    models: z.array(
      z.object({
        name: z.string(),
        known: z
          .object({
            contextTokens: count,
            price: z.object({ input: z.number(), output: z.number(), cached: z.number().nullable() }),
          })
          .nullable()
          .describe('context size and US dollars per million tokens, where they are kept'),
      }),
    ),
  }),
  z.object({ ok: z.literal(false), words: z.string(), hint: z.string() }),
])
export type SetupModels = z.infer<typeof setupModels>

/** GET /api/setup/file. isSame: it says what the page says already. */
export const setupFile = z.object({ name: z.string(), canWrite: z.boolean(), isSame: z.boolean() })
export type SetupFileShown = z.infer<typeof setupFile>

/** POST /api/setup/file. text: where the file cannot be written, what it would be; null: it was written. */
export const setupFileWritten = z.object({ name: z.string(), text: z.string().nullable() })
export type SetupFileWritten = z.infer<typeof setupFileWritten>

const changeShown = z.object({
  seq: count,
  at: when,
  by: z.string().nullable().describe('the name of the person; null: the configuration file'),
  before: json.describe('what was there; null: nothing'),
})
const recordShown = <Value extends z.ZodType>(value: Value) =>
  z.object({
    id: z.string(),
    value: value.nullable().describe('what counts; null: it was taken out'),
    file: value.nullable().describe('what the file says; null: it does not name it'),
    isChanged: z.boolean().describe('the page says something else than the file'),
    changes: z.array(changeShown).describe('the newest, the last one last'),
  })

/** GET /api/setup */
export const setupAnswer = z.object({
  agents: z.array(recordShown(agentBody)),
  people: z.array(recordShown(humanSetup.extend({ agent: anyId, access }))),
  models: z.array(recordShown(modelSetup)),
  tools: z.array(recordShown(toolSetup)),
  team: z.array(recordShown(teamSetup)),
  budgets: z.array(recordShown(budgetSetup)),
  offered: z.array(z.string()).describe('names of all tool servers that an agent can be given'),
  variables: z.array(z.string()).describe('variables of model presets that are set'),
  toolsAllowed: z.array(z.string()),
})
export type SetupAnswer = z.infer<typeof setupAnswer>
export type SetupShown<Kind extends 'agents' | 'people' | 'models' | 'tools' | 'team' | 'budgets'> =
  SetupAnswer[Kind][number]

/** POST /api/people: a new person. id: their permanent sign-in name. */
export const postInvite = z.object({ ...commandFields, person: setupId, value: humanSetup })
/** POST /api/people/<id>/leave */
export const postLeave = z.object({
  ...commandFields,
  ...leaveTeam.omit({ id: true }).shape,
  handTo: anyId.nullable().describe('who gets what only they were asked'),
})

const packageNote = z.object({
  about: z.enum(['agent', 'template', 'example', 'rule']),
  name: z.string(),
  why: z
    .enum(['renamed', 'tools', 'rule', 'address', 'manager'])
    .describe('renamed: detail: its name here; else what of it is left out and why'),
  detail: z.string(),
})
/** GET /api/team/package. notes: what is not in the file */
export const packedTeam = z.object({ team: teamPackage, notes: z.array(packageNote) })
export type PackedTeam = z.infer<typeof packedTeam>

/** GET /api/team/ready: the teams that come with the program. */
export const readyTeams = z.object({ teams: z.array(teamPackage.extend({ id: z.string() })) })
export type ReadyTeams = z.infer<typeof readyTeams>

/** POST /api/team/check. team: the text of the file */
export const postTeamCheck = z.object({ team: z.string().max(PACKAGE_CHARACTERS) })
/** What the file would add, under the names that are free here. */
export const checkedTeam = z.object({
  name: z.string(),
  about: z.string(),
  agents: z.array(z.object({ id: z.string(), name: z.string(), role: z.string(), tools: z.array(z.string()) })),
  templates: z.array(z.string()).describe('names of templates, and of examples, which become templates'),
  rules: z.array(z.object({ agent: z.string(), tool: z.string(), rule: z.string() })),
  notes: z.array(packageNote),
  digest: z.string().describe('of what is added, for the import'),
})
export type CheckedTeam = z.infer<typeof checkedTeam>
/** POST /api/team/import. digest: of what was shown */
export const postTeamImport = z.object({ ...commandFields, ...postTeamCheck.shape, digest: z.string().max(100) })
