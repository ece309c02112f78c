// Builds the pages by Next, and the server with the operator's programs by esbuild, when their sources changed.
import { existsSync, rmSync } from 'node:fs'
import { parse } from 'node:path'
import { fingerprint, readStamp, writeStamp } from './fingerprint.mjs'
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
/** Programs that run beside an installed server, also where no file can be written: they are bundled with it, not when they are called. */
export const OPERATOR_PROGRAMS = ['backup', 'restore', 'doctor', 'move']
const SERVER_SOURCES = [
  'server',
  'bench/load',
  'lib',
  'messages',
  ...OPERATOR_PROGRAMS.map((name) => `scripts/${name}.ts`),
  'scripts/lib',
  ...CONFIGURATION,
]
const PAGE_STAMP = inRoot('.next', 'convene-stamp')
const SERVER_STAMP = inRoot('dist', 'convene-stamp')

export const programFile = (name) => inRoot('dist', `${name}.cjs`)

/** The gallery is built for the browser tests and for those who build the console, not for those who use it. */
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
  // Types that the dev server left for a page that is gone would fail this build; a stamp left behind would hide a failed one.
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
    entry: inRoot('scripts', `${name}.ts`),
    outfile: programFile(name),
  }))
  await bundleAll([{ entry: inRoot('server', 'main.ts'), outfile: SERVER_BUNDLE }, ...programs])
  writeStamp(SERVER_STAMP, wanted)
  say(`Bundled in ${duration(Date.now() - from)}.`)
}

/**
 * What stays in node_modules: native code, what starts worker threads from files of its own, and what only a late `import()` needs.
 * Everything else goes into the bundle: finding and reading some 400 small modules took half of the way to the first page.
 */
const PACKAGES_APART = [
  'next',
  'libsql',
  'pg',
  'esbuild',
  '@node-rs/argon2',
  'pino',
  'nodemailer',
  'web-push',
  'undici',
]
/** `import.meta.url` in a module of the CommonJS kind. Such a bundle is compiled in a third of the time that an ES module takes. */
const OWN_ADDRESS = {
  name: '__ownAddress',
  code: "const __ownAddress=require('node:url').pathToFileURL(__filename).href;",
}

/**
 * Bundle TypeScript into one file that Node runs: as the server is, with the packages that it uses; as a module (`.mjs`), which
 * may wait at its top, without them.
 */
export const bundle = (entry, outfile) => bundleAll([{ entry, outfile }])

/** Several at once, into one folder and of one kind: each source is read once. */
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
      // Without the texts: Node reads the map at each start, and they were two thirds of it.
      sourcemap: true,
      sourcesContent: false,
      // Less to read at each start; names stay, and the map leads from any line back to the source.
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
