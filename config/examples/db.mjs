/**
 * A tool server as small as one can be: one SQLite database, a tool that reads it and a tool that changes it.
 *
 * Started by Convene as its configuration says: node config/examples/db.mjs <file of the database>. It speaks MCP over its input
 * and output. An example to copy; the team of journeys.yaml uses it.
 */
import { existsSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import Database from 'libsql'

const file = process.argv[2]
if (!file) throw new Error('usage: node db.mjs <file of the database>')
const MOST_ROWS = 1_000

if (!existsSync(file)) {
  const made = new Database(file)
  made.exec(`
    create table item (id integer primary key, name text not null, price real not null);
    create table sale (item integer not null references item(id), day text not null, pieces integer not null);
    insert into item values (1, 'bolt', 1.1), (2, 'nut', 0.4), (3, 'hook', 2.0);
    insert into sale values (1, '2026-11-19', 40), (2, '2026-11-19', 120), (3, '2026-11-20', 7);
  `)
  made.close()
}

const sql = (description) => ({
  type: 'object',
  required: ['sql'],
  properties: { sql: { type: 'string', description } },
})

/** Comments, and what is between quotation marks of any kind. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

/** Throws an error unless the text is one statement that begins with one of these words. */
function ensureOne(text, words) {
  const bare = text.replace(QUOTED, ' x ').replace(/^(?: x |\s)+/, '')
  if (!new RegExp(`^(?:${words.join('|')})\\b[^;]*;?\\s*(?: x \\s*)*$`, 'i').test(bare))
    throw new Error(`Only one statement that begins with ${words.join(' or ')} can be run.`)
}

function withDatabase(work) {
  const db = new Database(file)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

const TOOLS = {
  query: {
    description: 'Run one SELECT and give back its rows, at most 1,000. Nothing can be changed by it.',
    inputSchema: {
      ...sql('One SELECT statement'),
      properties: {
        ...sql('One SELECT statement').properties,
        limit: { type: 'integer', minimum: 1, maximum: MOST_ROWS, default: 100, description: 'Rows at most' },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run({ sql: text, limit = 100 }) {
      ensureOne(text, ['SELECT', 'WITH'])
      return withDatabase((db) => {
        // The package's option `readonly` does nothing.
        db.pragma('query_only = 1')
        const statement = db.prepare(text)
        if (!statement.reader) throw new Error('Only a statement that gives rows can be run.')
        return { rows: statement.all().slice(0, Math.min(limit, MOST_ROWS)) }
      })
    },
  },
  write: {
    description: 'Run one INSERT, UPDATE or DELETE and say how many rows it changed.',
    inputSchema: sql('One statement that changes rows'),
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    run({ sql: text }) {
      ensureOne(text, ['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH'])
      return withDatabase((db) => ({ changes: db.prepare(text).run().changes }))
    },
  },
}

serveStdio(() => {
  const server = new Server({ name: 'db', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(TOOLS).map(([name, { run: _, ...tool }]) => ({ name, ...tool })),
  }))
  server.setRequestHandler('tools/call', ({ params }) => {
    try {
      const structuredContent = TOOLS[params.name].run(params.arguments ?? {})
      return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
    } catch (error) {
      // What the database says is for the author of the statement.
      return {
        isError: true,
        content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }],
      }
    }
  })
  return server
})
