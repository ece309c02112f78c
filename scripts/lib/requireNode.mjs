// Imported first by every script. Must run on very old Nodes: no imports, no recent syntax.

var FLOOR = 20
var major = Number(process.versions.node.split('.')[0])

if (!(major >= FLOOR)) {
  console.error('')
  console.error(`Convene needs Node ${FLOOR} or newer. This is Node ${process.versions.node} (${process.execPath}).`)
  console.error(`  Install a newer one from https://nodejs.org, or with a version manager: nvm install ${FLOOR}`)
  console.error('')
  process.exit(1)
}
