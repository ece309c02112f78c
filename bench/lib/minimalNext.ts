/** The smallest Next app behind an http server of its own: what Convene's start is compared with. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const FILES = {
  'package.json': '{ "private": true, "type": "module" }\n',
  'next.config.mjs': 'export default {}\n',
  'app/layout.js':
    'export default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>\n}\n',
  'app/page.js': 'export default function Page() {\n  return <p>a page</p>\n}\n',
  'server.mjs': `import { createServer } from 'node:http'
import next from 'next'

const port = Number(process.env.PORT)
const http = createServer()
const app = next({ dev: false, dir: import.meta.dirname, hostname: '127.0.0.1', port, httpServer: http })
await app.prepare()
const handle = app.getRequestHandler()
http.on('request', (request, response) => void handle(request, response))
http.listen(port, '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
`,
}

/** Write and build it in a folder below the repository, where it finds the installed packages. */
export function buildMinimalNext(folder: string): { file: string; folder: string } {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'app'), { recursive: true })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
  execFileSync(process.execPath, [next, 'build'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: 'pipe',
  })
  return { file: join(folder, 'server.mjs'), folder }
}
