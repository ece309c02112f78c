// Builds the pages with Next, and the server with the operator's programs with esbuild, when their sources have changed.
import { existsSync, rmSync } from 'node:fs'
import { parse, relative } from 'node:path'
import { fingerprint, readStamp, writeStamp } from './fingerprint.mjs'
import { programSource } from './packages.mjs'
import { PACKAGES_APART } from './packagesApart.mjs'
import { inRoot, programOf, ROOT, SERVER_BUNDLE } from './paths.mjs'
import { runNode } from './run.mjs'
import { CannotGoOn, duration, say } from './say.mjs'
import { hintScripts } from './scriptHints.mjs'

const BUILD_LIMIT_MS = 10 * 60_000
const CONFIGURATION = ['package.json', 'package-lock.json', 'tsconfig.json']
const PAGE_SOURCES = [
  'app',
  'components',
  'client',
  'lib',
  'messages',
  'public',
  'next.config.ts',
  'postcss.config.mjs',
  'scripts/lib/scriptHints.mjs',
  'test/gallery',
  ...CONFIGURATION,
]
/** Programs used beside an installed server, possibly on a read-only disk: they are bundled with it, not on first use. */
export const OPERATOR_PROGRAMS = ['backup', 'restore', 'doctor', 'move', 'hash-password', 'by-hand'].filter(
  programSource,
)
const SERVER_SOURCES = [
  'server',
  'packages',
  'lib',
  'messages',
  ...OPERATOR_PROGRAMS.map((name) => relative(ROOT, programSource(name))),
  'scripts/lib',
  ...CONFIGURATION,
]
const PAGE_STAMP = inRoot('.next', 'convene-stamp')
const SERVER_STAMP = inRoot('dist', 'convene-stamp')

export const programFile = (name) => inRoot('dist', `${name}.cjs`)

/** The gallery is built for browser tests and developers of the console only. */
const hasGallery = () => process.env.CONVENE_GALLERY === '1'
const pagesFingerprint = () => fingerprint(PAGE_SOURCES, hasGallery() ? 'gallery' : '')

export const arePagesFresh = () => readStamp(PAGE_STAMP) === pagesFingerprint()

export const areBundlesFresh = () =>
  readStamp(SERVER_STAMP) === fingerprint(SERVER_SOURCES) &&
  [SERVER_BUNDLE, ...OPERATOR_PROGRAMS.map(programFile)].every((file) => existsSync(file))

/** Build the pages when they are stale. */
export async function ensurePages() {
  const wanted = pagesFingerprint()
  if (readStamp(PAGE_STAMP) === wanted) return
  say('Building the pages. This happens after each change of the sources and takes about ten seconds …')
  const from = Date.now()
  // The dev server's types of a removed page would fail this build; an old stamp would hide a failed one.
  rmSync(inRoot('.next', 'dev'), { recursive: true, force: true })
  rmSync(PAGE_STAMP, { force: true })
  const result = await runNode([programOf('next', 'dist/bin/next'), 'build'], {
    env: { NODE_ENV: 'production', CONVENE_BUILD: wanted, CONVENE_GALLERY: hasGallery() ? '1' : '' },
    limitMs: BUILD_LIMIT_MS,
    quiet: true,
  })
  if (result.code !== 0) throw failure('the pages could not be built', result)
  hintScripts(inRoot('.next'))
  writeStamp(PAGE_STAMP, wanted)
  say(`Built in ${duration(Date.now() - from)}.`)
}

/** Bundle the server and the operator's programs when they are stale. */
export async function ensureBundles() {
  if (areBundlesFresh()) return
  if (!existsSync(inRoot('server', 'main.ts')))
    throw new CannotGoOn('server/main.ts is missing.', ['Clone Convene again.'])
  say('Bundling the server …')
  const from = Date.now()
  const wanted = fingerprint(SERVER_SOURCES)
  rmSync(SERVER_STAMP, { force: true })
  const programs = OPERATOR_PROGRAMS.map((name) => ({
    entry: programSource(name),
    outfile: programFile(name),
  }))
  await bundleAll([{ entry: inRoot('server', 'main.ts'), outfile: SERVER_BUNDLE }, ...programs])
  writeStamp(SERVER_STAMP, wanted)
  say(`Bundled in ${duration(Date.now() - from)}.`)
}

/** `import.meta.url` in a CommonJS bundle, which compiles in a third of the time of an ES module. */
const OWN_ADDRESS = {
  name: '__ownAddress',
  code: "const __ownAddress=require('node:url').pathToFileURL(__filename).href;",
}

/** One file for Node: CommonJS with its packages, or a module (`.mjs`) without them, which may use top-level await. */
export const bundle = (entry, outfile) => bundleAll([{ entry, outfile }])

/** Several bundles of one kind in one folder: each source is read once. */
async function bundleAll(bundles) {
  const { build } = await import('esbuild')
  const { dir, ext } = parse(bundles[0].outfile)
  const form =
    ext === '.mjs'
      ? { format: 'esm', packages: 'external' }
      : {
          format: 'cjs',
          external: PACKAGES_APART,
          define: { 'import.meta.url': OWN_ADDRESS.name },
          banner: { js: OWN_ADDRESS.code },
        }
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints: bundles.map(({ entry, outfile }) => ({ in: entry, out: parse(outfile).name })),
      outdir: dir,
      outExtension: { '.js': ext },
      bundle: true,
      ...form,
      platform: 'node',
      target: 'node20',
      // Without sourcesContent: Node parses the map at each start, and the texts were two thirds of it.
      sourcemap: true,
      sourcesContent: false,
      // Smaller to parse at each start. Names are kept, and the map leads back to the source.
      minifyWhitespace: true,
      minifySyntax: true,
      alias: { '@': ROOT },
      logLevel: 'silent',
    })
  } catch (error) {
    const lines = (error.errors ?? []).map(({ text, location }) =>
      location ? `${location.file}:${location.line}:${location.column} ${text}` : text,
    )
    throw new CannotGoOn('the server could not be bundled.', lines.length > 0 ? lines : [String(error)])
  }
}

function failure(what, { code, output, timedOut }) {
  if (/ENOSPC/.test(output))
    return new CannotGoOn('the disk is full.', ['About 1.2 GB are needed for the dependencies and the build.'])
  if (/EACCES|EPERM|EROFS/.test(output))
    return new CannotGoOn(`this user may not write to ${inRoot('.next')}.`, ['Check who owns the folder.'])
  const reason = timedOut ? ` within ${duration(BUILD_LIMIT_MS)}` : ` (exit code ${code})`
  return new CannotGoOn(`${what}${reason}.`, output.trim().split('\n').slice(-40))
}
