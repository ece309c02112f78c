// Allowed imports: app → components → client → lib ← server, components/ui below its neighbours, no two folders of components that
// import each other, and the order within server/.
import { codeFiles, importsOf, isTestFile, ownTarget } from './sources.mjs'

export const name = 'import arrows: app → components → client → lib ← server'

/** Folder → folders that it may import besides itself. Test folders and scripts may import anything but server/main. */
const FOLDERS = {
  app: ['components', 'client', 'lib', 'messages'],
  components: ['client', 'lib', 'messages'],
  client: ['lib', 'messages'],
  lib: ['messages'],
  // The Chinese texts remove spaces around names by lib/format.
  messages: ['lib'],
  prompts: [],
  server: ['lib', 'messages', 'prompts'],
  // A package may be left out: the core never imports one, but for the list that the build writes.
  packages: ['server', 'lib', 'messages', 'prompts'],
}

/** Folder of server/ → other folders of server/ that it may import. */
const LOWER = ['skills', 'tools', 'files', 'documents', 'models', 'store', 'nodes', 'net', 'shared']
const SERVER = {
  gateway: ['monitor', 'engine', 'numbers', 'search', 'companySignIn', 'mcpServer', ...LOWER],
  monitor: ['engine', ...LOWER],
  companySignIn: ['shared'],
  mcpServer: ['shared'],
  otherSystems: ['engine', ...LOWER],
  metrics: ['gateway', 'engine', ...LOWER],
  engine: LOWER,
  skills: ['tools', 'documents', 'models', 'store', 'shared'],
  tools: ['documents', 'store', 'net', 'shared'],
  documents: ['shared'],
  models: ['store', 'net', 'shared'],
  store: ['shared'],
  files: ['shared'],
  backup: ['engine', 'store', 'shared'],
  numbers: ['store', 'shared'],
  search: ['store'],
  nodes: ['net', 'shared'],
  config: ['shared'],
  trial: ['config', 'models', 'tools', 'notify'],
  setup: ['config', 'models', 'tools', 'nodes', 'net', 'store', 'shared'],
  net: [],
  shared: [],
  notify: ['config', 'engine', 'nodes', 'store', 'net', 'shared'],
}

/** @returns {string[]} one line per forbidden import, and per pair of folders that import each other */
export function check(files = codeFiles()) {
  return [...forbidden(files), ...mutual(files)]
}

/** Folders of components/ that still import each other. None is added. */
const STILL_MUTUAL = [
  ['agents', 'inspector'],
  ['chat', 'shell'],
  ['help', 'shell'],
  ['inbox', 'shell'],
  ['inspector', 'tools'],
  ['notify', 'shell'],
  ['operate', 'request'],
  ['request', 'shell'],
  ['request', 'tools'],
].map((pair) => pair.join(' and '))

/** @returns {string[]} one line per pair of folders of components/ that import each other */
function mutual(files) {
  const arrows = new Map()
  for (const { path, text } of files) {
    const [folder, from] = path.split('/')
    if (folder !== 'components' || isTestFile(path)) continue
    for (const { specifier } of importsOf(text)) {
      const [targetFolder, to] = ownTarget(path, specifier)?.split('/') ?? []
      if (targetFolder === 'components' && to !== from) arrows.set(`${from} ${to}`, `${path} imports ${specifier}`)
    }
  }
  const pairs = [...arrows.keys()].flatMap((arrow) => {
    const [from, to] = arrow.split(' ')
    return from < to && arrows.has(`${to} ${from}`) ? [{ from, to, name: `${from} and ${to}` }] : []
  })
  return pairs.flatMap(({ from, to, name }) =>
    STILL_MUTUAL.includes(name)
      ? []
      : [`components/${name} import each other: ${arrows.get(`${from} ${to}`)}, ${arrows.get(`${to} ${from}`)}`],
  )
}

/** @returns {string[]} one line per forbidden import */
function forbidden(files) {
  return files.flatMap(({ path, text }) =>
    importsOf(text).flatMap(({ specifier, line, isType, isLate }) => {
      const target = ownTarget(path, specifier)
      const reason =
        target === undefined
          ? packageProblem(path, specifier)
          : isLate && BY_SWITCH[path] === target
            ? undefined
            : (ownProblem(path, target) ?? schemaProblem(path, target, isType))
      return reason === undefined ? [] : [`${path}:${line} imports ${specifier}: ${reason}`]
    }),
  )
}

/** Imports that exist behind a switch: the gallery in development and by CONVENE_GALLERY=1. */
const BY_SWITCH = { 'components/shell/screens.ts': 'test/gallery' }

function packageProblem(path, specifier) {
  const [folder] = path.split('/')
  if (isTestFile(path)) return undefined
  const isNode = specifier.startsWith('node:')
  if (folder === 'lib' && isNode) return 'lib/ runs in browsers too and uses no Node module'
  if (folder === 'lib' && /^(react|react-dom|next)(\/|$)/.test(specifier)) return 'lib/ draws nothing'
  if (['app', 'components', 'client'].includes(folder) && isNode) return 'this runs in a browser'
  return undefined
}

/** Schemas of the setup, of commands and of the HTTP interface use all of zod, which browsers should not load. Their types cost nothing. */
const SCHEMAS = /^lib\/(wire\/http|mas\/setup\/schemas|mas(?:\/\w+)?\/commands)(\/|$)/

function schemaProblem(path, target, isType) {
  if (!SCHEMAS.test(target) || isType || isTestFile(path) || /^(server|packages|scripts|bench|test)\//.test(path))
    return undefined
  return SCHEMAS.test(path) ? undefined : 'only the server and its programs run these schemas; others `import type`'
}

function ownProblem(path, target) {
  const [folder, part] = path.split('/')
  const [targetFolder, targetPart] = target.split('/')
  if (/^server\/main(\.ts)?$/.test(target)) return 'nobody imports server/main.ts'
  const allowed = FOLDERS[folder]
  if (allowed === undefined) return undefined
  // Tests may use the test folder; its own imports are not checked.
  if (isTestFile(path) && targetFolder === 'test') return undefined
  // Tests of the server may use the client; the served code may not.
  if (isTestFile(path) && folder === 'server' && targetFolder === 'client') return undefined
  if (path === 'server/packages.ts' && targetFolder === 'packages') return undefined
  // Such a test is left out of the program without packages (scripts/lib/corePart.mjs).
  if (isTestFile(path) && targetFolder === 'packages') return undefined
  // Programs of packages are started as those of scripts/ are.
  if (folder === 'packages' && (isTestFile(path) || path.split('/')[2] === 'programs')) return undefined
  // It runs whole teams in one process, as tests do.
  if (folder === 'packages' && part === 'eval' && targetFolder === 'test') return undefined
  // The browser's end of the wire, for programs.
  if (folder === 'packages' && part === 'client' && targetFolder === 'client') return undefined
  if (folder === 'packages' && targetFolder === 'packages')
    return part === targetPart ? undefined : 'a package imports no other package'
  if (targetFolder !== folder) {
    if (FOLDERS[targetFolder] === undefined && !['test', 'e2e', 'bench', 'scripts'].includes(targetFolder))
      return undefined
    return allowed.includes(targetFolder) ? undefined : `${folder}/ may import ${[folder, ...allowed].join(', ')} only`
  }
  if (isTestFile(path)) return undefined
  if (folder === 'lib' && part === 'mas' && targetPart === 'wire') return 'lib/mas knows nothing of the wire'
  if (folder === 'components' && part === 'ui' && targetPart !== 'ui') return 'components/ui imports nothing above it'
  if (folder !== 'server') return undefined
  return serverProblem(path, part, targetPart, target)
}

/** Files directly in server/ compose the program: they may import every folder, and no folder imports them. */
function serverProblem(path, part, targetPart, target) {
  if (path.split('/').length === 2) return undefined
  if (SERVER[part] === undefined)
    return `server/${part}/ has no place in the order yet: give it one in scripts/checks/arrows.mjs`
  if (part === targetPart) return undefined
  if (target.split('/').length === 2 && SERVER[targetPart] === undefined)
    return `files directly in server/ are for putting parts together`
  return SERVER[part].includes(targetPart)
    ? undefined
    : `server/${part}/ may import ${SERVER[part].map((folder) => `server/${folder}/`).join(', ') || 'no other folder of server/'} only`
}
