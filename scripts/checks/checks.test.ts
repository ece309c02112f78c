import { describe, expect, test } from 'vitest'
import { check as checkArrows } from './arrows.mjs'
import { check as checkBodies } from './bodies.mjs'
import { check as checkContracts } from './contracts.mjs'
import { check as checkEventFolders } from './eventFolders.mjs'
import { check as checkFileNames } from './fileNames.mjs'
import { check as checkMemberKinds } from './memberKinds.mjs'
import { check as checkMentions } from './mentions.mjs'
import { check as checkMessages, placeholders } from './messages.mjs'
import { check as checkNameSets } from './nameSets.mjs'
import { impureWords } from './pureLib.mjs'
import { check as checkRules, withHolders } from './rules.mjs'
import { importsOf, ownTarget, withoutComments } from './sources.mjs'
import { check as checkTimers } from './timers.mjs'
import { check as checkWords } from './words.mjs'

const file = (path: string, text: string) => ({ path, text })
const importing = (path: string, ...targets: string[]) =>
  file(path, targets.map((target) => `import { x } from '${target}'`).join('\n'))

describe('imports', () => {
  test('are found however they are written, and not in comments', () => {
    const text = `import a from 'one'
import type { b,
  c } from "two"
export * from './three'
import 'four'
const d = await import('five')
// import e from 'six'
/* export { f } from 'seven' */
const g = "import h from 'eight'"`
    expect(
      importsOf(text)
        .map(({ specifier }) => specifier)
        .sort(),
    ).toEqual(['./three', 'five', 'four', 'one', 'two'])
  })

  test('of ours are told by their path from the root', () => {
    expect(ownTarget('server/engine/index.ts', '../store')).toBe('server/store')
    expect(ownTarget('server/engine/index.ts', './port')).toBe('server/engine/port')
    expect(ownTarget('server/engine/index.ts', '@/lib/mas/ids')).toBe('lib/mas/ids')
    expect(ownTarget('server/engine/index.ts', '@hono/node-server')).toBeUndefined()
  })

  // A pattern that tries all ways through such a file would take minutes: the runner's own limit ends it.
  test('a file of many lines without an import is read to its end', () => {
    expect(importsOf('import x\n'.repeat(200).replaceAll('import', 'export'))).toEqual([])
    expect(importsOf(`export const a = [\n${'  one,\n'.repeat(5_000)}]`)).toEqual([])
  })
})

describe('arrows', () => {
  test('the allowed ones pass', () => {
    const files = [
      importing('app/layout.tsx', '@/components/shell', 'next', './globals.css'),
      importing('components/chat/Chat.tsx', '@/client/socket', '../ui', '@/lib/wire'),
      importing('components/ui/Table.tsx', './Button', '../ui/marks/Time', '@/client/nav'),
      importing('client/connection/socket.ts', '@/lib/wire', 'socket.io-client'),
      importing('server/main.ts', './gateway', './engine', './config', './store'),
      importing('server/gateway/index.ts', '../monitor', '@/server/engine', '@/lib/faults', 'node:http'),
      importing('server/engine/index.ts', '../skills', '../tools', '../models', '../store'),
      importing('server/store/index.ts', '../shared/sha256'),
      importing('lib/mas/ids.test.ts', 'node:fs', '@/test/worldHistories'),
    ]
    expect(checkArrows(files)).toEqual([])
  })

  test.each([
    ['app/layout.tsx', '@/server/engine'],
    ['components/chat/Chat.tsx', '../../server/store'],
    ['client/connection/socket.ts', '@/components/chat'],
    ['components/ui/Table.tsx', '@/components/shell/Frame'],
    ['components/ui/overlays/Menu.tsx', '../../chat/Chat'],
    ['client/connection/socket.ts', 'node:fs'],
    ['lib/mas/ids.ts', 'node:crypto'],
    ['lib/mas/ids.ts', 'react'],
    ['lib/mas/ids.ts', '@/server/store'],
    ['lib/mas/access/visibility.ts', '@/lib/wire/views'],
    ['server/store/index.ts', '../engine'],
    ['server/shared/sha256.ts', '../store'],
    ['server/store/index.ts', '@/client/socket'],
    ['server/engine/index.ts', '../monitor'],
    ['server/tools/servers/pool.ts', '../../config'],
    ['server/nowhere/index.ts', '../store'],
    ['e2e/fixtures.ts', '@/server/main'],
    ['lib/mas/ids.test.ts', '@/server/store'],
  ])('%s may not import %s', (path, target) => {
    expect(checkArrows([importing(path, target)])).toHaveLength(1)
  })

  test('two folders of components do not import each other: what both need stands below them', () => {
    const one = importing('components/files/FilePage.tsx', '@/components/audit/rows')
    expect(checkArrows([one])).toEqual([])
    expect(checkArrows([one, importing('components/audit/rows.ts', '../files/places')])).toHaveLength(1)
    expect(checkArrows([one, importing('components/audit/rows.test.ts', '../files/places')])).toEqual([])
  })

  test('[R103] no file of the server reads the synthetic load of the benches', () => {
    expect(checkArrows([importing('server/main.ts', '@/bench/load')])).toHaveLength(1)
    const late = "const { createLoads } = await import('@/bench/load')"
    expect(checkArrows([file('server/runServer.ts', late)])).toHaveLength(1)
  })

  test('the schemas of the setup, of commands and of the HTTP interface are loaded by the server alone; every other folder imports their types', () => {
    const types = "import type { Me } from '@/lib/wire/http'\nexport type * from '@/lib/wire/http'"
    for (const path of ['client/api.ts', 'components/chat/Chat.tsx', 'lib/wire/index.ts'])
      expect(checkArrows([file(path, types)])).toEqual([])
    expect(checkArrows([importing('server/gateway/route.ts', '@/lib/wire/http')])).toEqual([])
    expect(checkArrows([importing('lib/wire/http/tasks.ts', './common')])).toEqual([])
    for (const [path, target] of [
      ['client/api.ts', '@/lib/wire/http'],
      ['components/chat/Chat.tsx', '@/lib/wire/http/messages'],
      ['lib/wire/index.ts', './http'],
      ['lib/mas/setup/setupRecords.ts', './schemas/model'],
      ['components/setup/ModelForm.tsx', '@/lib/mas/setup/schemas/model'],
      ['lib/mas/setup/setup.ts', '../commands/setup/changeSetup'],
    ] as const)
      expect(checkArrows([importing(path, target)])).toHaveLength(1)
    expect(checkArrows([file('client/api.ts', "import { type Me } from '@/lib/wire/http'")])).toHaveLength(1)
  })
})

describe('contracts', () => {
  const exported = (body: string, comment = '') => [
    file('lib/mas/commands/acts.ts', `${comment}export function act(): void {\n${body}\n}\n\nconst x = 1\n`),
  ]

  test('an exported function of a public edge says what it takes, gives and refuses', () => {
    expect(checkContracts(exported('  act()'))).toEqual([
      'lib/mas/commands/acts.ts:1 exports act without a comment: what goes in, what comes out, what it throws',
    ])
    expect(checkContracts(exported('  act()', '/** Ends it. */\n'))).toEqual([])
    const throwing = "  throw new Fault('STEP_OVER')"
    expect(checkContracts(exported(throwing, '/** Ends it. */\n'))).toEqual([
      'lib/mas/commands/acts.ts:2 exports act, whose comment does not say that it throws',
    ])
    expect(checkContracts(exported(throwing, '/** Ends it. Throws STEP_OVER. */\n'))).toEqual([])
  })

  test('arrows count as functions; types, plain values and other folders do not', () => {
    const text =
      'export const act = (one: number): number => one\nexport const MOST = 3\nexport type Act = () => void\n'
    expect(checkContracts([file('lib/wire/acts.ts', text)])).toHaveLength(1)
    expect(checkContracts([file('lib/mas/reduce/acts.ts', text), file('lib/wire/acts.test.ts', text)])).toEqual([])
  })
})

describe('file names', () => {
  test('that differ only in case are refused; those of other folders or words are not', () => {
    const names = (...paths: string[]) => checkFileNames(paths.map((path) => file(path, '')))
    expect(names('a/Rail.tsx', 'a/rail.ts')).toEqual(['a/Rail.tsx and a/rail.ts differ only in case'])
    expect(names('a/Rail.tsx', 'b/rail.ts', 'a/railRows.ts')).toEqual([])
  })

  test.each(['client/x', 'lib/x', 'server/x/y', 'scripts/x'])('in %s are 25 at most, beside their tests', (place) => {
    const folder = (count: number) =>
      Array.from({ length: count }, (_, at) => ['ts', 'test.ts'].map((ending) => file(`${place}/m${at}.${ending}`, '')))
    expect(checkFileNames(folder(25).flat())).toEqual([])
    expect(checkFileNames(folder(26).flat())).toEqual([`${place} has 26 files: give it sections`])
  })

  test('in a folder of test code there may be any number', () => {
    const files = Array.from({ length: 40 }, (_, at) => [
      file(`test/m${at}.ts`, ''),
      file(`server/x/test/m${at}.ts`, ''),
    ])
    expect(checkFileNames(files.flat())).toEqual([])
  })
})

describe('purity of lib/', () => {
  test('a clock and a random source are found, in comments and texts they are words', () => {
    const impure = file('lib/mas/x.ts', 'const a = Date.now()\nconst b = Math.random()\nconst c = new Date()')
    const words = file(
      'lib/mas/y.ts',
      "// Date.now() is not read here\nconst a = 'Math.random()'\nconst b = new Date(at)",
    )
    const findings = impureWords([impure, words])
    expect(findings.filter((line) => line.startsWith('lib/mas/x.ts'))).toHaveLength(3)
    expect(findings.filter((line) => line.startsWith('lib/mas/y.ts'))).toEqual([])
  })

  test('comments go, lines stay', () => {
    expect(withoutComments('a /* b\nc */ d // e\nf')).toBe('a     \n     d     \nf')
    expect(withoutComments("x = 'http://a' // b").trimEnd()).toBe("x = 'http://a'")
  })
})

describe('messages', () => {
  const read = (en: object, zh: object) => (language: string) => (language === 'en' ? en : zh)
  const problemsOf = (en: object, zh: object) => checkMessages(read(en, zh), [])

  test('the same keys and values in both languages pass', () => {
    const en = { a: { b: 'Sent {count, plural, one {# time} other {# times}} by {who}' } }
    const zh = { a: { b: '{who} 发送了 {count} 次' } }
    expect(problemsOf(en, zh)).toEqual([])
  })

  test('a key that is missing, an empty text and another value are told', () => {
    expect(problemsOf({ a: 'x', b: '{n} y', c: ' ' }, { b: '{m} y', c: 'z', d: 'w' })).toEqual([
      'messages/zh.json lacks a',
      'b: en takes {n}, zh takes {m}',
      'messages/en.json lacks d',
      'messages/en.json: c is empty',
    ])
  })

  test('a select by a text is reported, since it would not work in Chinese sentences', () => {
    const both = { a: '{how, select, done {x} other {y}}' }
    expect(problemsOf(both, both)).toEqual([
      'messages/en.json: a chooses by a text; take a key each',
      'messages/zh.json: a chooses by a text; take a key each',
    ])
  })

  test('words that the sign-in page says and does not get are told, of whatever it is made of', () => {
    const words = { login: { a: 'x' }, inbox: { a: 'x' }, chat: { a: 'x' }, tree: { a: 'x' } }
    const files = [
      file(
        'components/login/LoginRoot.tsx',
        "import { Part } from './Part'\nimport type { Row } from '@/components/tree'\nconst t = useTranslations('login')",
      ),
      file(
        'components/login/Part.tsx',
        "import { Mark } from '@/components/ui/Mark'\nconst t = useTranslations('inbox')",
      ),
      file('components/ui/Mark.tsx', "const t = useTranslations()\nt('login.a')\nt('chat.a')"),
      file('components/tree/index.tsx', "const t = useTranslations('tree')"),
    ]
    expect(checkMessages(read(words, words), files).map((line) => line.split(', which')[0])).toEqual([
      'components/login/Part.tsx says words of inbox',
      'components/ui/Mark.tsx says words of chat',
    ])
  })

  test('words that come later are said only by what is loaded with them', () => {
    const files = [
      file(
        'components/shell/screens.ts',
        "lazyScreen(() => import('@/components/tree'))\nlazyScreen(withLaterWords(() => import('@/components/directory')))",
      ),
      file('components/directory/index.tsx', "const t = useTranslations('directory')"),
      file('components/tree/index.tsx', "import { Line } from './Line'"),
      file('components/tree/Line.tsx', "const t = useTranslations('directory')"),
    ]
    expect(checkMessages(read({ directory: { a: 'x' } }, { directory: { a: 'x' } }), files)).toEqual([
      'components/tree/Line.tsx says words of directory, which come later: load it by withLaterWords',
    ])
  })

  test('texts in the branches of a plural are no values', () => {
    expect(placeholders('{n, plural, =0 {nowhere} one {here} other {# {of} {total}}}')).toEqual({
      shown: ['n', 'of', 'total'],
      counted: [],
    })
  })

  test('a value that only picks a plural form may be left out in 中文', () => {
    const en = { a: '{names} {n, plural, one {is} other {are}} writing' }
    expect(problemsOf(en, { a: '{names} 正在输入' })).toEqual([])
    expect(problemsOf(en, { a: '正在输入' })).toEqual(['a: en takes {names, n}, zh takes {}'])
  })
})

describe('words', () => {
  const rest = (findings: string[]) => findings.filter((line) => !line.startsWith('docs/dependencies.md'))

  test('a path of one machine is found, a path of the project is not', () => {
    const machine = ['', 'home', 'somebody', 'x'].join('/')
    const files = [file('a.md', `see ${machine}`), file('b.md', 'see ./home/page and https://example.org/work/1')]
    expect(rest(checkWords(files))).toEqual([`a.md:1 names a path of one machine: ${machine.slice(0, -2)}`])
  })

  test('a lock that names a host is found', () => {
    const files = [
      file('package-lock.json', '"resolved": "https://registry.example.org/x.tgz"'),
      file('.npmrc', 'registry=x'),
    ]
    expect(rest(checkWords(files))).toHaveLength(3)
  })

  test('[R370] a database that is opened with readonly is found in code and pages, and another readonly is not', () => {
    const option = ['readonly', 'true'].join(': ')
    const files = [
      file('a.mjs', `import Database from 'libsql'\nconst db = new Database(path, { ${option} })`),
      file('b.md', `run new (require('libsql'))(path, { ${option} })`),
      file('c.ts', `const field = { ${option} }`),
    ]
    expect(rest(checkWords(files)).map((line) => line.split(' ')[0])).toEqual(['a.mjs:2', 'b.md:1'])
  })
})

describe('rules', () => {
  const named = (path: string, ids = 'R1') => file(path, `test('[${ids}] it is so')`)
  const page = (...rows: string[]) => [file('docs/rules/world.md', ['| id | rule | held by |', ...rows].join('\n'))]
  const row = (id: string, ...tests: string[]) =>
    `| ${id} | It is so. | ${tests.map((one) => `\`${one}\``).join(', ')} |`

  test('a rule that no test names, a test that names no rule, and a rule that stands twice are told', () => {
    const pages = page(row('R1', 'lib/a.test.ts'), row('R2'), row('R1', 'lib/a.test.ts'))
    expect(checkRules([named('lib/a.test.ts'), named('lib/b.test.ts', 'R9')], pages)).toEqual([
      'docs/rules/world.md: R1 stands in another row, too',
      'docs/rules/world.md: no test is named by R2',
      'lib/b.test.ts names R9, which no page of docs/rules has',
    ])
  })

  test('the tests of a row are those that name its rule, no more and no others, as the program writes them', () => {
    const files = [named('lib/b.test.ts', 'R1, R2'), named('test/storeContract/bodies.ts'), named('lib/a.test.ts')]
    const pages = page(row('R1', 'lib/a.test.ts'), row('R2', 'lib/b.test.ts'))
    expect(checkRules(files, pages)).toEqual(['docs/rules/world.md: the tests of R1 are others now: npm run rules'])
    const written = pages.map(({ path, text }) => file(path, withHolders(text, files)))
    expect(written[0]?.text).toContain(row('R1', 'lib/a.test.ts', 'lib/b.test.ts', 'test/storeContract/bodies.ts'))
    expect(checkRules(files, written)).toEqual([])
  })
})

describe('mentions', () => {
  const all = [file('docs/rules/world.md', '| R1 | It is so. | `lib/mas/ids.test.ts` |'), file('lib/mas/ids.ts', '')]
  const problemsOf = (text: string) =>
    checkMentions([file('lib/a.ts', text)], [...all, file('lib/mas/ids.test.ts', '')])

  test('a comment may name files by their whole path or its end, and rules that exist', () => {
    expect(
      problemsOf("/** Ids are made in lib/mas/ids.ts, see mas/ids.ts and ids.ts (R1). */\nconst x = 'gone.ts'"),
    ).toEqual([])
  })

  test('a missing file or rule that a comment names is reported with its line', () => {
    expect(problemsOf('// first\n/** Not here: the words (sentences.ts), R16. */')).toEqual([
      'lib/a.ts:2 names sentences.ts, which does not exist',
      'lib/a.ts:2 names R16, which no page of docs/rules has',
    ])
  })

  test('a page is read as a comment is', () => {
    const page = file('components/ui/README.md', '| `toast.tsx` | `showToast` |')
    expect(checkMentions([], [...all, page])).toContain(
      'components/ui/README.md:1 names toast.tsx, which does not exist',
    )
  })
})

describe('event folders', () => {
  test('an event whose reducer stands in another folder, or nowhere, is found', () => {
    const events = "export type E = {\n  'task.added': { task: TaskId }\n  'task.paused': OfTask\n}"
    const all = [
      file('lib/mas/tasks/events.ts', events),
      file('lib/mas/tasks/reduce.ts', "export const r = {\n  'task.added': (world) => world,\n}"),
    ]
    expect(
      checkEventFolders([...all, file('lib/mas/tasks/reduceMore.ts', "  'task.paused': (world) => world,")]),
    ).toEqual([])
    expect(checkEventFolders([...all, file('lib/mas/team/reduce.ts', "  'task.paused': (world) => world,")])).toEqual([
      'task.paused stands in lib/mas/tasks/events.ts, its reducer in lib/mas/team/',
    ])
    expect(checkEventFolders(all)).toEqual([
      'task.paused stands in lib/mas/tasks/events.ts, its reducer in no folder of lib/mas',
    ])
  })
})

describe('member kinds', () => {
  test('a comparison with a kind of member is found in the domain, and not elsewhere', () => {
    const asks = "// kind === 'llm'\nif (world.agents[id]?.kind !== 'outside') return"
    expect(checkMemberKinds([file('lib/mas/commands/a.ts', asks), file('server/a.ts', asks)])).toEqual([
      'lib/mas/commands/a.ts:2 compares a kind of member: use its traits or lib/mas/members',
    ])
    expect(checkMemberKinds([file('lib/mas/setup/setup.ts', asks), file('lib/mas/tasks/a.test.ts', asks)])).toEqual([])
  })
})

describe('bodies', () => {
  test('[R330] a body is asked for by a hash only where there is no reference to read', () => {
    const reads = 'const kept = await store.bodies.get(body.sha)'
    expect(
      checkBodies([file('server/gateway/routes/x.ts', reads), file('packages/interop/adapters/y.ts', `\n${reads}`)]),
    ).toEqual([
      'server/gateway/routes/x.ts:1 reads a body by its hash: use bodyContent or bodyText',
      'packages/interop/adapters/y.ts:2 reads a body by its hash: use bodyContent or bodyText',
    ])
    const allowed = ['server/store/moveRows.ts', 'server/shared/bodyText.ts', 'server/gateway/routes/x.test.ts']
    expect(checkBodies(allowed.map((path) => file(path, reads)))).toEqual([])
  })
})

describe('[R416] the names of a list', () => {
  const lists = file(
    'lib/names.ts',
    "export const FRUIT = ['apple', 'pear', 'fig'] as const\nexport const MODES = [\n  'a',\n  'b',\n  'c',\n] as const",
  )
  const found = (text: string, whole: Record<string, string> = {}) =>
    checkNameSets([lists, file('server/x.ts', text)], whole)

  test('are written once: a copy is told, as an array, a union or a schema, in any order', () => {
    for (const copy of [
      "const mine = ['pear', 'apple', 'fig']",
      "type Mine = 'fig' | 'apple' | 'pear'",
      "z.enum(['apple',\n 'pear', 'fig'])",
    ]) {
      const [problem, ...more] = found(copy)
      expect([problem?.startsWith('server/x.ts:1 writes names of FRUIT (lib/names.ts) again'), more]).toEqual([
        true,
        [],
      ])
    }
    expect(found("const others = ['apple', 'pear', 'plum']\n// ['apple', 'pear', 'fig']")).toEqual([])
  })

  test('may be written in part where the part is a choice of its own, but not of the lists whose every use is total', () => {
    const part = "const mine = ['apple', 'fig']"
    expect(found(part)).toEqual([])
    expect(found(part, { FRUIT: 'traits' })).toEqual([
      'server/x.ts:1 writes names of FRUIT (lib/names.ts) again: use traits',
    ])
    expect(found('', { GONE: 'nothing' })[0]).toContain('names GONE, which no file exports')
  })

  test('are also the keys of a record that is named so', () => {
    const record = file(
      'lib/names.ts',
      'export const TREES = {\n  oak: { high: true },\n  elm: { high: false },\n  ash: { high: true },\n} as const',
    )
    const copies = (whole: Record<string, string>) =>
      checkNameSets([record, file('server/x.ts', "const mine = ['elm', 'oak', 'ash']")], whole)
    expect(copies({ TREES: 'traits' })).toEqual([
      'server/x.ts:1 writes names of TREES (lib/names.ts) again: use traits',
    ])
    expect(copies({})).toEqual([])
  })
})

describe('timers', () => {
  const LOOKING = "export const edge = (): number => document.querySelector('h1')?.getBoundingClientRect().left ?? 0\n"
  const look = file('components/ui/edge.ts', LOOKING)

  test('[R701] timers that search or measure the page are found, in their own file and in what it imports', () => {
    const files = [
      look,
      file(
        'components/ui/Inline.tsx',
        'useEffect(() => {\n  setTimeout(() => box.getBoundingClientRect(), 150)\n}, [])\n',
      ),
      file(
        'components/ui/Named.tsx',
        "import { edge } from './edge'\n\nconst place = (): number => edge()\n\nuseEffect(() => {\n  const look = useEffectEvent(() => {\n    set(place())\n  })\n  const timer = setInterval(look, 500)\n}, [])\n",
      ),
      file('client/size.ts', 'setTimeout(() => {\n  if (box.scrollHeight > 3) tell()\n}, 9)\n'),
    ]
    expect(checkTimers(files)).toEqual([
      'components/ui/Inline.tsx:2 searches or measures the page: () => box.getBoundingClientRect()',
      'components/ui/Named.tsx:9 searches or measures the page: look',
      'client/size.ts:1 searches or measures the page: () => {',
    ])
  })

  test('timers that only count or write pass, beside code that measures and functions of the same name elsewhere', () => {
    const files = [
      look,
      file(
        'components/ui/Clock.tsx',
        'useEffect(() => {\n  const look = (): void => set(Date.now())\n  const timer = setInterval(look, 500)\n  observer.observe(() => box.getBoundingClientRect())\n}, [])\n',
      ),
      file('components/ui/Other.tsx', 'setTimeout(() => edge(), 9)\n'),
      file('components/ui/Scroll.tsx', 'setTimeout(() => {\n  box.scrollTop = 0\n}, 9)\n'),
      file('server/page.ts', 'setTimeout(() => box.getBoundingClientRect(), 9)\n'),
    ]
    expect(checkTimers(files)).toEqual([])
  })
})
