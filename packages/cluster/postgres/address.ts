/** The address of the database: DATABASE_URL, read once. */
import { DatabaseUnfitError } from '@/server/store/errors'

export type DatabaseAddress = {
  /** For the driver, with the schema that every session works in. */
  url: string
  schema: string
  /** For people: without the password. */
  shown: string
}

const DEFAULT_SCHEMA = 'convene'
/** With a stricter level, an append that waited for the head would be refused. */
const READ_COMMITTED = String.raw`-c default_transaction_isolation=read\ committed`
/** Never needs quotes. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/

/**
 * in      postgres://user:password@host:port/database, with `schema` (default: convene) and what libpq knows: sslmode,
 *         sslrootcert, sslcert, sslkey, application_name, options
 * faults  DatabaseUnfitError: not such an address; the message does not contain it, because it may have a password
 */
export function readAddress(text: string): DatabaseAddress {
  const [, hosts = ''] = /^postgres(?:ql)?:\/\/([^/?]*)/.exec(text) ?? []
  if (hosts.slice(hosts.lastIndexOf('@') + 1).includes(','))
    throw new DatabaseUnfitError(
      'DATABASE_URL names several hosts, and the driver supports one: give one address that always leads to the primary',
    )
  if (!URL.canParse(text) || !/^postgres(ql)?:\/\//.test(text))
    throw new DatabaseUnfitError('DATABASE_URL is not the address of a PostgreSQL database')
  const url = new URL(text)
  const given = url.searchParams
  const schema = given.get('schema') ?? DEFAULT_SCHEMA
  given.delete('schema')
  if (!SCHEMA.test(schema))
    throw new DatabaseUnfitError(
      'the schema in DATABASE_URL may hold small letters, digits and "_", and begins with no digit',
    )
  // As in libpq: `require` encrypts, `verify-full` also checks the certificate.
  if (given.has('sslmode') && !given.has('uselibpqcompat')) given.set('uselibpqcompat', 'true')
  if (!given.has('application_name')) given.set('application_name', 'convene')
  given.set('options', [given.get('options'), `-c search_path=${schema}`, READ_COMMITTED].filter(Boolean).join(' '))
  const shown = `${url.protocol}//${url.host}${url.pathname}${schema === DEFAULT_SCHEMA ? '' : `?schema=${schema}`}`
  return { url: url.href.replaceAll('+', '%20'), schema, shown }
}
