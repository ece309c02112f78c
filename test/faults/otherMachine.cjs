/**
 * Preloaded into a node: what differs between machines. CONVENE_CLOCK_AHEAD_MS: its clock is so far ahead. CONVENE_LINKS: JSON,
 * port → port: connections to the first go to the second, where a scenario can slow or stop them.
 */
const net = require('node:net')

const aheadMs = Number(process.env.CONVENE_CLOCK_AHEAD_MS ?? 0)
const links = JSON.parse(process.env.CONVENE_LINKS ?? '{}')

if (aheadMs !== 0) {
  const own = Date.now
  const OwnDate = Date
  const now = () => own() + aheadMs
  globalThis.Date = class extends OwnDate {
    constructor(...args) {
      if (args.length === 0) super(now())
      else super(...args)
    }
    static now = now
  }
}

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  // Of `net.connect` it comes as an array of options and listener.
  const [first] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null && links[first.port] !== undefined) first.port = links[first.port]
  else if (links[first] !== undefined) args[0] = links[first]
  return connect.apply(this, args)
}
