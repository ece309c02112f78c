// Next for the pages and routes of app/ beside the console (server/gateway/http/nextRoutes.ts). It ends with its parent.
import { createServer } from 'node:http'
import next from 'next'

process.on('disconnect', () => process.exit())
const app = next({ dir: process.argv[2], dev: false, hostname: '127.0.0.1', port: 0 })
const handle = app.getRequestHandler()
await app.prepare()
const server = createServer((request, response) => void handle(request, response))
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port))
