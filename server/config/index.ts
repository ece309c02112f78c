/** The exports of server/config: convene.yaml and the environment, read once at start by server/main.ts. */
export type {
  Config,
  ConfiguredAgent,
  ConfiguredHuman,
  ModelConfig,
  NotifyConfig,
  PeerConfig,
  RehearsalConfig,
  TeamConfig,
} from './Config'
export { ConfigError, type Problem } from './ConfigError'
export { configCommand, isRehearsal, peerId } from './configCommand'
export type { Environment } from './environment'
export { uuidOf } from './identity'
export { type LoadOptions, loadConfig } from './loadConfig'
export { modelsShown } from './modelsShown'
export { readDocument } from './readDocument'
export { keyInText, STORED_KEY, storedKeyName } from './setupOfFile'
export { modelNamed } from './toConfig'
