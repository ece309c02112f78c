/** What steps run with: models, tools, skills and the workspace, as the file and the setup have them. */
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { configCommand } from './config'
import { openFileWatch, openOutgoingFiles } from './files'
import { openModels } from './models'
import type { Base } from './openBase'
import { openPersonCalls } from './personCalls'
import { openSetup, openStoredSignIns } from './setup'
import { guidesOf, loadPrompts, runSkill } from './skills'
import { schedule } from './timers'
import { openToolPool, pathsNamedIn, signInFiles, type ToolServerConfig } from './tools'

export type Abilities = Awaited<ReturnType<typeof openAbilities>>

/** in: builtIn: tool servers of the program itself */
export async function openAbilities(base: Base, builtIn: ToolServerConfig[]) {
  const { config, log, store, stopping } = base
  const secretKey = process.env.CONVENE_SECRET_KEY?.trim() || undefined
  const files = signInFiles(join(config.dataFolder, 'tool-sign-ins'))
  const keeping =
    config.databaseUrl === null || secretKey === undefined
      ? files
      : await openStoredSignIns({
          accounts: store.accounts,
          secret: secretKey,
          before: files,
          nodes: base.nodes,
          onTrouble: (error) => log.warn({ err: error }, 'a sign-in at a tool server could not be kept or opened'),
        })
  const toolOptions = {
    log,
    signIn: { keeping, redirectUrl: () => `${base.address.url}/api/tools/oauth/callback` },
  }
  const nodes = base.nodes ?? undefined
  const setup = await openSetup({
    ...(nodes ? { nodes } : {}),
    config,
    accounts: store.accounts,
    now: store.now,
    secretKey,
    tools: toolOptions,
    builtIn,
  })
  const pool = openToolPool(config.tools, toolOptions)
  setup.serve(pool)
  stopping.add('tools', pool.close)
  const personCalls = openPersonCalls({ now: store.now, newId: randomUUID, schedule, nodes: base.nodes })
  const models = openModels({
    queue: personCalls.queue,
    models: setup.models,
    sections: config.sections,
    secret: setup.secret,
  })
  const prompts = loadPrompts(join(base.folder, 'prompts'), join(dirname(config.file), 'prompts'))
  return {
    toolOptions,
    setup,
    pool,
    personCalls,
    models: setup.asTeam(models),
    skills: runSkill(prompts),
    /** The command that the configuration is. */
    team: configCommand(config, guidesOf(prompts[config.team.language])),
    outgoing: openOutgoingFiles({
      root: config.workspaceFolder,
      servers: config.tools.flatMap(({ name, root }) => (root === undefined ? [] : [name])),
      bodies: store.bodies,
    }),
    files: openFileWatch({
      root: config.workspaceFolder,
      namedIn: (args) => pathsNamedIn(config.workspaceFolder, args),
      bodies: store.bodies,
      keep: config.files.versions,
      onTrouble: (error) => log.warn({ err: error }, 'the workspace could not be compared'),
    }),
  }
}
