/** The exports of server/config: convene.yaml and the environment, read once at start by server/main.ts. */
export type {
  Config,
  ModelConfig,
  NotifyConfig,
} from './Config'
export { ConfigError, type Problem } from './ConfigError'
export { configCommand, isRehearsal, peerId } from './configCommand'
export { uuidOf } from './identity'
export { loadConfig } from './loadConfig'
export { readDocument } from './readDocument'
export { keyInText } from './setupOfFile'
export { modelNamed } from './toConfig'
