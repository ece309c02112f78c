// Runs a program of ours that is written in TypeScript: dependencies first, then the bundle, then the program with its exit code.
import { bundle } from './build.mjs'
import { ensure } from './ensure.mjs'
import { inRoot } from './paths.mjs'
import { become } from './run.mjs'
import { main } from './say.mjs'

/** in: the program's name, a file `scripts/<name>.ts`; `built`: it starts servers, so pages and server are built first */
export async function runProgram(name, { built = false } = {}) {
  await main(async () => {
    await ensure({ built })
    const program = inRoot('dist', `${name}.cjs`)
    await bundle(inRoot('scripts', `${name}.ts`), program)
    process.exitCode = await become(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], {
      env: { NODE_ENV: 'production' },
    })
  })
}
