/** Programs that tests start as processes: bundled once, so that each start reads one file and takes a third of the processor time. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { areBundlesFresh, bundle, programFile } from '../scripts/lib/build.mjs'
import { PACKAGES_APART } from '../scripts/lib/packagesApart.mjs'

/** Inside the project, so that packages with native code are found; not committed. */
const FOLDER = resolve('out', 'programs')
const made = new Map<string, string>()

/**
 * in      a module that is run by `node`, TypeScript or not
 * out     the path of its bundle, which is named by its content: test files that run at once share it
 */
export function bundledProgram(entry: string): string {
  const known = made.get(entry)
  if (known !== undefined) return known
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    outdir: FOLDER,
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: PACKAGES_APART,
    minifyWhitespace: true,
    minifySyntax: true,
    // Packages of the CommonJS kind ask for Node's modules this way.
    banner: {
      js: "import { createRequire as __requireOf } from 'node:module';const require = __requireOf(import.meta.url);",
    },
  })
  const [bundle] = outputFiles
  if (bundle === undefined) throw new Error(`nothing was made of ${entry}`)
  const sum = createHash('sha256').update(bundle.contents).digest('hex').slice(0, 16)
  const file = join(FOLDER, `${parse(entry).name}-${sum}.mjs`)
  if (!existsSync(file)) {
    mkdirSync(FOLDER, { recursive: true })
    const unfinished = `${file}.${process.pid}`
    writeFileSync(unfinished, bundle.contents)
    renameSync(unfinished, file)
  }
  made.set(entry, file)
  return file
}

/**
 * The server, or an operator's program, as an installation has it.
 *
 * out     the bundle of the build; where that is of other sources, one that is made here
 */
export async function builtProgram(entry: string): Promise<string> {
  const { name } = parse(entry === 'server/main.ts' ? 'server' : entry)
  if (areBundlesFresh()) return programFile(name)
  const file = join(FOLDER, `${name}.cjs`)
  await bundle(resolve(entry), file)
  return file
}
