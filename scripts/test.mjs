// `npm test`: install, check, test, build, test in a browser; the last line is the count.
//   npm test -- checks | unit | faults | e2e    one part        npm test -- --all    the long tests too (CONVENE_ALL=1)
//   npm test -- core    the program without its packages, in a copy
import './lib/requireNode.mjs'

const { CannotGoOn, duration, say } = await import('./lib/say.mjs')
const { passSignals } = await import('./lib/run.mjs')
const { groupsOf, LONG_PARTS, PARTS } = await import('./lib/testParts.mjs')

passSignals()

const words = process.argv.slice(2)
const wanted = words.filter((word) => !word.startsWith('--'))
const unknown = [
  ...wanted.filter((word) => PARTS[word] === undefined),
  ...words.filter((word) => word.startsWith('--') && word !== '--all'),
]
const usual = Object.keys(PARTS).filter((part) => words.includes('--all') || !LONG_PARTS.includes(part))
const total = { passed: 0, failed: 0, skipped: 0 }
const trouble = []
const began = Date.now()

if (unknown.length > 0) {
  say(
    `npm test does not know: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}; --all adds the long tests.`,
  )
  total.failed += 1
} else {
  if (words.includes('--all')) process.env.CONVENE_ALL = '1'
  for (const group of groupsOf(wanted.length > 0 ? wanted : usual))
    if (!(await Promise.all(group.map(runPart))).every((mayGoOn) => mayGoOn)) break
}

// Repeated at the end, where it is visible.
if (trouble.length > 0) {
  say()
  say('== what went wrong')
  for (const line of trouble) say(line)
}
say()
say(`All of it took ${duration(Date.now() - began)}.`)
say(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0

/** Run one part and add its counts; out: whether later parts may run. A part that crashes counts as one failure. */
async function runPart(name) {
  say()
  say(`== ${name}`)
  const from = Date.now()
  let count
  let mayGoOn = true
  try {
    count = await PARTS[name]()
  } catch (error) {
    count = { passed: 0, failed: 1, skipped: 0, trouble: [`FAILED ${name}: ${error.message}`] }
    if (error instanceof CannotGoOn) {
      say(`FAILED: ${error.message}`)
      for (const line of error.lines) say(`  ${line}`)
      // Without dependencies no part can run.
      mayGoOn = error.endsAll !== true
    } else say(`FAILED: ${error.stack ?? error}`)
  }
  for (const key of Object.keys(total)) total[key] += count[key]
  trouble.push(...count.trouble)
  say(
    `== ${name}: ${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''} in ${duration(Date.now() - from)}`,
  )
  return mayGoOn
}
