/** What a call left in the workspace: made, changed, removed; calls at once; limits. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, symlink, truncate, unlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type FilesFound, openFileWatch } from './watchCalls'

let root = ''
let kept: Map<string, string>
const troubles: unknown[] = []
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'convene-files-'))
  kept = new Map()
  troubles.length = 0
  const made = root
  onTestFinished(() => rm(made, { recursive: true, force: true }))
})

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), text)
}
const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const state = (text: string, isKept = true) => ({ sha: shaOf(text), bytes: Buffer.byteLength(text), kept: isKept })

const open = (limits: { most?: number; keptBytes?: number } = {}) =>
  openFileWatch({
    root,
    namedIn: (args) => (Array.isArray(args) ? args.map(String) : []),
    bodies: {
      async put(bytes) {
        const text = Buffer.from(bytes).toString('utf8')
        kept.set(shaOf(text), text)
        return { sha: shaOf(text), bytes: bytes.length }
      },
    },
    keep: 20,
    onTrouble: (error) => troubles.push(error),
    ...limits,
  })

/** One call that names these paths and does this. */
const called = async (
  act: () => Promise<unknown>,
  named: string[] = [],
  watch = open(),
): Promise<FilesFound | null> => {
  const call = await watch.before(named)
  await act()
  return call.after()
}
const pathsOf = (found: FilesFound | null): string[] =>
  (found?.changes ?? []).map(({ path, change }) => `${change} ${path}`)

it('[R745] a file that a call names is found with its size; one that is not there, a folder, and one elsewhere', async () => {
  await put('deep/old.txt', 'older')
  expect(await open().find('./deep/old.txt')).toEqual({ path: 'deep/old.txt', bytes: 5 })
  expect(await open().find('new.txt')).toEqual({ path: 'new.txt', bytes: null })
  expect(await open().find('deep')).toEqual({ path: 'deep', bytes: null })
  for (const elsewhere of ['../new.txt', '.git/config', '']) expect(await open().find(elsewhere)).toBeNull()
})

describe('what a call left in the workspace', () => {
  it('[R111] says which files were made, changed and removed, with hash and size, and keeps their content', async () => {
    await put('old.txt', 'old')
    await put('gone.txt', 'gone')
    await put('same.txt', 'same')
    const found = await called(async () => {
      await put('old.txt', 'newer')
      await put('deep/new.txt', 'new')
      await unlink(join(root, 'gone.txt'))
    }, ['old.txt', 'gone.txt', 'deep/new.txt'])
    expect(found).toEqual({
      complete: true,
      more: 0,
      keep: 20,
      changes: [
        { path: 'deep/new.txt', change: 'made', before: null, now: state('new'), shared: false },
        { path: 'gone.txt', change: 'removed', before: state('gone'), now: null, shared: false },
        { path: 'old.txt', change: 'changed', before: state('old'), now: state('newer'), shared: false },
      ],
    })
    expect([...kept.values()].sort()).toEqual(['gone', 'new', 'newer', 'old'])
  })

  it('[R111] says nothing where nothing changed: neither for a file that was only touched', async () => {
    await put('a.txt', 'same')
    expect(await called(async () => {})).toBeNull()
    expect(await called(() => utimes(join(root, 'a.txt'), 1, 1), ['a.txt'])).toBeNull()
    expect(await called(() => put('a.txt', 'same'), ['a.txt'])).toBeNull()
  })

  it('[R111] a call whose try before was cut off has changed what it names and writes anew, though the content is the same', async () => {
    await put('report.md', 'all')
    const call = await open().before(['report.md'], true)
    const later = new Date(Date.now() + 5_000)
    await utimes(join(root, 'report.md'), later, later)
    expect(pathsOf(await call.after())).toEqual(['changed report.md'])
    const untouched = await open().before(['report.md'], true)
    expect(await untouched.after()).toBeNull()
  })

  it('[R111] a file that the call did not name has changed too; what it was before is known by its size only', async () => {
    await put('a.txt', 'before')
    const found = await called(() => put('a.txt', 'after'))
    expect(found?.changes[0]).toMatchObject({ before: { sha: null, bytes: 6, kept: false }, now: state('after') })
  })

  it('[R111] what one call left is what the next finds, with its content', async () => {
    const watch = open()
    await called(() => put('a.txt', 'one'), [], watch)
    const found = await called(() => put('a.txt', 'two'), [], watch)
    expect(found?.changes[0]).toMatchObject({ change: 'changed', before: state('one'), now: state('two') })
  })

  it('[R111] a file that is moved is removed in one place and made in the other', async () => {
    await put('a.txt', 'text')
    const found = await called(() => rename(join(root, 'a.txt'), join(root, 'b.txt')), ['a.txt', 'b.txt'])
    expect(pathsOf(found)).toEqual(['removed a.txt', 'made b.txt'])
  })

  it('[R111] hidden files and links are not looked at', async () => {
    const found = await called(async () => {
      await put('.env', 'secret')
      await put('.git/config', 'x')
      await symlink('/etc/passwd', join(root, 'link.txt'))
    }, ['.env', 'link.txt'])
    expect(found).toBeNull()
    expect(kept.size).toBe(0)
  })

  it('[R111] a name like a built-in one, with spaces, quotes or of another script is a name like others', async () => {
    const names = ['__proto__', 'constructor', 'a b.txt', `it's "x".md`, '报告.md', '%2e%2e.txt']
    const found = await called(async () => {
      for (const name of names) await put(name, name)
    })
    expect(found?.changes.map(({ path }) => path).sort()).toEqual([...names].sort())
  })
})

describe('limits of what is compared', () => {
  it('[R111] content is kept up to the limit; a larger file has its hash and size', async () => {
    const watch = open({ keptBytes: 5 })
    const found = await called(
      async () => {
        await put('five.txt', '12345')
        await put('six.txt', '123456')
      },
      [],
      watch,
    )
    expect(found?.changes.map(({ now }) => now)).toEqual([state('12345'), state('123456', false)])
    expect([...kept.values()]).toEqual(['12345'])
  })

  it('[R111] a file of more than 1 GiB is known by its size, and is not read', async () => {
    const bytes = 1024 * 1024 * 1024 + 1
    const found = await called(async () => {
      await put('huge.bin', '')
      // A sparse file: it takes no room on the disk.
      await truncate(join(root, 'huge.bin'), bytes)
    })
    expect(found?.changes[0]?.now).toEqual({ sha: null, bytes, kept: false })
  })

  it('[R111] a workspace with too many files says so; of it only files that the call names are compared', async () => {
    for (let n = 0; n < 4; n++) await put(`${n}.txt`, '')
    const act = async () => {
      await put('3.txt', 'named')
      await put('0.txt', 'not named')
    }
    const within = await called(act, ['3.txt'], open({ most: 4 }))
    expect([pathsOf(within), within?.complete]).toEqual([['changed 0.txt', 'changed 3.txt'], true])
    await put('more.txt', '')
    const beyond = await called(() => put('3.txt', 'again'), ['3.txt'], open({ most: 4 }))
    expect([pathsOf(beyond), beyond?.complete]).toEqual([['changed 3.txt'], false])
  })

  it('[R111] a call lists 100 changes, and says how many more there were', async () => {
    const found = await called(async () => {
      for (let n = 0; n < 101; n++) await put(`${n}.txt`, `${n}`)
    })
    expect([found?.changes.length, found?.more]).toEqual([100, 1])
  })

  it('[R111] a workspace that cannot be read makes no call fail', async () => {
    await rm(root, { recursive: true })
    expect(await called(async () => {})).toBeNull()
  })
})

describe('calls at the same time', () => {
  it('[R111] a change belongs to the call that names its path, whichever ends first', async () => {
    for (const order of [0, 1]) {
      const watch = open()
      const [one, two] = [await watch.before(['one.txt']), await watch.before(['two.txt'])]
      await put('one.txt', `1 ${order}`)
      await put('two.txt', `2 ${order}`)
      const calls = order === 0 ? [one, two] : [two, one]
      const found = [await calls[0]?.after(), await calls[1]?.after()]
      expect(found.map((each) => pathsOf(each ?? null).length)).toEqual([1, 1])
      expect(found.flatMap((each) => each?.changes.map(({ shared }) => shared))).toEqual([false, false])
    }
  })

  it('[R111] a change that neither names, or both do, is recorded once and marked as shared', async () => {
    for (const named of [[], ['x.txt']]) {
      const watch = open()
      const [one, two] = [await watch.before(named), await watch.before(named)]
      await put('x.txt', `text ${named.length}`)
      const first = await one.after()
      expect(first?.changes).toMatchObject([{ path: 'x.txt', shared: true }])
      expect(await two.after()).toBeNull()
    }
  })

  it('[R111] what came after a call had ended is not its doing', async () => {
    const watch = open()
    const [one, two] = [await watch.before(['x.txt']), await watch.before([])]
    expect(await one.after()).toBeNull()
    await put('x.txt', 'later')
    expect((await two.after())?.changes).toMatchObject([{ path: 'x.txt', shared: false }])
  })

  it('[R111] a second change by another call begins where the first left the file', async () => {
    const watch = open()
    await put('x.txt', '0')
    const [one, two] = [await watch.before(['x.txt']), await watch.before([])]
    await put('x.txt', '1')
    await one.after()
    await put('x.txt', '2')
    expect((await two.after())?.changes).toMatchObject([{ before: state('1'), now: state('2') }])
  })

  it('[R111] a file that a person uploads meanwhile is no change of the call', async () => {
    const watch = open()
    const call = await watch.before([])
    await watch.aside(async () => {
      await put('inbox/a.csv', 'mine')
      return ['inbox/a.csv']
    })
    await put('out.txt', 'its own')
    expect(pathsOf(await call.after())).toEqual(['made out.txt'])
    await expect(watch.aside(() => Promise.reject(new Error('disk')))).rejects.toThrow('disk')
  })
})
