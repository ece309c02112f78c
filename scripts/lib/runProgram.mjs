// Runs a TypeScript program: dependencies first, then the bundle, then the program with its exit code.
import { bundle, OPERATOR_PROGRAMS, programFile } from './build.mjs'
import { ensure } from './ensure.mjs'
import { inRoot } from './paths.mjs'
import { become } from './run.mjs'
import { main } from './say.mjs'

/** in: the program's name, a file `scripts/<name>.ts`; `built`: it starts servers, so pages and server are built first */
export async function runProgram(name, { built = false } = {}) {
  await main(async () => {
    const isOfOperator = OPERATOR_PROGRAMS.includes(name)
    await ensure({ built, bundled: built || isOfOperator })
    const program = programFile(name)
    if (!isOfOperator) await bundle(inRoot('scripts', `${name}.ts`), program)
    process.exitCode = await become(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], {
      env: { NODE_ENV: 'production' },
    })
  })
}
