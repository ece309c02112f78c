// `npm run lines`: how many lines of code there are, without tests: of the server with lib/, and of what a stranger reads first.
import './lib/requireNode.mjs'

const { codeFiles, isTestFile } = await import('./checks/sources.mjs')
const { say } = await import('./lib/say.mjs')

const AREAS = {
  'lib and server': [/^(lib|server)\//],
  'the core: domain, engine, store on SQLite, skills, models': [
    /^lib\/(mas|faults|format)\//,
    /^server\/(engine|skills|store|models)\//,
  ],
  packages: [/^packages\//],
  'client and components': [/^(client|components)\//],
  'scripts and bench': [/^(scripts|bench)\//],
}

/** Types that are written by a program. */
const isGenerated = (path) => path.endsWith('.d.ts')

const files = codeFiles().filter(({ path }) => !isTestFile(path) && !isGenerated(path))
for (const [area, places] of Object.entries(AREAS)) {
  const own = files.filter(({ path }) => places.some((place) => place.test(path)))
  const lines = own.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
  say(`${lines.toLocaleString('en').padStart(8)}  ${area} (${own.length} files)`)
}
