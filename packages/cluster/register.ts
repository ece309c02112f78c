/** Adds PostgreSQL, and the way between several processes on one database. */
import { register } from '@/server/register'
import { openNodes } from './nodes/openNodes'
import { readAddress } from './postgres/address'

register({
  name: 'cluster',
  database: {
    shown: (url) => readAddress(url).shown,
    // The driver is loaded only if needed.
    open: async (url, options) => (await import('./postgres/openPostgresStore')).openPostgresStore(url, options),
    look: async (url) => (await import('./postgres/look')).seeDatabase(url),
    moveFrom: async (url) => (await import('./postgres/moved')).postgresSource(url),
    moveTo: async (url, head) => (await import('./postgres/moved')).postgresTarget(url, head),
  },
  nodes: openNodes,
})
