/** The exports of server/config: convene.yaml and the environment, read once at start by server/main.ts. */
export type {
  Config,
  ModelConfig,
  NotifyConfig,
} from './Config'
export { ConfigError, type Problem } from './ConfigError'
export { fileKeys } from './camelKeys'
export { configCommand, isRehearsal, peerId } from './configCommand'
export { uuidOf } from './identity'
export { loadConfig } from './loadConfig'
export { readDocument } from './readDocument'
export * as fileSchema from './schema'
export { keyInText } from './setupOfFile'
export { modelNamed } from './toConfig'
