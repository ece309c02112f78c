/** The way by which a package becomes part of the program: it hands over what it has, and each folder of the core keeps its part. */
import { COMPANY_SIGN_IN } from './companySignIn'
import { addSections, type SectionsOfPackage } from './config/sections'
import { MCP_SERVER } from './mcpServer'
import { REHEARSAL } from './models/packagedModels'
import { NODES } from './nodes'
import { OTHER_SYSTEMS } from './otherSystems'
import { addPackage, type PackageName } from './shared/packages'
import { SHARED_DATABASE } from './store/database'

type PackageParts = {
  name: PackageName
  /** Sections of the configuration file. */
  sections?: SectionsOfPackage
  /** The models of `provider: rehearsal`. */
  rehearsal?: Parameters<typeof REHEARSAL.fill>[0]
  /** Where DATABASE_URL leads. */
  database?: Parameters<typeof SHARED_DATABASE.fill>[0]
  /** By which other systems reach this team. */
  protocols?: Parameters<typeof OTHER_SYSTEMS.fill>[0]
  /** By which programs act for people. */
  mcpServer?: Parameters<typeof MCP_SERVER.fill>[0]
  /** By which people sign in at their company. */
  companySignIn?: Parameters<typeof COMPANY_SIGN_IN.fill>[0]
  /** The way to other processes on the same database. */
  nodes?: Parameters<typeof NODES.fill>[0]
}

/** in: what one package adds. Called while the program loads, before anything is opened. */
export function register(parts: PackageParts): void {
  const { name, sections, rehearsal, database, nodes, protocols, mcpServer, companySignIn } = parts
  addPackage(name)
  if (sections) addSections(sections)
  if (rehearsal) REHEARSAL.fill(rehearsal)
  if (database) SHARED_DATABASE.fill(database)
  if (nodes) NODES.fill(nodes)
  if (companySignIn) COMPANY_SIGN_IN.fill(companySignIn)
  if (mcpServer) MCP_SERVER.fill(mcpServer)
  if (protocols) OTHER_SYSTEMS.fill(protocols)
}
