/** Adapter of Next. The only file of the gateway that imports it, so that tests need no build. */
import type { Server } from 'node:http'
import type { NextPart } from './pages'

/** in: the project's folder; the server to which Next attaches its hot-reload socket in development */
export async function nextPart(options: {
  folder: string
  dev: boolean
  host: string
  port: number
  http: Server
}): Promise<NextPart> {
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  const { default: next } = await import('next')
  const { folder, dev, host, port, http } = options
  const app = next({ dir: folder, dev, hostname: host, port, httpServer: http })
  const handle = app.getRequestHandler()
  return {
    prepare: () => app.prepare(),
    handle: (request, response) => handle(request, response),
    close: () => app.close(),
  }
}
