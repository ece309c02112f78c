/** The exports of server/config: convene.yaml and the environment, read once at start by server/runServer.ts. */
import { relative } from 'node:path'
import { errorCode, errorMessage } from '@/server/shared/errors'
import type { Config } from './Config'
import { ConfigError, type Problem } from './ConfigError'
import { type Environment, readEnvironment } from './environment'
import { packageProgram } from './placeholders'
import { placeIn, readDocument } from './readDocument'
import { toConfig } from './toConfig'

export type {
  Config,
  ModelConfig,
  NotifyConfig,
} from './Config'
export { ConfigError, type Problem } from './ConfigError'
export { configCommand, isRehearsal, peerId } from './configCommand'
export { writeKeys } from './fileKeys'
export { uuidOf } from './identity'
export { readDocument } from './readDocument'
export { fileAgent, fileHuman, fileModel } from './schema'
export { keyInText } from './setupOfFile'
export { modelNamed } from './toConfig'

type LoadOptions = {
  /** Base of relative paths; default: the working directory. */
  folder?: string
  /** Finds the program file of an installed package. */
  programOf?: (packageName: string) => string
}

/** Loads and checks the configuration. Throws ConfigError with every error, its position and a hint. */
export function loadConfig(env: Environment, readFile: (path: string) => string, options: LoadOptions = {}): Config {
  const folder = options.folder ?? process.cwd()
  const { surroundings, problems } = readEnvironment(env, folder)
  const name = relative(folder, surroundings.file) || surroundings.file
  const text = textOf(surroundings.file, name, readFile)
  if (!text.ok) throw new ConfigError([...problems, text.problem])
  const read = readDocument(text.text, name)
  if (!read.ok) throw new ConfigError([...problems, ...read.problems])
  const { config, findings } = toConfig(read.file, surroundings, {
    workspace: surroundings.workspaceFolder,
    programOf: options.programOf ?? packageProgram,
    variable: (variable) => env[variable],
  })
  const all = [...problems, ...placeIn(text.text, name, findings)]
  if (all.length > 0) throw new ConfigError(all)
  return config
}

function textOf(
  path: string,
  name: string,
  readFile: (path: string) => string,
): { ok: true; text: string } | { ok: false; problem: Problem } {
  try {
    return { ok: true, text: readFile(path) }
  } catch (error) {
    const message =
      errorCode(error) === 'ENOENT' ? 'there is no such file' : `it cannot be read (${errorMessage(error)})`
    const hint = 'CONVENE_CONFIG names the file; without it, config/convene.yaml is read.'
    return { ok: false, problem: { file: name, line: null, column: null, at: '', message, hint } }
  }
}
