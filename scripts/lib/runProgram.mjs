// Runs a program of ours that is written in TypeScript: dependencies first, then the bundle, then the program with its exit code.
import { bundle } from './build.mjs'
import { ensure } from './ensure.mjs'
import { inRoot } from './paths.mjs'
import { become } from './run.mjs'
import { main } from './say.mjs'

/** in: the program's name, a file `scripts/<name>.ts`; the words behind `npm run <name> --` */
export async function runProgram(name, words = process.argv.slice(2)) {
  await main(async () => {
    await ensure({ built: false })
    const program = inRoot('dist', `${name}.cjs`)
    await bundle(inRoot('scripts', `${name}.ts`), program)
    process.exitCode = await become(process.execPath, ['--enable-source-maps', program, ...words], {
      env: { NODE_ENV: 'production' },
    })
  })
}
