// Written by the build (scripts/lib/packages.mjs): the packages that are here.
import '@/packages/cluster/register'
import '@/packages/interop/register'
import '@/packages/mcp-server/register'
import '@/packages/oidc/register'
import '@/packages/rehearsal/register'
