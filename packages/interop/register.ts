/** Adds the protocols by which other systems reach this team. */
import { register } from '@/server/register'
import { openAdapters } from './adapters'

register({
  name: 'interop',
  protocols: openAdapters,
})
