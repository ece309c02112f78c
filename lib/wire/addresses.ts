/** The addresses of the console and their screens, read in both directions; the server answers 404 at any other. */

/** The most specific first where two could match. A segment with a colon is a parameter; one with a star is the rest of the path. */
const PATTERNS = [
  ['home', '/'],
  ['inbox', '/inbox'],
  ['tasks', '/tasks'],
  ['task', '/tasks/:taskId'],
  ['tree', '/tasks/:taskId/tree'],
  ['timeline', '/tasks/:taskId/timeline'],
  ['taskWaits', '/tasks/:taskId/waits'],
  ['stage', '/tasks/:taskId/stages/:stageId'],
  ['step', '/tasks/:taskId/steps/:stepId'],
  ['message', '/tasks/:taskId/messages/:messageId'],
  ['request', '/requests/:requestId'],
  ['waits', '/waits'],
  ['numbers', '/numbers'],
  ['search', '/search'],
  ['go', '/go/:id'],
  ['notices', '/notices'],
  ['direct', '/direct'],
  ['talk', '/direct/:agentId'],
  ['tools', '/tools'],
  ['tool', '/tools/:server/:tool'],
  ['agents', '/agents'],
  ['agent', '/agents/:agentId'],
  ['directory', '/directory'],
  ['directory', '/directory/:list'],
  ['help', '/help'],
  ['help', '/help/:part'],
  ['audit', '/settings/system/audit'],
  ['gallery', '/gallery'],
  ['gallery', '/gallery/:family'],
  ['files', '/files'],
  ['file', '/files/*path'],
  ['settings', '/settings'],
  ['settings', '/settings/:page'],
] as const

export type ScreenName = (typeof PATTERNS)[number][0]
/** The screens at addresses below a task's own. */
export type TaskScreen = Extract<(typeof PATTERNS)[number], readonly [string, `/tasks/:taskId${string}`]>[0]
export type Params = Readonly<Record<string, string>>
export type Match = { screen: ScreenName; params: Params }

const segments = (path: string): string[] => path.split('/').filter((part) => part !== '')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** in: the path of an address, without its query. out: its screen and the decoded parameters; null: no screen has it */
export function matchPath(pathname: string): Match | null {
  const given = segments(pathname)
  for (const [screen, pattern] of PATTERNS) {
    const params = paramsOf(segments(pattern), given)
    if (params !== null) return { screen, params }
  }
  return null
}

function paramsOf(wanted: readonly string[], given: readonly string[]): Params | null {
  const params: Record<string, string> = {}
  const rest = wanted.findIndex((part) => part.startsWith('*'))
  if (rest === -1 ? wanted.length !== given.length : given.length <= rest) return null
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith('*')) params[part.slice(1)] = given.slice(at).map(decode).join('/')
    else if (part.startsWith(':')) params[part.slice(1)] = decode(given[at] ?? '')
    else if (part !== given[at]) return null
  }
  return params
}

const isParam = (part: string): boolean => /^[:*]/.test(part)

/** The path of a screen: pathTo('task', {taskId}) is /tasks/<taskId>. Throws when no pattern takes these parameters. */
export function pathTo(screen: ScreenName, params: Params = {}): string {
  for (const [name, pattern] of PATTERNS) {
    if (name !== screen) continue
    const wanted = segments(pattern).filter(isParam)
    const given = Object.keys(params)
    if (wanted.length !== given.length || !wanted.every((part) => params[part.slice(1)] !== undefined)) continue
    return `/${segments(pattern)
      .map((part) => (isParam(part) ? encoded(part, params[part.slice(1)] ?? '') : part))
      .join('/')}`
  }
  throw new Error(`no address of ${screen} takes ${Object.keys(params).join(', ') || 'nothing'}`)
}

const encoded = (part: string, value: string): string =>
  part.startsWith('*') ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
