// `npm run rules`: writes into docs/rules/ which tests hold each rule.
import './lib/requireNode.mjs'
import { writeFileSync } from 'node:fs'

const { rulePages, withHolders } = await import('./checks/rules.mjs')
const { codeFiles } = await import('./checks/sources.mjs')
const { inRoot } = await import('./lib/paths.mjs')
const { say } = await import('./lib/say.mjs')

const files = codeFiles()
for (const { path, text } of rulePages()) {
  const now = withHolders(text, files)
  if (now === text) continue
  writeFileSync(inRoot(path), now)
  say(`${path} is written`)
}
