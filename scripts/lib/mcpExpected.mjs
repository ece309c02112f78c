/** Scenarios of the MCP conformance suite that our client does not do, and why. All are extensions of MCP. */
const DPOP = 'an extension: tokens bound to a key (DPoP)'
const SKILLS = 'an extension: skills of servers; nothing is checked'

export const EXPECTED = {
  'auth/enterprise-managed-authorization': 'an extension: tokens of a company for its servers (ID-JAG)',
  'auth/dpop': DPOP,
  'auth/dpop-nonce': DPOP,
  'auth/wif-jwt-bearer': 'an extension: workload identities',
  'sep-2640-client-no-prefetch': SKILLS,
  'sep-2640-client-verify-digest': SKILLS,
  'sep-2640-client-verify-size': SKILLS,
  'sep-2640-client-verify-frontmatter': SKILLS,
}
